// In which versions an entry is, one line for each content: each can be downloaded and picked where it stands.

import { bytes, counted, h, visible } from './dom.js';
import { showLines } from './compare.js';
import { fileLink } from './server.js';
import { versionTime } from './versions.js';

// pick.isPossible, pick.isPicked(id, version) and pick.toggle(entry) are the picks of the page; choose(version) shows another version.
export function historyOf(entry, row, version, { choose, pick }) {
  const { spans } = entry;
  if (spans.length === 0) {
    return []; // A folder above all that was backed up.
  }

  const isFolder = row.kind === 'Folder';
  const left = entry.versionsLeft > 0 ? `, ${counted(entry.versionsLeft, 'version')} still to be read` : '';
  const count = spans.reduce((sum, span) => sum + span.oldest - span.newest + 1, 0);
  const isHere = span => span.newest <= version && version <= span.oldest;
  return [
    h('h3', {}, `In ${counted(count, 'version')}${left}`),
    h('ul', { class: 'spans' }, spans.map((span, i) => {
      // Within a span any version has the same bytes; the one that is shown stays.
      const at = isHere(span) ? version : span.newest;
      return h('li', {},
        pick.isPossible() ? tickOf({ id: row.id, path: entry.path, version: at }, pick) : null,
        h('span', {}, h('button', { class: 'plain', 'aria-current': isHere(span) ? 'true' : null, onclick: () => choose(at) }, timeOf(span)),
          isFolder ? null : h('small', {}, `state ${span.content + 1}, ${bytes(span.bytes)}`)),
        span.kind === 'File' ? h('a', { ...fileLink(at, row), 'data-version': at, 'aria-label': `Download ${visible(row.name)} of ${versionTime(at)}` }, 'Download') : null,
        linesOf(row, spans, i));
    })),
  ];
}

// The lines that came with a content, if the one before it is there.
function linesOf(row, spans, i) {
  const before = spans.slice(i + 1).find(one => one.kind === 'File' && one.content !== spans[i].content);
  return spans[i].kind !== 'File' || !before ? null : h('button', {
    class: 'plain compare', 'aria-label': `Lines that changed in ${versionTime(spans[i].oldest)}`, onclick: () => showLines(row, before.newest, spans[i].oldest),
  }, 'Lines');
}

const timeOf = span => span.newest === span.oldest ? versionTime(span.newest) : `${versionTime(span.newest)} back to ${versionTime(span.oldest)}`;

function tickOf(entry, pick) {
  const isPicked = () => pick.isPicked(entry.id, entry.version);
  const mark = h('span', { 'aria-hidden': 'true' });
  const button = h('button', {
    class: 'plain span-tick', role: 'checkbox', 'aria-label': `Pick the one of ${versionTime(entry.version)}`, onclick: () => pick.toggle(entry),
  }, mark);
  const draw = () => {
    if (button.isConnected || !button.wasShown) {
      button.setAttribute('aria-checked', isPicked() ? 'true' : 'false');
      mark.className = isPicked() ? 'tick picked' : 'tick';
      button.wasShown = true;
    } else {
      removeEventListener('picks', draw);
    }
  };
  addEventListener('picks', draw);
  draw();
  return button;
}
