// Keys that work everywhere on the page: '/' goes to the search, Esc leaves what was opened last.

import { find } from './dom.js';

const isTyping = target => target.closest('input:not([type=checkbox]), textarea, select') !== null;

// close() leaves open details or a search, and says whether there was any.
export function listenForKeys({ close }) {
  addEventListener('keydown', event => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || document.querySelector('dialog[open]') || find('browse').hidden) {
      return;
    }

    const search = find('search');
    if (event.key === '/' && !isTyping(event.target)) {
      search.focus();
      search.select();
      event.preventDefault();
    } else if (event.key === 'Escape' && (event.target === search || !isTyping(event.target)) && close()) {
      event.preventDefault();
    } else if (event.key === 'ArrowDown' && event.target === search) {
      document.querySelector('.scroll').focus();
      event.preventDefault();
    }
  });
}
