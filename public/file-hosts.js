// Addresses that people copy from the page of a file, and the address of the file itself, for hosts that let other
// sites read files.
//
// Pure functions. addresses.js uses them as `traceloupeFileHosts`; tests/e2e/file-hosts.test.mjs tests them in Node.
// A line of `HOSTS` has the names of a host, the form of the path, and what is fetched instead: an address, or
// `{lookup, choose}` for hosts where the address of the file must be looked up first.
'use strict';

(function fileHosts(global) {
  /** Only these formats of a file in a gist are preferred to its first file. */
  const TRACE_NAME = /\.(jsonl?|ndjson|log|ya?ml|md|gz|zst|zip|har)$/i;

  const encode = encodeURIComponent;
  const rawGitHub = (owner, repo, rest) => `https://raw.githubusercontent.com/${owner}/${repo}/${rest}`;

  /** The name of a file as the links of a gist's page write it: `#file-run-1-jsonl` for `run 1.jsonl`. */
  const gistAnchor = (name) => `file-${name.toLowerCase().replace(/[^a-z0-9_]+/g, '-')}`;

  const gist = (id, hash) => ({
    lookup: `https://api.github.com/gists/${id}`,
    /** Returns the address of the file that the link names; otherwise of the first that may be a trace. */
    choose({ files }) {
      const all = Object.values(files ?? {});
      const named = all.find((file) => hash !== '' && `#${gistAnchor(file.filename)}` === hash.toLowerCase());
      return (named ?? all.find((file) => TRACE_NAME.test(file.filename)) ?? all[0])?.raw_url;
    },
  });

  const release = (owner, repo, which, name) => ({
    lookup: `https://api.github.com/repos/${owner}/${repo}/releases/${which}`,
    /** The address of the file for programs, because the one for people does not let other sites read it. */
    choose: ({ assets }) => assets?.find((asset) => encode(asset.name) === encode(decodeURIComponent(name)))?.url,
    accept: 'application/octet-stream',
  });

  const HOSTS = [
    [/^(www\.)?github\.com$/, [
      [/^\/([^/]+)\/([^/]+)\/(?:blob|raw|blame)\/(?:refs\/(?:heads|tags)\/)?(.+)$/, ([owner, repo, rest]) => rawGitHub(owner, repo, rest)],
      [/^\/([^/]+)\/([^/]+)\/releases\/download\/([^/]+)\/([^/]+)$/, ([owner, repo, tag, name]) => release(owner, repo, `tags/${tag}`, name)],
      [/^\/([^/]+)\/([^/]+)\/releases\/latest\/download\/([^/]+)$/, ([owner, repo, name]) => release(owner, repo, 'latest', name)],
      [/^\/[^/]+\/[^/]+\/(?:actions\/runs|suites|archive)\//, () => null],
    ]],
    [/^gist\.github\.com$/, [
      [/^\/(?:[^/]+\/)?([0-9a-f]{20,})(?:\/.*)?$/, ([id], url) => gist(id, url.hash)],
    ]],
    [/^(gistpreview\.github\.io|gisthost\.github\.io)$/, [
      [/^\/$/, (_, url) => {
        const [id] = url.search.slice(1).split('/');
        return /^[0-9a-f]{20,}$/.test(id) ? gist(id, '') : undefined;
      }],
    ]],
    [/^(www\.)?(huggingface\.co|hf\.co)$/, [
      [/^(\/(?:datasets\/|spaces\/)?[^/]+\/[^/]+)\/(?:blob|raw|resolve|blame)\/(.+)$/, ([repo, rest]) => `https://huggingface.co${repo}/resolve/${rest}`],
    ]],
    [/^gitlab\.com$/, [
      [/^\/(.+?)\/-\/(?:blob|raw|blame)\/([^/]+)\/(.+)$/, ([project, ref, file]) =>
        `https://gitlab.com/api/v4/projects/${encode(project)}/repository/files/${encode(decodeURIComponent(file))}/raw?ref=${ref}`],
    ]],
    [/^bitbucket\.org$/, [
      [/^\/([^/]+)\/([^/]+)\/(?:src|raw)\/(.+)$/, ([space, repo, rest]) =>
        `https://api.bitbucket.org/2.0/repositories/${space}/${repo}/src/${rest}`],
    ]],
    [/^(www\.)?dropbox\.com$/, [
      [/^\/(?:s|scl\/fi)\/.+$/, ([path], url) => {
        const query = new URLSearchParams(url.search);
        query.delete('dl');
        const rest = query.toString();
        return `https://dl.dropboxusercontent.com${path}${rest === '' ? '' : `?${rest}`}`;
      }],
    ]],
    // These hosts have no address that other sites may read.
    [/^(drive|docs)\.google\.com$|^codeload\.github\.com$|^1drv\.ms$|(^|\.)(onedrive\.live|sharepoint)\.com$/, [[/^/, () => null]]],
  ];

  /**
   * What to fetch for an address: `{url}`, or `{lookup, choose, accept}`: fetch the JSON at `lookup` first, then the
   * address that `choose` finds in it. `url` is null if its host does not let other sites read files. Undefined for
   * all other addresses, which are fetched as they are.
   */
  function fileOn(url) {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
    const [, forms] = HOSTS.find(([names]) => names.test(url.hostname)) ?? [];
    for (const [form, find] of forms ?? []) {
      const match = form.exec(url.pathname);
      if (match === null) continue;
      let found;
      try {
        found = find(match.length > 1 ? match.slice(1) : [match[0]], url);
      } catch {
        return undefined; // an invalid % in the path
      }
      return found === null || typeof found === 'string' ? { url: found } : found;
    }
    return undefined;
  }

  const api = Object.freeze({ fileOn });
  if (typeof module === 'object') module.exports = api;
  else global.traceloupeFileHosts = api;
})(globalThis);
