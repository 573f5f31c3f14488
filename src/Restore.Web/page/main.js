import { find, isSmall, status } from './dom.js';
import { findPath, readBackup, readFolder } from './server.js';
import { Browser } from './browse.js';
import { clearDetails, showDetails } from './details.js';
import { leaveHealth, showHealth } from './health.js';
import { canPick, hidePicks, isPicked, startPicking, togglePick } from './restore.js';
import { showVersions } from './versions.js';

const deepestBeginning = 30;
const found = '#/find';
let versions = [];
let chosen = 0;
let isStarted = false;

const open = (version, id, entry) => { location.hash = `#/${version}/${id}${entry === undefined ? '' : `/${entry}`}`; };

const browser = new Browser({
  open,
  pick: { isPossible: canPick, isPicked, toggle: togglePick },
  activate: (row, version) => showDetails(row, version, { choose: index => choose(index), close: () => open(browser.version, browser.id), onRead: () => watch() }),
});

async function refreshVersions() {
  const backup = await readBackup();
  versions = backup.versions;
  if (!isStarted) {
    isStarted = true;
    startPicking(backup, { onChange: () => browser.draw(), open });
  }

  find('location').textContent = backup.location;
  find('location').title = backup.location;
  showVersions(versions, chosen, choose);
  return backup.isReading;
}

// Another version keeps the folder, if it has it. The same address again is asked for again: a list that could not be read may be readable now.
async function choose(index) {
  let id = browser.id ?? -1;
  if (index !== chosen && id >= 0) {
    id = await findPath(index, browser.folderPath).then(found => found.id, () => -1);
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
    const { entries, total } = await readFolder(version, id < 0 ? undefined : id, { sort: 'name', order: 'asc', offset: 0, count: 1 });
    if (total !== 1 || entries[0].kind !== 'Folder') {
      break;
    }

    id = entries[0].id;
  }

  return id;
}

// The address says what is shown, so that Back and Forward work.
async function follow(event) {
  const isHealth = location.hash.startsWith('#/health');
  find('health').hidden = !isHealth;
  find('browse').hidden = isHealth;
  find('to-files').setAttribute('aria-current', isHealth ? 'false' : 'page');
  find('to-health').setAttribute('aria-current', isHealth ? 'page' : 'false');
  hidePicks(isHealth);
  if (isHealth) {
    status('');
    document.title = 'Health - Restore';
    await showHealth(open);
    return;
  }

  leaveHealth();
  if (location.hash === found && history.state?.text) {
    await showFound(history.state.text);
    return;
  }

  const [, first, id, entry] = location.hash.split('/');
  const version = first === undefined || first === '' ? NaN : Number(first);
  chosen = Number.isInteger(version) ? version : versions[0]?.index ?? 0;
  find('search').value = '';
  find('browse').classList.toggle('has-entry', entry !== undefined);
  if (entry === undefined || !isSmall()) {
    clearDetails();
  }

  watch();
  const given = id !== undefined && Number.isInteger(Number(id)) ? Number(id) : null;
  const isAgain = event === undefined || entry === undefined && !event.oldURL.includes(`${location.hash}/`);
  await browser.showFolder(chosen, given ?? await beginning(chosen).catch(() => -1), entry === undefined ? undefined : Number(entry), isAgain);
  await refreshVersions();
  if (entry !== undefined && isSmall()) {
    setTimeout(() => find('details').querySelector('.close')?.focus(), 200);
  }
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

async function showFound(text) {
  if (find('search').value.trim() !== text) {
    find('search').value = text;
  }

  find('browse').classList.remove('has-entry');
  clearDetails();
  await browser.showSearch(chosen, text);
  watch();
}

// The first letter makes an address of its own, to which Back leads from what was found. It does not have the text: browsers keep addresses.
let typing = null;
find('search').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => {
    const text = find('search').value.trim();
    if (text === '') {
      open(chosen, browser.id ?? -1);
    } else {
      history[location.hash === found ? 'replaceState' : 'pushState']({ text }, '', found);
      follow();
    }
  }, 200);
});

addEventListener('hashchange', follow);
addEventListener('job', event => {
  if (event.detail.report && !find('health').hidden) {
    showHealth(open);
  }
});
addEventListener('unhandledrejection', event => status(event.reason?.message ?? String(event.reason), true));

try {
  await refreshVersions();
  await follow();
} catch (failure) {
  status(failure.message, true);
}
