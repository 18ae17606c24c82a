// Finds content that is cut off at the side or lies outside the window. The page's frame clips content that is too
// wide, so the document itself never scrolls sideways: each element has to be checked.

/** Elements that are not checked: text for screen readers, the skip link until it has the focus, bars of time. */
const ASIDE = '.sr, .live, .skip:not(:focus), .row__bar, svg';

/** Elements that may scroll sideways: code, tables of values, and strips of buttons on narrow screens. */
const SCROLLERS = 'pre, .code, .table, .tabs, .facts__numbers, .notes, .stats__wide, .side ul, .runs__bar .seg, .pairs__bar .seg';

/**
 * The elements (at most ten) that are partly invisible and cannot be scrolled into view, one line each: the element, by
 * how many pixels it is too wide, and for which box. Text that ends in an ellipsis or fades is cut on purpose, and the
 * contents of a scroller can be reached; but only the scrollers named in `scrollers` may scroll sideways.
 */
export const clipped = (page, scrollers = SCROLLERS) => page.evaluate(([allowed, aside]) => {
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
  const name = (one) => {
    const classes = [...one.classList].map((word) => `.${word}`).join('');
    return `${one.tagName.toLowerCase()}${one.id === '' ? '' : `#${one.id}`}${classes}`;
  };
  const found = [];
  const say = (one, by, what) => found.push(`${name(one)} is ${Math.round(by)} px too wide for ${what}: ${one.textContent.trim().slice(0, 40)}`);
  // A pixel may be lost in rounding.
  const SLACK = 1.5;
  const all = [...document.querySelectorAll('body, body *')].filter((one) => {
    if (!isShown(one) || one.closest(aside) !== null) return false;
    return one.getBoundingClientRect().width > 1;
  });
  for (const one of all) {
    const style = getComputedStyle(one);
    const isEllipsis = style.textOverflow === 'ellipsis' || style.maskImage !== 'none' && style.overflowX === 'hidden';
    const wider = one.scrollWidth - one.clientWidth;
    // Inline boxes have no width of their own to compare with.
    if (one.clientWidth > 0 && wider > SLACK && style.overflowX !== 'visible' && !isEllipsis) {
      const scrolls = style.overflowX === 'auto' || style.overflowX === 'scroll';
      const isField = one.matches('input, textarea, select');
      if (!isField && !(scrolls && one.closest(allowed) !== null)) say(one, wider, scrolls ? 'a page that does not scroll sideways' : 'itself, and is cut off');
    }
    const box = one.getBoundingClientRect();
    for (let above = one.parentElement; ; above = above.parentElement) {
      if (above === null) {
        const by = Math.max(box.right - innerWidth, -box.left);
        if (by > SLACK) say(one, by, 'the window');
        break;
      }
      const { overflowX, textOverflow, maskImage } = getComputedStyle(above);
      if (overflowX === 'visible' || above.clientWidth === 0) continue;
      if (overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis' || maskImage !== 'none') break;
      const edge = above.getBoundingClientRect();
      const by = Math.max(box.right - edge.right, edge.left - box.left);
      if (by > SLACK) {
        say(one, by, name(above));
        break;
      }
    }
  }
  return [...new Set(found)].slice(0, 10);
}, [scrollers, ASIDE]);
