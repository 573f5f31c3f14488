import { find, isSmall, status } from './dom.js';
import { readBackup, readFolder } from './server.js';
import { Browser } from './browse.js';
import { showChanges } from './compare.js';
import { clearDetails, showDetails } from './details.js';
import { leaveHealth, showHealth } from './health.js';
import { listenForKeys } from './keys.js';
import { moveWith } from './large.js';
import { addPicks, canPick, hidePicks, isPicked, startPicking, togglePick } from './restore.js';
import { verdicts } from './verdicts.js';
import { showVersions } from './versions.js';

const deepestBeginning = 30;
const found = '#/find';
const oneRow = { sort: 'name', order: 'asc', offset: 0, count: 1 };
let versions = [];
let chosen = 0;
let isStarted = false;
let shownHash = '';
let turn = 0;
let choice = 0;

const open = (version, id, entry) => { location.hash = `#/${version}/${id}${entry === undefined ? '' : `/${entry}`}`; };

// What was found has one address, without the text: browsers keep addresses. The state of the history has it, with the version and, where details are open or the
// version was changed, the entry.
function openFound(text, entry, isNew) {
  history[isNew ? 'pushState' : 'replaceState']({ text, version: chosen, entry }, '', found);
  follow();
}

const pick = { isPossible: canPick, isPicked, toggle: togglePick, add: addPicks };

const browser = new Browser({
  open,
  openFound: row => openFound(browser.text, row.id, true),
  pick,
  activate: (row, version) => showDetails(row, version, {
    choose, close: closeDetails, onRead: () => watch(), pick, asked: chosen, onLoss: (of, at, loss) => browser.mark(of.id, at, loss),
    goTo: row.folder === undefined ? null : () => open(version, row.folder, row.id),
  }),
});

moveWith(by => browser.movePicture(by));

async function refreshVersions() {
  const backup = await readBackup();
  versions = backup.versions;
  if (!isStarted) {
    isStarted = true;
    browser.wantsPictures = backup.hasFreeReads;
    startPicking(backup, { onChange: () => { browser.draw(); dispatchEvent(new Event('picks')); }, open });
  }

  find('location').textContent = backup.location;
  find('location').title = backup.location;
  showVersions(versions, chosen, choose, version => showChanges(version, open), verdicts);
  return backup.isReading;
}

// Another version keeps what is looked at: what was found, or the folder, with the chosen entry, and open details. The same address again is asked for again: a list
// that could not be read may be readable now.
async function choose(index) {
  const mine = ++choice;
  const before = turn;
  const entry = browser.row && (!isSmall() || isOpen()) ? browser.row.id : undefined;
  if (browser.text !== null) {
    chosen = index;
    openFound(browser.text, entry, false);
    return;
  }

  if (browser.id === undefined) {
    location.hash = `#/${index}`; // Nothing is shown yet: the version is shown from where its data begins.
    return;
  }

  const id = index === chosen ? browser.id : await nearestFolder(index);
  if (mine !== choice || before !== turn) {
    return; // Another version was chosen or another address opened meanwhile.
  }

  const shown = location.hash;
  open(index, id, entry);
  if (location.hash === shown) {
    follow();
  }
}

// The folder that is shown or still being read, or the nearest one above it that the version has: a folder has the same id in all of them.
async function nearestFolder(version) {
  for (const id of new Set([browser.id, ...(browser.above ?? []).map(folder => folder.id).reverse()])) {
    if (id >= 0 && await readFolder(version, id, oneRow).then(() => true, () => false)) {
      return id;
    }
  }

  return -1;
}

const isOpen = () => find('browse').classList.contains('has-entry');

function closeDetails() {
  if (browser.text !== null) {
    history.back();
  } else {
    open(browser.version, browser.id);
  }
}

// The folder where the data begins: the first one that has not just one folder in it.
async function beginning(version) {
  let id = -1;
  for (let depth = 0; depth < deepestBeginning; depth++) {
    const { entries, total } = await readFolder(version, id < 0 ? undefined : id, oneRow);
    if (total !== 1 || entries[0].kind !== 'Folder') {
      break;
    }

    id = entries[0].id;
  }

  return id;
}

// The address says what is shown, so that Back and Forward work.
async function follow(event) {
  const mine = ++turn;
  shownHash = location.hash;
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
    await showFound(history.state);
    return;
  }

  const [, first, id, entry] = location.hash.split('/');
  const version = first === undefined || first === '' ? NaN : Number(first);
  chosen = Number.isInteger(version) ? version : versions[0]?.index ?? 0;
  find('search').value = '';
  find('browse').classList.toggle('has-entry', entry !== undefined);
  if (entry === undefined) {
    clearDetails();
  }

  watch();
  const given = id !== undefined && Number.isInteger(Number(id)) ? Number(id) : null;
  const folder = given ?? await beginning(chosen).catch(() => -1);
  if (mine !== turn) {
    return; // Another address was opened meanwhile.
  }

  const isAgain = event === undefined || entry === undefined && !event.oldURL.includes(`${location.hash}/`);
  await browser.showFolder(chosen, folder, entry === undefined ? undefined : Number(entry), isAgain);
  await refreshVersions();
  focusDetails(entry !== undefined);
}

function focusDetails(hasEntry) {
  if (hasEntry && isSmall()) {
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

async function showFound({ text, version, entry }) {
  if (find('search').value.trim() !== text) {
    find('search').value = text;
  }

  chosen = version ?? chosen;
  find('browse').classList.toggle('has-entry', entry !== undefined);
  if (browser.text !== text) {
    clearDetails();
  }

  await browser.showSearch(chosen, text, entry);
  watch();
  await refreshVersions();
  focusDetails(entry !== undefined);
}

// The first letter makes an address of its own, to which Back leads from what was found.
let typing = null;
find('search').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => {
    const text = find('search').value.trim();
    if (text === '') {
      open(chosen, browser.id ?? -1);
    } else {
      openFound(text, undefined, location.hash !== found);
    }
  }, 200);
});

listenForKeys({
  close() {
    if (isSmall() && isOpen()) {
      closeDetails();
    } else if (browser.text !== null) {
      open(chosen, browser.id ?? -1);
      document.querySelector('.scroll').focus();
    } else {
      return false;
    }

    return true;
  },
});
addEventListener('hashchange', follow);
addEventListener('popstate', () => {
  if (location.hash === found && shownHash === found) {
    follow();
  }
});
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
