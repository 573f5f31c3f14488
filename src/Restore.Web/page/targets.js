// A folder of this machine to restore to: the one of the start, or one below it.

import { bytes, h, show, visible } from './dom.js';
import { listTargets } from './server.js';

// A target as the user sees it.
export const targetPath = (root, target) => target === '' ? root : `${root}${root.endsWith('/') ? '' : '/'}${target}`;

export const canChooseTarget = true;

export const chooseLabel = 'Change folder';

// There is no target without a folder.
export const leaveLabel = null;

// What a user can decide about a restore to such a folder.
export const targetOptions = () => ['overwrite', 'permissions', 'fullPaths', 'createLinks'];

// Gives the path below the root, names with a slash between them; null if none was chosen.
export function chooseTarget(root, path) {
  return new Promise(resolve => {
    const place = h('nav', { class: 'path', 'aria-label': 'Target folder' });
    const list = h('ul', { class: 'folders' });
    const error = h('p', { class: 'error', role: 'alert', hidden: true });
    const room = h('p', { class: 'quiet', role: 'status' });
    const name = h('input', { id: 'new-folder', autocomplete: 'off', spellcheck: 'false', placeholder: 'A new folder in it (optional)', 'aria-label': 'New folder' });
    let chosen = null;
    const dialog = h('dialog', { class: 'targets', 'aria-labelledby': 'targets-title', onclose: () => { dialog.remove(); resolve(chosen); } },
      h('form', { method: 'dialog', onsubmit: event => { event.preventDefault(); take(); } },
        h('h2', { id: 'targets-title' }, 'Restore into'), place, list, name, room, error,
        h('div', { class: 'actions' }, h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), h('button', { class: 'main', id: 'take-target' }, 'Choose this folder'))));
    const fail = failure => {
      error.textContent = visible(failure.message);
      error.hidden = false;
    };
    const look = async to => {
      const found = await listTargets(to.join('/'));
      path = to.join('/');
      error.hidden = true;
      show(place, [h('button', { type: 'button', onclick: () => open([]) }, visible(root)),
        to.map((part, i) => [h('span', { 'aria-hidden': 'true' }, '/'), h('button', { type: 'button', onclick: () => open(to.slice(0, i + 1)) }, visible(part))])]);
      place.querySelector('button:last-of-type').setAttribute('aria-current', 'location');
      show(list, found.folders.map(one => h('li', {}, h('button', { type: 'button', class: 'plain', onclick: () => open([...to, one]) },
        h('span', { class: 'icon folder', 'aria-hidden': 'true' }), visible(one)))),
      found.folders.length === 0 ? h('li', { class: 'quiet' }, 'No folder in it') : null,
      found.total > found.folders.length ? h('li', { class: 'quiet' }, `The first ${found.folders.length} of ${found.total} are shown`) : null);
      room.textContent = found.freeBytes === undefined ? '' : `${bytes(found.freeBytes)} are free there`;
    };
    const open = to => look(to).then(() => (list.querySelector('button') ?? name).focus(), fail);
    const take = async () => {
      const to = [...path.split('/'), name.value.trim()].filter(Boolean);
      try {
        await listTargets(to.join('/'));
        chosen = to.join('/');
        dialog.close();
      } catch (failure) {
        fail(failure);
      }
    };
    document.body.append(dialog);
    dialog.showModal();
    look(path.split('/').filter(Boolean)).catch(failure => look([]).then(() => fail(failure), fail));
  });
}
