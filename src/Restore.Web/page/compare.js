// What changed: the files of a version, and the lines of a text, in a window of its own.

import { bytes, counted, h, number, pathOf, show, visible } from './dom.js';
import { compareLines, groupsOf } from './lines.js';
import { encodingOf } from './preview.js';
import { findPath, readChanges, readContent } from './server.js';
import { versionTime } from './versions.js';

const longest = 512 * 1024;
const mostLines = 2000;
const signs = { Added: ['+', 'added'], Changed: ['~', 'changed'], Removed: ['−', 'removed'] };

let windows = 0;

function windowOf(title, ...above) {
  const id = `changes-title-${windows++}`; // One window can be above another.
  const body = h('div', { class: 'changes' }, h('p', { class: 'quiet', role: 'status' }, 'Reading …'));
  const asking = new AbortController();
  const dialog = h('dialog', { class: 'wide-window', 'aria-labelledby': id, onclose: () => { asking.abort(); dialog.remove(); } },
    h('h2', { id }, title), above, body,
    h('div', { class: 'actions' }, h('button', { class: 'main', onclick: () => dialog.close() }, 'Close')));
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, body, signal: asking.signal };
}

async function fill({ dialog, body }, make) {
  try {
    const children = await make();
    show(body, children);
  } catch (failure) {
    if (dialog.isConnected) {
      show(body, h('p', { class: 'error', role: 'alert' }, visible(failure.message)));
    }
  }
}

// The files that differ from the version before; go(version, folder, id) leads to one.
export function showChanges(version, go) {
  const shown = windowOf(`What changed in ${versionTime(version)}`);
  fill(shown, async () => {
    const { entries, total } = await readChanges(version, shown.signal);
    const at = ({ change }) => change === 'Removed' ? version + 1 : version;
    const lead = async entry => {
      try {
        const place = await findPath(at(entry), entry.path);
        shown.dialog.close();
        go(at(entry), place.folder, place.id);
      } catch (failure) {
        show(shown.body, h('p', { class: 'error', role: 'alert' }, visible(failure.message)));
      }
    };
    return [
      total === 0 ? h('p', {}, 'No file changed since the version before.') : null,
      h('ul', { class: 'changed' }, entries.map(entry => {
        const [sign, word] = signs[entry.change];
        return h('li', {}, h('span', { class: `chip ${word}` }, h('span', { 'aria-hidden': 'true' }, sign), h('span', { class: 'heard' }, word)),
          h('button', { class: 'plain', onclick: () => lead(entry) }, pathOf(entry.path)), h('small', {}, bytes(entry.bytes)),
          entry.change === 'Changed' ? h('button', { class: 'lines', onclick: () => showLines({ id: entry.id, name: entry.path, bytes: entry.bytes }, version + 1, version) }, 'Lines') : null);
      })),
      total > entries.length ? h('p', { class: 'quiet' }, `The first ${number(entries.length)} of ${number(total)} are shown.`) : null,
    ];
  });
}

// The lines of a text that differ between two versions.
export function showLines(row, before, after) {
  const shown = windowOf(visible(row.name), h('p', { class: 'quiet' }, `From ${versionTime(before)} to ${versionTime(after)}`));
  fill(shown, async () => {
    const texts = [];
    for (const version of [before, after]) {
      texts.push(await textOf(row, version, shown.signal));
    }

    const steps = compareLines(...texts);
    const groups = groupsOf(steps);
    const count = sign => steps.filter(([one]) => one === sign).length;
    let left = mostLines;
    const part = group => {
      const lines = group.slice(0, left);
      left -= lines.length;
      return lines.length === 0 ? null : h('div', { class: 'hunk' }, lines.map(lineOf));
    };
    return groups.length === 0 ? h('p', {}, 'Their lines are the same.') : [
      h('p', { role: 'status' }, `${counted(count('+'), 'line')} added, ${counted(count('-'), 'line')} removed`),
      h('div', { class: 'lines', tabindex: '0', role: 'region', 'aria-label': 'Lines' }, groups.map(part)),
      left === 0 ? h('p', { class: 'quiet' }, `The first ${number(mostLines)} lines are shown.`) : null,
    ];
  });
}

const words = { '+': ['ins', 'added'], '-': ['del', 'removed'], ' ': ['span', ''] };

function lineOf([sign, line]) {
  const [tag, word] = words[sign];
  return h(tag, { class: `line ${word}` }, h('span', { class: 'sign', 'aria-hidden': 'true' }, sign), word ? h('span', { class: 'heard' }, `${word}: `) : null, visible(line.replaceAll('\t', '    ')));
}

async function textOf(row, version, signal) {
  const content = new Uint8Array(await readContent(version, row.id, longest + 1, signal));
  if (content.length > longest) {
    throw new Error(`The one of ${versionTime(version)} is longer than ${bytes(longest)}: download both`);
  }

  const encoding = encodingOf(content);
  if (encoding === null) {
    throw new Error(`The one of ${versionTime(version)} is not text`);
  }

  const lines = new TextDecoder(encoding).decode(content).split(/\r\n|\r|\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
