// A picture as large as the window, with the one before it and the next. What the list moves to is previewed, and what is previewed is shown here.

import { h, show, visible } from './dom.js';

let step = async () => false;
let shown = null;

// move(by) moves the list to the next picture, or with -1 to the one before, and resolves to whether there is one.
export const moveWith = move => { step = move; };

export function showLarge(source, name) {
  const place = h('div', { class: 'stage' });
  const caption = h('p', { role: 'status' });
  const go = async by => {
    if (!await step(by)) {
      caption.textContent = by > 0 ? 'No further picture in this list' : 'No picture before it in this list';
    }
  };
  const dialog = h('dialog', {
    class: 'large', 'aria-label': 'Picture', onclose: () => { shown = null; dialog.remove(); },
    onkeydown: event => ({ ArrowRight: () => go(1), ArrowLeft: () => go(-1) })[event.key]?.(),
  }, place, h('div', { class: 'actions' }, h('button', { id: 'before', onclick: () => go(-1) }, 'Previous'), h('button', { id: 'next', onclick: () => go(1) }, 'Next'),
    caption, h('button', { class: 'main', onclick: () => dialog.close() }, 'Close')));
  shown = { place, caption };
  update(source, name);
  document.body.append(dialog);
  dialog.showModal();
}

// What is previewed now; without a source it cannot be shown.
export function update(source, name) {
  if (shown) {
    shown.caption.textContent = visible(name);
    show(shown.place, source ? h('img', { src: source, alt: visible(name) }) : h('p', { class: 'error' }, 'The content is not a picture that this browser can show.'));
  }
}
