// The versions as a timeline, newest first, each with what changed since the one before.

import { bytes, counted, find, h, number, show, time, timeZone } from './dom.js';

let names = new Map();

// The local time of a version, as --time of the program takes it.
export const versionTime = index => names.get(index) ?? `version ${index}`;

function nameAll(versions) {
  names = new Map(versions.map(version => [version.index, time(version.time, true)]));
}

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
      : [some.map(([name, sign, word]) => h('span', { class: `chip ${name}` },
        h('span', { 'aria-hidden': 'true' }, `${sign}${number(change[name])}`), h('span', { class: 'heard' }, `${number(change[name])} ${word}, `))),
        h('small', {}, size.filter(Boolean).join(', ')), bar]);
}

export function showVersions(versions, chosen, choose) {
  nameAll(versions);
  const list = find('versions');
  const hadFocus = list.contains(document.activeElement) ? document.activeElement.dataset.version : null;
  const largest = Math.max(0, ...versions.map(version => version.change?.bytesNew ?? 0));
  show(list, h('h2', {}, counted(versions.length, 'version'), h('small', {}, ` times in ${timeZone()}`)),
    h('ol', { class: 'timeline' }, versions.map(version => h('li', {},
      h('button', { class: 'version', 'data-version': version.index, 'aria-current': version.index === chosen ? 'true' : 'false', onclick: () => choose(version.index) },
        h('span', { class: 'when' }, versionTime(version.index)), h('small', { class: version.error ? 'error' : '' }, describe(version)),
        version.isPartial ? h('small', { class: 'error', title: 'Its backup was stopped or took no file: an older version may have more' }, 'partial') : null,
        changeOf(version, largest),
        version.leftOut > 0 ? h('small', {}, `${counted(version.leftOut, 'entry', 'entries')} not shown: too long a path`) : null)))));
  if (hadFocus !== null) {
    list.querySelector(`[data-version="${hadFocus}"]`)?.focus();
  }
}
