// Picked entries of any versions, their plan, the running restore or drill, and its report.

import { bytes, counted, find, h, money, number, show, status, time, visible } from './dom.js';
import { get, post } from './server.js';
import { ProgressView } from './progress.js';

const running = ['Running', 'Pausing', 'Stopping'];
const lookEvery = 3000;
const picks = new Map();
let events = null;
let view = null;
let shown = null;
let folder = null;
let overwrite = false;
let permissions = false;
let fullPaths = false;
let changed = () => {};
let goTo = () => {};
let timeOf = index => `version ${index}`;

// Shows what can be picked, and a restore that runs already: this page may have been loaded again, or another window has started it.
export function startPicking(restoreFolder, { onChange, open, versionTime }) {
  [folder, changed, goTo, timeOf] = [restoreFolder, onChange, open, versionTime];
  drawPicks();
  look(true);
  setInterval(() => look(false), lookEvery);
}

async function look(isFirst) {
  if (document.hidden || events) {
    return;
  }

  const job = await get('api/restore').catch(() => null);
  if (job && !events && (running.includes(job.state) || (isFirst && ['Paused', 'Done', 'Failed'].includes(job.state)))) {
    drawJob(job);
    if (running.includes(job.state)) {
      listen();
    }
  }
}

export const canPick = () => folder !== null && folder !== undefined;

export const isPicked = (row, version) => picks.has(`${version}/${row.id}`);

export function togglePick(row, version) {
  const key = `${version}/${row.id}`;
  if (!picks.delete(key)) {
    picks.set(key, { version, id: row.id });
  }

  if (!events) {
    drawPicks();
  }

  changed();
}

const option = (label, value, set) => {
  const box = h('input', { type: 'checkbox', checked: value, onchange: event => set(event.target.checked) });
  return h('label', { class: 'option' }, box, label);
};

function drawPicks(failure) {
  [view, shown] = [null, null];
  find('restore').hidden = !canPick() && !failure;
  const count = new Set([...picks.values()].map(pick => pick.version)).size;
  show(find('restore'),
    h('div', { class: 'actions' },
      h('strong', { id: 'picked' }, picks.size === 0 ? 'Nothing picked yet' : `${counted(picks.size, 'entry', 'entries')} of ${counted(count, 'version')} picked`),
      h('span', { class: 'quiet target' }, picks.size === 0 ? 'Tick the box of a row, or press space; any versions can be mixed' : `to ${visible(folder ?? '')}`),
      option('Replace files that differ', overwrite, value => { overwrite = value; }),
      option('Owner and permissions', permissions, value => { permissions = value; }),
      option('Full paths', fullPaths, value => { fullPaths = value; }),
      h('button', { disabled: picks.size === 0, onclick: () => { picks.clear(); drawPicks(); changed(); } }, 'Clear'),
      h('button', { id: 'plan', class: 'main', disabled: picks.size === 0, onclick: event => plan(event.target) }, 'Show the plan')),
    failure ? h('p', { class: 'error', role: 'alert' }, failure.message) : null);
}

async function plan(button) {
  button.disabled = true;
  button.textContent = 'Planning …';
  try {
    drawJob(await post('api/restore/plan', { picks: [...picks.values()], overwrite, permissions, fullPaths }));
    find('start')?.focus();
  } catch (failure) {
    drawPicks(failure);
    await look(false);
  }
}

export async function planDrill() {
  try {
    drawJob(await post('api/restore/plan', { picks: [], overwrite, permissions, fullPaths, isDrill: true }));
    find('start')?.focus();
  } catch (failure) {
    status(failure.message, true);
    await look(false);
  }
}

async function change(name, id) {
  try {
    drawJob(await post(`api/restore/${name}`, { id }));
    listen();
  } catch (failure) {
    find('restore').append(h('p', { class: 'error', role: 'alert' }, failure.message));
  }
}

function listen() {
  events?.close();
  events = new EventSource('api/restore/events');
  const end = () => {
    events?.close();
    events = null;
  };
  events.onmessage = event => drawJob(JSON.parse(event.data));
  events.onerror = end;
  events.addEventListener('end', end);
}

// A state that goes on is changed in place: its buttons keep the focus.
function drawJob(job) {
  const key = `${job.id} ${job.state}`;
  view = running.includes(job.state) ? view ?? new ProgressView() : null;
  view?.update(job);
  if (shown === key) {
    return;
  }

  shown = key;
  const hadFocus = find('restore').contains(document.activeElement);
  find('restore').hidden = false;
  const button = (name, label, isShown, isMain = false) =>
    isShown ? h('button', { id: name, class: isMain ? 'main' : '', onclick: () => change(name, job.id) }, label) : null;
  show(find('restore'),
    job.report ? reportOf(job) : planOf(job),
    view?.element,
    job.error ? h('p', { class: 'error', role: 'alert' }, visible(job.error)) : null,
    job.state === 'Paused' ? h('p', { role: 'status' }, 'Paused. Finished files are kept.') : null,
    job.state === 'Stopped' ? h('p', { role: 'status' }, 'Stopped. Finished files are kept; the same plan later restores the rest.') : null,
    h('div', { class: 'actions' },
      button('start', job.state === 'Paused' ? 'Go on' : job.target === undefined ? 'Verify' : 'Restore', job.state === 'Planned' || job.state === 'Paused', true),
      button('pause', 'Pause', job.state === 'Running'),
      button('stop', 'Stop', ['Running', 'Pausing', 'Paused'].includes(job.state)),
      running.includes(job.state) ? null : h('button', { onclick: () => drawPicks() }, job.state === 'Planned' ? 'Back' : 'Close')));
  if (hadFocus) {
    find('restore').querySelector('button')?.focus();
  }

  dispatchEvent(new CustomEvent('job', { detail: job }));
}

const table = (heads, rows) => h('table', {}, h('thead', {}, h('tr', {}, heads.map(head => h('th', { scope: 'col' }, head)))),
  h('tbody', {}, rows.map(row => h('tr', {}, row.map(cell => h('td', {}, cell))))));

function planOf(job) {
  const issues = job.plan.flatMap(part => part.issues);
  const isDrill = job.target === undefined;
  const hasCost = job.plan.some(part => part.cost !== undefined);
  return [
    h('h2', {}, isDrill ? 'Plan of a drill: everything is read and verified, nothing is written' : 'Plan'),
    table(['Version', isDrill ? null : 'To', 'Files', ...(isDrill ? [] : ['New', 'Replaced', 'Kept', 'To write']), 'To fetch', hasCost ? 'Cost' : null].filter(Boolean),
      job.plan.map(part => [
        isDrill ? 'all' : time(part.time), ...(isDrill ? [] : [visible(part.target)]), number(part.files),
        ...(isDrill ? [] : [number(part.newFiles), number(part.replacedFiles), number(part.keptFiles), bytes(part.bytesToWrite)]),
        `${bytes(part.bytesToFetch)} from ${counted(part.volumes, 'volume')}`, ...(hasCost ? [money(part.cost)] : []),
      ])),
    issues.length > 0 ? h('details', {}, h('summary', { class: 'error' }, counted(issues.length, 'problem')), h('ul', {}, issues.map(issue => h('li', {}, visible(issue))))) : null,
  ];
}

function lostOf(issue) {
  const ranges = issue.lost.map(range => `${number(range.from)} to ${number(range.to)}`).join(', ');
  return ranges + (issue.lostRanges > issue.lost.length ? `, and ${number(issue.lostRanges - issue.lost.length)} more` : '');
}

// The version nearest in time that has the whole file: to look at, or to pick for another restore.
function wholeOf(issue) {
  if (issue.wholeIn === undefined) {
    return issue.lost.length > 0 ? 'no version' : '';
  }

  const use = async act => {
    try {
      const entry = await get('api/find', { version: issue.wholeIn, path: issue.path });
      act(entry);
    } catch (failure) {
      status(failure.message, true);
    }
  };
  return [
    h('button', { class: 'plain', onclick: () => use(entry => goTo(issue.wholeIn, entry.folder, entry.id)) }, `Show in ${timeOf(issue.wholeIn)}`),
    canPick() ? h('button', { class: 'plain', onclick: () => use(entry => { picks.set(`${issue.wholeIn}/${entry.id}`, { version: issue.wholeIn, id: entry.id }); changed(); drawPicks(); }) },
      'Pick') : null,
  ];
}

function reportOf(job) {
  const { report } = job;
  const isDrill = job.target === undefined;
  const headline = isDrill ? report.isComplete ? 'Everything is readable and verified' : 'Some entries cannot be restored whole'
    : report.isComplete ? 'Everything is restored and verified' : 'Finished, but some entries are damaged, missing or refused';
  return [
    h('h2', { class: report.isComplete ? 'good' : 'error', role: 'status' }, h('span', { class: 'mark', 'aria-hidden': 'true' }, report.isComplete ? '✓' : '!'), headline),
    h('p', {}, isDrill ? `${counted(report.files, 'file')} (${bytes(report.bytes)}) verified` : `${counted(report.files, 'file')} (${bytes(report.bytes)}) in ${visible(job.target)}, `
      + `${number(report.kept)} of them were right already`, `; ${bytes(report.bytesFetched)} fetched in ${report.seconds.toFixed(1)} s`),
    report.issues.length > 0 ? table(['', 'Entry', 'What happened', 'Lost bytes', 'Whole in'], report.issues.map(issue => [
      issue.kind, h('bdi', {}, visible(issue.path)), visible(issue.reason), lostOf(issue), wholeOf(issue),
    ])) : null,
    report.issueCount > report.issues.length ? h('p', {}, `The first ${report.issues.length} of ${number(report.issueCount)} are shown.`) : null,
  ];
}
