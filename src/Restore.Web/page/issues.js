// What a plan or a report says about entries, by folder: red for lost, amber for left out.

import { counted, h, number, pathOf, visible } from './dom.js';
import { versionTime } from './versions.js';

const openGroups = 3;
const words = {
  Damaged: 'damaged', Missing: 'lost', Doubtful: 'doubtful', Refused: 'refused', LeftOut: 'left out', Metadata: 'without all metadata', Warning: 'of note',
};
const styles = { Lost: 'bad', LeftOut: 'warn', Warning: 'plain' };

function lostOf(entry, kind) {
  if (kind === 'Missing') {
    return ''; // All of it.
  }

  const ranges = entry.lost.map(range => `${number(range.from)} to ${number(range.to - 1)}`).join(', ');
  const more = entry.lostRanges > entry.lost.length ? `, and ${number(entry.lostRanges - entry.lost.length)} more` : '';
  return ranges ? `Lost bytes: ${ranges}${more}` : '';
}

// A state with the same bytes would be lost in the same way. A higher number is an older version.
const stateIn = entry => `Show in ${versionTime(entry.wholeIn)}, which has ${entry.wholeIn > entry.version ? 'an older' : 'a newer'} state of it whole`;

// goTo(version, path) shows an entry, pick(version, path) picks it; without pick there is no folder to restore to.
function wholeOf(entry, { goTo, pick }) {
  return entry.wholeIn === undefined ? null : [
    h('button', { class: 'plain', onclick: () => goTo(entry.wholeIn, entry.path) }, stateIn(entry)),
    pick ? h('button', { class: 'plain', onclick: () => pick(entry.wholeIn, entry.path) }, 'Pick') : null,
  ];
}

const entryOf = (group, entry, actions) => h('li', {},
  group.folder ? pathOf(entry.name) : visible(entry.name), ' ', entry.reason && entry.reason !== group.reason ? h('small', {}, visible(entry.reason)) : null,
  lostOf(entry, group.kind) ? h('small', {}, lostOf(entry, group.kind)) : null, wholeOf(entry, actions));

// The first entries are there already.
async function showRest(event, group, actions) {
  const entries = await actions.readIssues(group);
  event.target.closest('li').replaceWith(...entries.slice(group.entries.length).map(entry => entryOf(group, entry, actions)));
}

function groupOf(group, isOpen, actions) {
  const left = group.count - group.entries.length;
  return h('details', { class: `group ${styles[group.severity]}`, open: isOpen },
    h('summary', {}, h('span', { class: `tag ${styles[group.severity]}` }, `${number(group.count)} ${words[group.kind]}`), ' ',
      group.folder ? pathOf(group.folder) : 'Volumes', group.reason ? h('small', {}, visible(group.reason)) : null),
    h('ul', {}, group.entries.map(entry => entryOf(group, entry, actions)),
      left > 0 ? h('li', {}, h('button', { class: 'plain rest', onclick: event => showRest(event, group, actions) }, `Show ${number(left)} more`)) : null));
}

export function issueGroups(summary, actions) {
  const shown = summary.groups.reduce((sum, group) => sum + group.count, 0);
  const all = summary.lost + summary.leftOut + summary.warnings;
  return summary.groups.length === 0 ? null : h('div', { class: 'groups' },
    summary.groups.map((group, i) => groupOf(group, i < openGroups && group.severity !== 'Warning', actions)),
    all > shown ? h('p', { class: 'quiet' }, `And ${counted(all - shown, 'entry', 'entries')} in other folders.`) : null);
}
