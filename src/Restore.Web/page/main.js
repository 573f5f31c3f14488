import { find, status, time } from './dom.js';
import { get } from './server.js';
import { Browser } from './browse.js';
import { clearDetails, showDetails } from './details.js';
import { leaveHealth, showHealth } from './health.js';
import { canPick, isPicked, startPicking, togglePick } from './restore.js';
import { showVersions } from './versions.js';

let versions = [];
let chosen = 0;
let isStarted = false;
const deepestBeginning = 30;

const open = (version, id, entry) => { location.hash = `#/${version}/${id}${entry === undefined ? '' : `/${entry}`}`; };

const browser = new Browser({
  open,
  pick: { isPossible: canPick, isPicked, toggle: togglePick },
  activate: (row, version) => showDetails(row, version, () => versions, index => choose(index)),
});

async function refreshVersions() {
  const backup = await get('api/backup');
  versions = backup.versions;
  if (!isStarted) {
    isStarted = true;
    const versionTime = index => time(versions.find(version => version.index === index)?.time);
    startPicking(backup.restoreFolder, { onChange: () => browser.list.draw(), open, versionTime });
  }

  find('location').textContent = backup.location;
  find('location').title = backup.location;
  showVersions(versions, chosen, choose);
  return backup.isReading;
}

// Another version keeps the folder, if it has it. The same address again is asked for again: a list that could not be read may be readable now.
async function choose(index) {
  find('search').value = '';
  let id = browser.id ?? -1;
  if (index !== chosen && id >= 0) {
    id = await get('api/find', { version: index, path: browser.folderPath }).then(found => found.id, () => -1);
  }

  if (location.hash === `#/${index}/${id}`) {
    follow();
  } else {
    open(index, id);
  }
}

// The folder where the data begins: the first one that has not just one folder in it.
async function beginning(version) {
  let id = -1;
  for (let depth = 0; depth < deepestBeginning; depth++) {
    const { entries, total } = await get('api/folder', { version, id: id < 0 ? undefined : id, sort: 'name', order: 'asc', offset: 0, count: 1 });
    if (total !== 1 || entries[0].kind !== 'Folder') {
      break;
    }

    id = entries[0].id;
  }

  return id;
}

// The address says what is shown, so that Back and Forward work.
async function follow() {
  const [, first, id, entry] = location.hash.split('/');
  const isHealth = first === 'health';
  find('health').hidden = !isHealth;
  find('browse').hidden = isHealth;
  find('to-files').setAttribute('aria-current', isHealth ? 'false' : 'page');
  find('to-health').setAttribute('aria-current', isHealth ? 'page' : 'false');
  if (isHealth) {
    status('');
    await showHealth(open, () => versions);
    return;
  }

  leaveHealth();
  const version = first === undefined || first === '' ? NaN : Number(first);
  chosen = Number.isInteger(version) ? version : versions[0]?.index ?? 0;
  find('search').value = '';
  clearDetails();
  watch();
  const given = id !== undefined && Number.isInteger(Number(id)) ? Number(id) : null;
  await browser.showFolder(chosen, given ?? await beginning(chosen).catch(() => -1), entry === undefined ? undefined : Number(entry));
  await refreshVersions();
}

// Shows how lists are read, until they are.
let watching = null;
function watch() {
  clearTimeout(watching);
  watching = setTimeout(async () => {
    if (await refreshVersions()) {
      watch();
    }
  }, 500);
}

let typing = null;
find('search').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(async () => {
    const text = find('search').value.trim();
    find('health').hidden = true;
    find('browse').hidden = false;
    clearDetails();
    await (text === '' ? browser.showFolder(chosen, browser.id ?? -1) : browser.showSearch(text));
    watch();
  }, 200);
});

addEventListener('hashchange', follow);
addEventListener('job', event => {
  if (event.detail.report && !find('health').hidden) {
    showHealth(open, () => versions);
  }
});
addEventListener('unhandledrejection', event => status(event.reason?.message ?? String(event.reason), true));

try {
  await refreshVersions();
  await follow();
} catch (failure) {
  status(failure.message, true);
}
