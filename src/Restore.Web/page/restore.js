// Picked entries of any versions, their plan, the running restore and its report.

import { bytes, counted, find, h, number, show, time, visible } from './dom.js';
import { post } from './server.js';

const running = ['Running', 'Pausing', 'Stopping'];
const picks = new Map();
const rates = [];
let events = null;
let folder = null;
let overwrite = false;
let permissions = false;
let fullPaths = false;
let changed = () => {};

export function startPicking(restoreFolder, onChange) {
  folder = restoreFolder;
  changed = onChange;
  find('restore').hidden = folder === undefined;
  drawPicks();
}

export const canPick = () => folder !== undefined;

export const isPicked = (row, version) => picks.has(`${version}/${row.id}`);

export function togglePick(row, version) {
  const key = `${version}/${row.id}`;
  if (!picks.delete(key)) {
    picks.set(key, { version, id: row.id });
  }

  drawPicks();
  changed();
}

const option = (label, value, set) => {
  const box = h('input', { type: 'checkbox', checked: value, onchange: event => set(event.target.checked) });
  return h('label', {}, box, ` ${label}`);
};

function drawPicks(failure) {
  const count = new Set([...picks.values()].map(pick => pick.version)).size;
  show(find('restore'),
    h('div', { class: 'actions' },
      h('strong', {}, picks.size === 0 ? 'Nothing is picked: the box of a row, or the space key, picks it'
        : `${counted(picks.size, 'entry', 'entries')} of ${counted(count, 'version')} picked`),
      h('span', { class: 'quiet' }, `to ${visible(folder ?? '')}`),
      option('Replace files that differ', overwrite, value => { overwrite = value; }),
      option('Owner and permissions', permissions, value => { permissions = value; }),
      option('Full paths', fullPaths, value => { fullPaths = value; }),
      h('button', { id: 'plan', class: 'main', disabled: picks.size === 0, onclick: event => plan(event.target) }, 'Show the plan'),
      h('button', { disabled: picks.size === 0, onclick: () => { picks.clear(); drawPicks(); changed(); } }, 'Clear')),
    failure ? h('p', { class: 'error', role: 'alert' }, failure.message) : null);
}

async function plan(button) {
  button.disabled = true;
  button.textContent = 'Planning …';
  try {
    rates.length = 0;
    drawJob(await post('api/restore/plan', { picks: [...picks.values()], overwrite, permissions, fullPaths }));
  } catch (failure) {
    drawPicks(failure);
  }
}

async function change(name) {
  try {
    drawJob(await post(`api/restore/${name}`));
    listen();
  } catch (failure) {
    find('restore').append(h('p', { class: 'error', role: 'alert' }, failure.message));
  }
}

function listen() {
  events?.close();
  events = new EventSource('api/restore/events');
  events.onmessage = event => drawJob(JSON.parse(event.data));
  events.addEventListener('end', () => events.close());
}

function drawJob(job) {
  const button = (name, label, isShown, isMain = false) =>
    isShown ? h('button', { id: name, class: isMain ? 'main' : '', onclick: () => change(name) }, label) : null;
  show(find('restore'),
    job.report ? reportOf(job) : planOf(job),
    job.progress && running.includes(job.state) ? progressOf(job) : null,
    job.error ? h('p', { class: 'error', role: 'alert' }, job.error) : null,
    job.state === 'Paused' ? h('p', {}, 'Paused. Finished files are kept.') : null,
    job.state === 'Stopped' ? h('p', {}, 'Stopped. Finished files are kept; the same plan later restores the rest.') : null,
    h('div', { class: 'actions' },
      button('start', job.state === 'Paused' ? 'Go on' : 'Restore', job.state === 'Planned' || job.state === 'Paused', true),
      button('pause', 'Pause', job.state === 'Running'),
      button('stop', 'Stop', ['Running', 'Pausing', 'Paused'].includes(job.state)),
      running.includes(job.state) ? null : h('button', { onclick: () => drawPicks() }, 'Back')));
}

const table = (heads, rows) => h('table', {}, h('thead', {}, h('tr', {}, heads.map(head => h('th', { scope: 'col' }, head)))),
  h('tbody', {}, rows.map(row => h('tr', {}, row.map(cell => h('td', {}, cell))))));

function planOf(job) {
  const issues = job.plan.flatMap(part => part.issues);
  return [
    h('h2', {}, 'Plan'),
    table(['Version', 'To', 'Files', 'New', 'Replaced', 'Kept', 'To write', 'To fetch'], job.plan.map(part => [
      time(part.time), visible(part.target), number(part.files), number(part.newFiles), number(part.replacedFiles), number(part.keptFiles),
      bytes(part.bytesToWrite), `${bytes(part.bytesToFetch)}, ${counted(part.volumes, 'volume')}`,
    ])),
    issues.length > 0 ? h('details', {}, h('summary', { class: 'error' }, counted(issues.length, 'problem')), h('ul', {}, issues.map(issue => h('li', {}, visible(issue))))) : null,
  ];
}

function progressOf(job) {
  const { progress } = job;
  rates.push({ seconds: performance.now() / 1000, bytes: progress.bytesFetched });
  const last = rates.at(-1);
  const before = rates.findLast(rate => last.seconds - rate.seconds >= 1) ?? rates[0];
  const rate = last.seconds > before.seconds ? Math.max(0, last.bytes - before.bytes) / (last.seconds - before.seconds) : 0;
  return h('div', { class: 'progress' },
    h('progress', { max: Math.max(1, progress.bytesTotal), value: progress.bytesDone, 'aria-label': 'Restored bytes' }),
    h('span', {}, `${progress.phase}: ${number(progress.filesDone)} of ${counted(progress.filesTotal, 'file')}, ${bytes(progress.bytesDone)} of ${bytes(progress.bytesTotal)}, `
      + `${bytes(rate)}/s fetched`, job.plan.length > 1 ? `, version ${progress.part + 1} of ${job.plan.length}` : ''),
    plot());
}

// The fetched bytes over time.
function plot() {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  const line = document.createElementNS(space, 'polyline');
  const [first, last] = [rates[0], rates.at(-1)];
  const x = rate => 200 * (rate.seconds - first.seconds) / Math.max(0.001, last.seconds - first.seconds);
  const y = rate => 38 - 36 * rate.bytes / Math.max(1, last.bytes);
  line.setAttribute('points', rates.map(rate => `${x(rate).toFixed(1)},${y(rate).toFixed(1)}`).join(' '));
  svg.setAttribute('viewBox', '0 0 200 40');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', 'Fetched bytes over time');
  svg.append(line);
  return svg;
}

function reportOf(job) {
  const { report } = job;
  return [
    h('h2', { class: report.isComplete ? 'good' : 'error', role: 'status' },
      report.isComplete ? 'Everything is restored and verified' : 'Finished, but some entries are damaged, missing or refused'),
    h('p', {}, `${counted(report.files, 'file')} (${bytes(report.bytes)}) in ${visible(job.target)}, ${number(report.kept)} of them were right already; `
      + `${bytes(report.bytesFetched)} fetched in ${report.seconds.toFixed(1)} s`),
    report.issues.length > 0 ? table(['', 'Entry', 'What happened', 'Lost ranges', 'Whole in'], report.issues.map(issue => [
      issue.kind, visible(issue.path), visible(issue.reason),
      issue.lost.map(range => `${number(range.from)} to ${number(range.to)}`).join(', ') + (issue.lostRanges > issue.lost.length ? ', …' : ''),
      issue.wholeIn === undefined ? '' : `version ${issue.wholeIn}`,
    ])) : null,
    report.issueCount > report.issues.length ? h('p', {}, `The first ${report.issues.length} of ${number(report.issueCount)} are shown.`) : null,
  ];
}
