import { find, status } from './dom.js';
import { get } from './server.js';
import { Browser } from './browse.js';
import { clearDetails, showDetails } from './details.js';
import { canPick, isPicked, startPicking, togglePick } from './restore.js';
import { showVersions } from './versions.js';

let versions = [];
let chosen = 0;

const browser = new Browser({
  open: (version, id) => { location.hash = `#/${version}/${id}`; },
  pick: { isPossible: canPick, isPicked, toggle: togglePick },
  activate: (row, version) => showDetails(row, version, () => versions, index => choose(index)),
});

async function refreshVersions() {
  const backup = await get('api/backup');
  versions = backup.versions;
  if (find('restore').hidden && backup.restoreFolder !== undefined) {
    startPicking(backup.restoreFolder, () => browser.list.draw());
  }

  find('location').textContent = backup.location;
  showVersions(versions, chosen, choose);
  return versions.some(version => version.state === 'Reading');
}

function choose(index) {
  find('search').value = '';
  location.hash = `#/${index}/-1`;
}

// The address says what is shown, so that Back and Forward work.
async function follow() {
  const [, version, id] = location.hash.split('/').map(Number);
  chosen = Number.isInteger(version) ? version : versions[0]?.index ?? 0;
  clearDetails();
  watch();
  await browser.showFolder(chosen, Number.isInteger(id) ? id : -1);
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
    clearDetails();
    await (text === '' ? browser.showFolder(chosen, browser.id ?? -1) : browser.showSearch(text));
    watch();
  }, 200);
});

addEventListener('hashchange', follow);
addEventListener('unhandledrejection', event => status(event.reason?.message ?? String(event.reason), true));

try {
  await refreshVersions();
  await follow();
} catch (failure) {
  status(failure.message, true);
}
