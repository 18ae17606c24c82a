// Says that the page's program has stopped because of an error in it.
'use strict';
(() => {
  /** Says that the page's program has trapped: nothing that it drew works any more. */
  function saidTrap({ error, reason }) {
    const isTrap = (error ?? reason) instanceof WebAssembly.RuntimeError;
    if (!isTrap || document.querySelector('.trap') !== null) return;
    const said = Object.assign(document.createElement('div'), { className: 'problems trap', role: 'alert' });
    said.append('The page has stopped because of an error in Traceloupe. Reload it to open this or another trace; please report the error.');
    const button = Object.assign(document.createElement('button'), { onclick: () => location.reload() });
    button.append('Reload');
    said.append(button);
    document.body.append(said);
  }
  addEventListener('error', saidTrap);
  addEventListener('unhandledrejection', saidTrap);
})();
