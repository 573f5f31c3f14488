// The versions as a timeline, newest first, each with what changed since the one before.

import { bytes, counted, find, h, number, show, time } from './dom.js';

function describe(version) {
  return version.error ?? (version.files !== undefined ? `${counted(version.files, 'file')}, ${bytes(version.bytes)}`
    : version.state === 'Reading' ? `reading the list: ${number(version.entries)} entries` : 'list not read yet');
}

const parts = [['added', '+', 'added'], ['changed', '~', 'changed'], ['removed', '−', 'removed']];

function changeOf({ change }, largest) {
  if (!change) {
    return null;
  }

  const some = parts.filter(([name]) => change[name] > 0);
  const words = some.map(([name, , word]) => `${number(change[name])} ${word}`).join(', ');
  const size = [change.bytesNew > 0 ? `${bytes(change.bytesNew)} new` : '', change.bytesGone > 0 ? `${bytes(change.bytesGone)} gone` : ''];
  const bar = h('span', { class: 'bar', 'aria-hidden': 'true' });
  bar.style.setProperty('--share', largest > 0 ? change.bytesNew / largest : 0);
  return h('span', { class: 'change', title: `Since the version before: ${words || 'no file changed'}` },
    some.length === 0 ? h('small', {}, 'no file changed')
      : [some.map(([name, sign, word]) => h('span', { class: `chip ${name}`, 'aria-label': `${number(change[name])} ${word}` }, `${sign}${number(change[name])}`)),
        h('small', {}, size.filter(Boolean).join(', ')), bar]);
}

export function showVersions(versions, chosen, choose) {
  const hadFocus = find('versions').contains(document.activeElement) ? document.activeElement.dataset.version : null;
  const largest = Math.max(0, ...versions.map(version => version.change?.bytesNew ?? 0));
  show(find('versions'), h('h2', {}, counted(versions.length, 'version')), h('ol', { class: 'timeline' }, versions.map(version => h('li', {},
    h('button', { class: 'version', 'data-version': version.index, 'aria-current': version.index === chosen ? 'true' : 'false', onclick: () => choose(version.index) },
      h('span', { class: 'when' }, time(version.time)), h('small', { class: version.error ? 'error' : '' }, describe(version)),
      changeOf(version, largest),
      version.leftOut > 0 ? h('small', {}, `${counted(version.leftOut, 'entry', 'entries')} not shown: too long a path`) : null)))));
  if (hadFocus !== null) {
    find('versions').querySelector(`[data-version="${hadFocus}"]`)?.focus();
  }
}
