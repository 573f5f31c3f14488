// Picked entries of any versions, how they are restored and where to, and the restore or drill that runs.

import { counted, find, h, isSmall, pathOf, show, status, visible } from './dom.js';
import { changeJob, findPath, planJob, readIssues, readJob, reportLink, watchJob } from './server.js';
import { headOf, planOf, reportOf } from './job.js';
import { ProgressView } from './progress.js';
import { canChooseTarget, chooseLabel, chooseTarget, leaveLabel, targetOptions, targetPath } from './targets.js';

const running = ['Running', 'Pausing', 'Paused', 'Stopping'];
const lookEvery = 3000;
const picks = new Map();
const options = { overwrite: false, permissions: false, fullPaths: false, createLinks: false };
let stopWatching = null;
let view = null;
let shown = null;
let root = null;
let location = '';
let target = '';

// Whether entries may go to the places that they had, and whether they are to.
let hasOriginal = false;
let isOriginal = false;
let isOptionsOpen = false;
let isHidden = false;
let isRestored = false;

// The stored picks that are not looked for yet, and the plan that this page asked for last.
let recalled = new Set();
let asked = null;
let times = new Map();
let changed = () => {};
let goTo = () => {};

// Shows what can be picked, and a restore that runs already: this page may have been loaded again, or another window has started it.
export function startPicking(backup, { onChange, open }) {
  [root, location, changed, goTo] = [backup.restoreFolder ?? null, backup.location, onChange, open];
  hasOriginal = backup.hasOriginalPlaces;
  isOriginal = hasOriginal && root === null;
  times = new Map(backup.versions.map(version => [version.index, version.time]));
  drawPicks();
  recallPicks().then(() => look(true));
  setInterval(() => look(false), lookEvery);
}

// A page that is loaded again has the picks that it had. The tab keeps them until it is closed, by path and time: the number of a version is another one after the
// next backup. What is not there any more is not picked; what could not be looked for is kept for the next time.
const memory = () => `picks ${document.location.pathname} ${location}`;

async function recallPicks() {
  try {
    recalled = new Set(JSON.parse(sessionStorage.getItem(memory()) ?? '[]'));
  } catch {
    // The browser keeps nothing for this page.
  }

  const indexes = new Map([...times].map(([index, time]) => [time, index]));
  for (const one of recalled) {
    await recall(one, indexes.get(one.time));
  }

  if (picks.size > 0) {
    afterPicking();
  }
}

async function recall(one, version) {
  try {
    const place = version === undefined ? null : await findPath(version, one.path);
    if (place && recalled.has(one)) { // Unless all was cleared meanwhile.
      picks.set(`${version}/${place.id}`, { version, id: place.id, path: one.path });
    }
  } catch (failure) {
    if (failure.status !== 404) {
      return;
    }
  }

  recalled.delete(one);
}

function keepPicks() {
  try {
    const kept = [...picks.values()].map(({ version, path }) => ({ time: times.get(version), path }));
    sessionStorage.setItem(memory(), JSON.stringify([...kept, ...recalled]));
  } catch {
    // There are too many, or the browser keeps nothing for this page.
  }
}

async function look(isFirst) {
  if (document.hidden || stopWatching) {
    return;
  }

  const job = await readJob().catch(() => null);
  if (job && !stopWatching && (running.includes(job.state) || (isFirst && ['Done', 'Failed'].includes(job.state)))) {
    drawJob(job);
    if (running.includes(job.state)) {
      watch();
    }
  }
}

export const canPick = () => root !== null || hasOriginal;

export const isPicked = (id, version) => picks.has(`${version}/${id}`);

export function togglePick(entry) {
  const key = `${entry.version}/${entry.id}`;
  if (!picks.delete(key)) {
    picks.set(key, entry);
  }

  afterPicking();
}

export function addPicks(entries) {
  entries.forEach(entry => picks.set(`${entry.version}/${entry.id}`, entry));
  afterPicking();
}

function afterPicking() {
  keepPicks();
  if (!stopWatching) {
    drawPicks();
  }

  changed();
}

// A restore that runs has a place beside the health of the backup. The picks have none, nor has a restore that is done: how it ended would read as that health.
export function hidePicks(value) {
  isHidden = value;
  find('restore').hidden = isHidden && (shown === null ? picks.size === 0 : isRestored);
}

const option = (name, label, ...explanation) => !targetOptions(target).includes(name) ? null : h('div', { class: 'option' },
  h('label', {}, h('input', { type: 'checkbox', checked: options[name], onchange: event => { options[name] = event.target.checked; } }), label), h('small', {}, explanation));

function optionsOf() {
  const example = [...picks.values()][0]?.path ?? '/home/ann/Documents/letter.txt';
  const name = example.split(/[/\\]/).filter(Boolean).at(-1);
  return h('details', { class: 'options', open: isOptionsOpen, ontoggle: event => { isOptionsOpen = event.target.open; } }, h('summary', {}, 'Options'), h('div', {},
    option('overwrite', 'Replace files that differ', 'Otherwise a file that is there stays, and the restored one gets a name with the date.'),
    option('permissions', 'Owner and permissions', 'Times are always restored. An owner can be set by an administrator alone.'),
    isOriginal ? null : option('fullPaths', 'Full paths', pathOf(example), ' goes to ', pathOf(`${targetPath(root, target)}${example.startsWith('/') ? '' : '/'}${example}`), '; otherwise the start that all paths share is cut off: ',
      pathOf(`${targetPath(root, target)}/${name}`)),
    option('createLinks', 'Create links', 'Also links that point out of the folder. Those of an encrypted backup are created anyway. Nothing is ever written through a link.')));
}

function drawPicks(failure) {
  view?.stop();
  [view, shown] = [null, null];
  const panel = find('restore');
  panel.classList.remove('tall');
  if (!canPick()) {
    panel.hidden = isHidden;
    show(panel, h('details', { class: 'how' }, h('summary', {}, 'To restore from this page, start it with a folder to restore to'),
      h('pre', {}, `restore browse ${visible(location)} --restore-path=FOLDER`), h('p', { class: 'quiet' }, 'Files and folders can be downloaded without.')));
    return;
  }

  panel.hidden = isHidden && picks.size === 0 && !failure;
  const count = new Set([...picks.values()].map(pick => pick.version)).size;
  const hadFocus = panel.contains(document.activeElement) ? document.activeElement.id : null;
  show(panel,
    h('div', { class: 'actions picks' },
      h('strong', { id: 'picked', role: 'status' }, picks.size === 0 ? 'Nothing picked yet' : `${counted(picks.size, 'entry', 'entries')} of ${counted(count, 'version')} picked`),
      picks.size === 0 ? h('span', { class: 'quiet target' }, isSmall() ? 'Tick what you need' : 'Tick the box of a row, or press space; the box above them is for the whole folder. Any versions can be mixed') : [
        h('span', { class: 'target' }, 'to ', isOriginal ? 'the original places' : pathOf(targetPath(root, target))),
        hasOriginal && root !== null ? h('button', { id: 'original', onclick: () => { isOriginal = !isOriginal; drawPicks(); find('original')?.focus(); } },
          isOriginal ? ['To ', pathOf(targetPath(root, target))] : 'To the original places') : null,
        !canChooseTarget || isOriginal ? null : h('button', { id: 'target', onclick: () => changeTarget() }, chooseLabel),
        leaveLabel && target !== '' ? h('button', { id: 'leave-target', onclick: () => setTarget('') }, leaveLabel) : null,
        h('button', { id: 'clear', onclick: () => { picks.clear(); recalled.clear(); afterPicking(); } }, 'Clear'),
        h('button', { id: 'plan', class: 'main', onclick: event => plan(event.target) }, 'Show the plan'),
      ]),
    picks.size > 0 && targetOptions(target).length > 0 ? optionsOf() : null,
    failure ? h('p', { class: 'error', role: 'alert' }, visible(failure.message)) : null);
  if (hadFocus) {
    find(hadFocus)?.focus();
  }
}

async function changeTarget() {
  try {
    setTarget(await chooseTarget(root, target) ?? target);
  } catch (failure) {
    drawPicks(failure);
  }
}

function setTarget(chosen) {
  target = chosen;
  drawPicks();
  find('target')?.focus();
}

async function ask(request) {
  const job = await planJob(request);
  asked = { id: job.id, request };
  drawJob(job);
}

const placeOf = () => isOriginal ? { isOriginal } : { folder: target };

async function plan(button) {
  if (button) {
    button.disabled = true;
    button.textContent = 'Planning …';
  }

  try {
    await ask({ ...options, picks: [...picks.values()].map(({ version, id }) => ({ version, id })), ...placeOf() });
    find('start')?.focus();
  } catch (failure) {
    drawPicks(failure);
    await look(false);
  }
}

// Each file from the newest version in which it is not suspect.
export const planLastGood = () => planWithoutPicks({ isLastGood: true, ...placeOf() });

export const planDrill = () => planWithoutPicks({ isDrill: true });

async function planWithoutPicks(request) {
  try {
    await ask({ ...options, picks: [], ...request });
    find('start')?.focus();
  } catch (failure) {
    status(failure.message, true);
    await look(false);
  }
}

// What is there already, and differs, may be replaced: nothing goes to its original place without an answer.
function isConfirmed(job) {
  const sum = name => job.plan.reduce((all, part) => all + (part[name] ?? 0), 0);
  const [files, replaced] = [sum('files'), sum('replacedFiles')];
  const differing = replaced === 0 ? 'No file there is replaced: one that differs stays, and the restored one gets a name with the date.'
    : `${counted(replaced, 'file')} there ${replaced === 1 ? 'differs and is' : 'differ and are'} replaced.`;
  return new Promise(resolve => {
    let answer = false;
    const dialog = h('dialog', { 'aria-labelledby': 'confirm-title', onclose: () => { dialog.remove(); resolve(answer); } },
      h('h2', { id: 'confirm-title' }, 'Restore to the original places?'),
      h('p', {}, `${counted(files, 'file')} ${files === 1 ? 'goes' : 'go'} to `, files === 1 ? 'its original place' : 'their original places', ', below ', job.plan.map(part => pathOf(part.target)), `. ${differing}`),
      h('div', { class: 'actions' }, h('button', { onclick: () => dialog.close() }, 'Cancel'),
        h('button', { id: 'confirm', class: 'main', onclick: () => { answer = true; dialog.close(); } }, 'Restore')));
    document.body.append(dialog);
    dialog.showModal();
  });
}

async function change(name, job) {
  try {
    const mustAsk = name === 'start' && job.isOriginal && job.state === 'Planned';
    if (mustAsk && !await isConfirmed(job)) {
      return;
    }

    drawJob(await changeJob(name, job.id, mustAsk || undefined));
    watch();
  } catch (failure) {
    find('restore').append(h('p', { class: 'error', role: 'alert' }, visible(failure.message)));
  }
}

const showFolder = id => changeJob('show', id).catch(failure => status(failure.message, true));

// Who has closed a report does not get it again when the page is loaded.
function close(id) {
  changeJob('close', id).catch(() => {});
  drawPicks();
}

function watch() {
  stopWatching?.();
  const mine = stopWatching = watchJob(drawJob, () => { stopWatching = stopWatching === mine ? null : stopWatching; });
}

// What can be done about an entry of a plan or a report.
const use = async (version, path, act) => {
  try {
    act(await findPath(version, path));
  } catch (failure) {
    status(failure.message, true);
  }
};

// The same plan again, with links. A page that was loaded since knows the picks alone.
function createLinksOf(job) {
  const known = asked?.id === job.id ? asked.request : null;
  const isPossible = known ? !known.isDrill : picks.size > 0 && !job.plan.some(part => part.lastGoodFrom);
  return !isPossible || !targetOptions(known?.folder ?? target).includes('createLinks') ? null : async () => {
    options.createLinks = true;
    if (!known) {
      await plan();
      return;
    }

    try {
      await ask({ ...known, createLinks: true });
      find('start')?.focus();
    } catch (failure) {
      drawPicks(failure);
      await look(false);
    }
  };
}

const actions = job => ({
  readIssues,
  goTo: (version, path) => use(version, path, place => goTo(version, place.folder, place.id)),
  pick: canPick() ? (version, path) => use(version, path, place => {
    picks.set(`${version}/${place.id}`, { version, id: place.id, path });
    keepPicks();
    changed();
    drawPicks();
  }) : null,
  createLinks: createLinksOf(job),
});

// A state that goes on is changed in place: its buttons keep the focus.
function drawJob(job) {
  const key = `${job.id} ${job.state} ${job.createsLinks}`;
  const hasProgress = running.includes(job.state);
  const isHeld = job.state === 'Pausing' || job.state === 'Paused';
  const wasSeen = view !== null;
  if (!hasProgress) {
    view?.stop();
    view = null;
  } else {
    view ??= new ProgressView();
  }

  view?.update(job);
  if (shown === key) {
    return;
  }

  shown = key;
  const panel = find('restore');
  const hadFocus = panel.contains(document.activeElement);
  isRestored = Boolean(job.report) && job.target !== undefined;
  panel.hidden = isHidden && isRestored && !wasSeen;
  panel.classList.add('tall');
  const button = (name, label, isShown, isMain = false) =>
    isShown ? h('button', { id: name, class: isMain ? 'main' : '', onclick: () => change(name, job) }, label) : null;
  show(panel,
    headOf(job),
    view?.element,
    h('div', { class: 'body' }, job.report ? reportOf(job, actions(job)) : planOf(job, actions(job)), job.error ? h('p', { class: 'error', role: 'alert' }, visible(job.error)) : null),
    h('div', { class: 'actions' },
      button('start', isHeld ? 'Go on' : job.target === undefined ? 'Verify' : 'Restore', job.state === 'Planned' || isHeld, true),
      button('pause', 'Pause', job.state === 'Running'),
      button('stop', 'Stop', ['Running', 'Pausing', 'Paused'].includes(job.state)),
      job.report?.canShow ? h('button', { id: 'show', onclick: () => showFolder(job.id) }, 'Open the folder') : null,
      job.report?.canSave ? h('a', { id: 'save', ...reportLink() }, 'Save the report') : null,
      hasProgress ? null : h('button', { id: 'close', onclick: () => close(job.id) }, job.state === 'Planned' ? 'Back' : 'Close')));
  if (hadFocus) {
    panel.querySelector('.actions button, .actions a')?.focus();
  }

  dispatchEvent(new CustomEvent('job', { detail: job }));
}
