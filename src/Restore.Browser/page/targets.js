// Where a tab can restore to: a zip that the browser saves like any download, or a folder that the user allows it to write to.

import { h } from './dom.js';
import { useTarget } from './server.js';

export const targetPath = (root, target) => target === '' ? root : target;

export const targetOptions = [];

export function chooseTarget(root, target) {
  return new Promise(resolve => {
    let chosen = null;
    const error = h('p', { class: 'error', role: 'alert', hidden: true });
    const take = value => {
      chosen = value;
      dialog.close();
    };
    const pick = async () => {
      try {
        const handle = await showDirectoryPicker({ id: 'restore-target', mode: 'readwrite' });
        await useTarget(handle);
        take(handle.name);
      } catch (failure) {
        if (failure.name !== 'AbortError') {
          error.textContent = failure.message;
          error.hidden = false;
        }
      }
    };
    const dialog = h('dialog', { class: 'targets', 'aria-labelledby': 'targets-title', onclose: () => { dialog.remove(); resolve(chosen); } },
      h('h2', { id: 'targets-title' }, 'Restore into'),
      h('p', {}, h('button', { type: 'button', class: 'main', id: 'take-zip', onclick: () => take('') }, 'A zip file'),
        h('small', {}, ' with times, permissions and links, saved like a download')),
      'showDirectoryPicker' in globalThis
        ? h('p', {}, h('button', { type: 'button', id: 'take-folder', onclick: pick }, 'A folder …'),
          h('small', {}, ' files are written one by one; a browser cannot set their times and permissions, nor make links'))
        : h('p', { class: 'quiet' }, 'This browser cannot write into a folder.'),
      error,
      h('div', { class: 'actions' }, h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel')));
    document.body.append(dialog);
    dialog.showModal();
  });
}
