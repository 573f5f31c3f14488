// The versions, newest first.

import { bytes, counted, find, h, number, show, time } from './dom.js';

function describe(version) {
  return version.error ?? (version.files !== undefined ? `${counted(version.files, 'file')}, ${bytes(version.bytes)}`
    : version.state === 'Reading' ? `reading the list: ${number(version.entries)} entries` : '');
}

export function showVersions(versions, chosen, choose) {
  show(find('versions'), h('h2', {}, counted(versions.length, 'version')), versions.map(version =>
    h('button', { class: 'version', 'aria-current': version.index === chosen ? 'true' : 'false', onclick: () => choose(version.index) },
      time(version.time), h('small', { class: version.error ? 'error' : '' }, describe(version)),
      version.leftOut > 0 ? h('small', {}, `${counted(version.leftOut, 'entry', 'entries')} not shown: too long a path`) : null)));
}
