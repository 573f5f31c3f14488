// The versions as a timeline, newest first and in groups, each with what changed since the one before. It is one place in the order of the tab key.

import { bytes, counted, find, groupOf, h, number, show, status, time, timeZone, visible, when } from './dom.js';

let names = new Map();

// What the timeline shows of a chosen file: its name, and the versions that have another content of it than the version before.
let file = null;
let isOnlyChanged = false;
let last = null;
let inSight = null;

// The local time of a version, as people speak of it.
export const versionTime = index => names.get(index) ?? `version ${index}`;

// Two versions of one minute differ in their seconds.
function nameAll(versions) {
  const plain = versions.map(version => when(version.time));
  const isTwice = name => plain.indexOf(name) !== plain.lastIndexOf(name);
  names = new Map(versions.map((version, i) => [version.index, isTwice(plain[i]) ? when(version.time, true) : plain[i]]));
}

function describe(version) {
  return version.error ?? (version.files !== undefined ? `${counted(version.files, 'file')}, ${bytes(version.bytes)}`
    : version.state === 'Reading' ? `reading the list: ${number(version.entries)} entries` : 'list not read yet');
}

const parts = [['added', '+', 'added'], ['changed', '~', 'changed'], ['removed', '−', 'removed']];

function changeOf({ change, index }, largest) {
  if (!change) {
    return index === last.versions.at(-1).index ? null : h('span', { class: 'unread' });
  }

  const some = parts.filter(([name]) => change[name] > 0);
  const words = some.map(([name, , word]) => `${number(change[name])} ${word}`).join(', ');
  const size = [change.bytesNew > 0 ? `${bytes(change.bytesNew)} new` : '', change.bytesGone > 0 ? `${bytes(change.bytesGone)} gone` : ''];
  const bar = h('span', { class: 'bar', 'aria-hidden': 'true' });
  bar.style.setProperty('--share', largest > 0 ? change.bytesNew / largest : 0);
  return h(some.length === 0 ? 'span' : 'button', {
    class: 'change', title: `Since the version before: ${words || 'no file changed'}`, tabindex: '-1', onclick: some.length === 0 ? () => {} : () => last.showChanges(index),
  },
  some.length === 0 ? h('small', {}, 'no file changed')
    : [some.map(([name, sign, word]) => h('span', { class: `chip ${name}` },
      h('span', { 'aria-hidden': 'true' }, `${sign}${number(change[name])}`), h('span', { class: 'heard' }, `${number(change[name])} ${word}, `))),
    h('small', {}, size.filter(Boolean).join(', ')), bar]);
}

// The chosen file. The entry has its spans, newest first; the version at the old end of one is where that content came.
export function showChangesOf(name, entry) {
  const spans = entry?.spans ?? [];
  const versions = spans.filter((span, i) => spans[i + 1]?.content !== span.content || spans[i + 1].newest !== span.oldest + 1).map(span => span.oldest);
  const next = entry && spans.length > 0 ? { name, versions: new Set(versions) } : null;
  if (JSON.stringify([next?.name, versions]) !== JSON.stringify([file?.name, [...file?.versions ?? []]])) {
    file = next;
    draw();
  }
}

// The newest version of a day, or before it if that has none; undefined if all are newer.
const versionAt = (versions, day) => versions.find(version => {
  const [year, month, date] = day.split('-').map(Number);
  return new Date(version.time) < new Date(year, month - 1, date + 1);
});

function jump({ versions, choose }, day) {
  const found = versionAt(versions, day);
  if (found) {
    choose(found.index);
  } else {
    status(`There is no version of ${day} or before; the oldest one is of ${time(versions.at(-1).time)}`, true);
  }
}

const shownOf = ({ versions, chosen }) => versions.filter(version => !isOnlyChanged || !file || file.versions.has(version.index) || version.index === chosen);

// The timeline is one stop, so the changes of the chosen version have a button here too.
const hasChanges = change => Boolean(change) && parts.some(([name]) => change[name] > 0);

// What is not known yet has its place: nothing moves under the mouse when it comes.
function headOf({ versions, chosen, notes, showChanges }) {
  const day = text => time(text).slice(0, 10);
  return [
    h('h2', {}, counted(versions.length, 'version'), h('small', {}, ` times in ${timeZone()}`)),
    versions.length < 2 ? null : h('label', { class: 'jump' }, h('span', {}, 'Go to'), h('input', {
      id: 'jump', type: 'date', min: day(versions.at(-1).time), max: day(versions[0].time),
      onchange: event => event.target.value && jump(last, event.target.value),
    })),
    versions.length < 2 ? null : h('label', { class: 'only', title: visible(file?.name ?? '') }, h('input', {
      id: 'only-changed', type: 'checkbox', disabled: !file, checked: isOnlyChanged, onchange: event => { isOnlyChanged = event.target.checked; draw(); },
    }), h('span', {}, 'Only where ', h('bdi', {}, visible(file?.name ?? 'a file')), ' changed')),
    versions.length < 2 ? null : h('button', {
      id: 'what-changed', disabled: !hasChanges(versions.find(version => version.index === chosen)?.change), onclick: () => showChanges(chosen),
    }, 'What changed'),
    notes?.head(),
  ];
}

function itemOf(version, { chosen, choose, notes }, largest, isStop) {
  return h('li', {}, h('button', {
    class: 'version', 'data-version': version.index, 'aria-current': version.index === chosen ? 'true' : 'false', tabindex: isStop ? '0' : '-1',
    title: time(version.time, true), onclick: () => choose(version.index),
  },
  h('span', { class: 'when' }, versionTime(version.index)), notes?.of(version.index), h('small', { class: version.error ? 'error' : '', title: describe(version) }, describe(version)),
  version.isPartial ? h('small', { class: 'error', title: 'Its backup was stopped or took no file: an older version may have more' }, 'partial') : null,
  version.leftOut > 0 ? h('small', {}, `${counted(version.leftOut, 'entry', 'entries')} not shown: too long a path`) : null), changeOf(version, largest));
}

function groupsOf(shown) {
  const groups = new Map();
  for (const version of shown) {
    const name = groupOf(version.time);
    groups.set(name, [...groups.get(name) ?? [], version]);
  }

  return [...groups];
}

// The chosen version may have been chosen elsewhere: by a day, a link or the address. Moves only the timeline, never the page.
function bringIntoSight(list, periods) {
  if (inSight === last.chosen) {
    return;
  }

  inSight = last.chosen;
  const version = list.querySelector('[aria-current=true]')?.getBoundingClientRect();
  if (version) {
    const [down, across] = [list.getBoundingClientRect(), periods.getBoundingClientRect()];
    list.scrollTop += Math.max(0, version.bottom - down.bottom) + Math.min(0, version.top - down.top);
    periods.scrollLeft += Math.max(0, version.right - across.right) + Math.min(0, version.left - across.left);
  }
}

function draw() {
  if (!last) {
    return;
  }

  const list = find('versions');
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  const largest = Math.max(0, ...last.versions.map(version => version.change?.bytesNew ?? 0));
  const shown = shownOf(last);
  const stop = shown.some(version => version.index === last.chosen) ? last.chosen : shown[0]?.index;
  if (!list.firstChild) {
    show(list, h('div', { class: 'timeline-head' }), h('div', { class: 'periods' }));
  }

  const [head, periods] = list.children;
  if (focused?.id !== 'jump') { // The calendar of a field goes with the field.
    show(head, headOf(last));
  }

  show(periods, groupsOf(shown).map(([name, versions]) => h('section', { class: 'period', 'aria-label': name },
    h('h3', {}, name), h('ol', { class: 'timeline' }, versions.map(version => itemOf(version, last, largest, version.index === stop))))));
  bringIntoSight(list, periods);
  if (focused && !focused.isConnected) {
    (focused.id ? find(focused.id) : list.querySelector(`[data-version="${focused.dataset.version}"]`))?.focus();
  }
}

// The arrow keys move between the versions; Tab leaves the timeline.
function press(event) {
  const buttons = [...find('versions').querySelectorAll('.version')];
  const at = buttons.indexOf(event.target);
  const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (at >= 0 && buttons[to] && !event.ctrlKey && !event.altKey && !event.metaKey) {
    event.preventDefault();
    buttons.forEach((button, i) => button.setAttribute('tabindex', i === to ? '0' : '-1'));
    buttons[to].focus();
  }
}

// choose(version) shows a version, and showChanges(version) the names of what changed in it; notes.head() and notes.of(version) add what else is known.
export function showVersions(versions, chosen, choose, showChanges, notes) {
  nameAll(versions);
  const isFirst = last === null;
  const before = JSON.stringify([last?.versions, last?.chosen]);
  last = { versions, chosen, choose, showChanges, notes };
  if (isFirst) {
    find('versions').addEventListener('keydown', press);
  }

  // What a user opens or moves through stays while nothing is new.
  if (before !== JSON.stringify([versions, chosen])) {
    draw();
  }
}

export const redrawVersions = draw;
