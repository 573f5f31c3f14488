// Which files are lost; and the volumes as a grid: which are missing or damaged, and which files need each.

import { bytes, counted, find, h, number, pathOf, show, status, visible } from './dom.js';
import { findPath, readHealth, readVolume, startCheck } from './server.js';
import { planDrill } from './restore.js';
import { versionTime } from './versions.js';

const mostShown = 5000;
const kinds = {
  Present: ['sound', 'Present', ''], WithoutIndex: ['unindexed', 'Without index volume', '?'], WrongSize: ['wrong', 'Wrong size', '!'],
  Missing: ['missing', 'Missing', '✕'], Lossy: ['lossy', 'Damaged (found in this session)', '✕'],
};

let asking = null;
let turn = 0;

const kindOf = volume => volume.losses > 0 && volume.state !== 'Missing' ? 'Lossy' : volume.state;

export async function showHealth(open) {
  const mine = ++turn;
  const page = find('health');
  try {
    let health = await readHealth();
    while (mine === turn) {
      draw(page, health, open);
      if (health.state !== 'Running') {
        return;
      }

      await new Promise(resume => setTimeout(resume, 500));
      health = await readHealth();
    }
  } catch (failure) {
    show(page, h('p', { class: 'error', role: 'alert' }, failure.message));
  }
}

export function leaveHealth() {
  turn++;
  asking?.abort();
}

async function start(open) {
  try {
    await startCheck();
    await showHealth(open);
  } catch (failure) {
    status(failure.message, true);
  }
}

function draw(page, health, open) {
  const { check } = health;
  show(page, h('div', { class: 'health' },
    h('div', { class: 'actions head-line' },
      h('h2', {}, 'Health of the backup'),
      h('button', { class: check ? '' : 'main', disabled: health.state === 'Running', onclick: () => start(open) }, health.state === 'Running' ? 'Checking …' : check ? 'Check again' : 'Check the volumes'),
      h('button', { onclick: () => planDrill() }, 'Read and verify everything')),
    health.error ? h('p', { class: 'error', role: 'alert' }, visible(health.error)) : null,
    health.state === 'NotStarted' ? h('p', { class: 'empty' }, 'A check reads the lists and index volumes, and compares them with the names and sizes of the block volumes. It reads no blocks; a drill does.') : null,
    health.state === 'Running' ? h('p', { class: 'empty', role: 'status' }, 'Reading lists and index volumes …') : null,
    check ? result(check, open) : null));
}

function result(check, open) {
  const counts = Object.fromEntries(Object.keys(kinds).map(kind => [kind, check.volumes.filter(volume => kindOf(volume) === kind).length]));
  const bad = counts.Missing + counts.WrongSize + counts.Lossy;
  const chosen = h('section', { class: 'chosen', 'aria-label': 'Volume' }, h('p', { class: 'empty' }, 'Choose a volume to see which files need it.'));
  return [
    lossesOf(check.losses, bad, open),
    h('h3', { class: 'part' }, 'Volumes'),
    h('div', { class: 'cards' },
      card(check.versions, 'versions readable', false),
      card(check.volumes.length, 'block volumes', false),
      card(bad, 'missing or damaged', bad > 0),
      card(check.lostBlocks, `of ${number(check.blocks)} blocks in no volume`, check.lostBlocks > 0)),
    h('div', { class: 'two' },
      h('section', { 'aria-label': 'Volumes' },
        h('ul', { class: 'legend' }, Object.entries(kinds).filter(([kind]) => counts[kind] > 0).map(([kind, [style, label]]) =>
          h('li', {}, h('span', { class: `cell ${style}`, 'aria-hidden': 'true' }), `${label}: ${number(counts[kind])}`))),
        grid(check.volumes.slice(0, mostShown), volume => choose(volume, chosen, open)),
        check.volumes.length > mostShown ? h('p', { class: 'quiet' }, `The first ${number(mostShown)} are shown.`) : null,
        check.issues.length > 0 ? h('details', {}, h('summary', {}, `What the check says: ${counted(check.issueCount, 'line')}`),
          h('ul', {}, check.issues.map(issue => h('li', {}, visible(issue))))) : h('p', { class: 'good' }, 'Lists, index volumes and block volumes fit together.')),
      chosen),
  ];
}

const rangeOf = ({ newest, oldest }) => newest === oldest ? versionTime(newest) : `${versionTime(newest)} back to ${versionTime(oldest)}`;

async function go(open, version, path) {
  try {
    const place = await findPath(version, path);
    open(version, place.folder, place.id);
  } catch (failure) {
    status(failure.message, true);
  }
}

// In words, before any volume.
function lossesOf(losses, bad, open) {
  const { files, metadataOnly, atRisk, isVerified, folders, folderCount } = losses;
  const risk = atRisk > 0 ? h('p', { class: 'say warn' }, `${counted(atRisk, 'file needs', 'files need')} a volume of the wrong size: part of ${atRisk === 1 ? 'it' : 'them'} may be lost. `
    + 'Read and verify everything to know.') : null;
  if (files === 0) {
    return [
      isVerified ? h('p', { class: 'say good' }, 'No file is lost: everything was read and verified.')
        : h('p', { class: 'say good' }, 'No file is known to be lost. ', h('small', {}, 'Names and sizes were compared; only reading everything proves it.')),
      bad > 0 && atRisk === 0 ? h('p', { class: 'quiet' }, 'What the missing or damaged volumes have is in other volumes too, or no version needs it.') : null, risk,
    ];
  }

  return [
    h('p', { class: 'say error', role: 'status' }, `${counted(files, 'file is', 'files are')} lost, in whole or in part, in ${folderCount === 1 ? 'this folder' : 'these folders'}:`),
    h('ul', { class: 'lost-folders' }, folders.map(folder => h('li', {},
      h('button', { class: 'plain', onclick: () => go(open, folder.newest, folder.first) }, folder.path ? pathOf(folder.path) : 'Backup'),
      h('small', {}, `${counted(folder.files, 'file')} · ${rangeOf(folder)}`))),
      folderCount > folders.length ? h('li', { class: 'quiet' }, `and ${counted(folderCount - folders.length, 'more folder')}`) : null),
    risk,
    metadataOnly > 0 ? h('p', { class: 'quiet' }, `Of ${counted(metadataOnly, 'more entry', 'more entries')} only times, permissions and attributes are lost.`) : null,
    h('p', {}, 'Sound copies of the volumes below would bring all of it back. Another version may have a file whole: its details name the versions.'),
  ];
}

const card = (count, label, isBad) => h('div', { class: `card${isBad ? ' bad' : ''}` }, h('strong', {}, number(count)), h('span', {}, label));

// One place in the order of the tab key; the arrow keys move inside of it.
function grid(volumes, choose) {
  const cells = volumes.map((volume, i) => {
    const [style, label, sign] = kinds[kindOf(volume)];
    return h('button', {
      class: `cell ${style}`, tabindex: i === 0 ? '0' : '-1', title: volume.name, 'aria-pressed': 'false',
      'aria-label': `${visible(volume.name)}, ${volume.state === 'Missing' ? '' : `${bytes(volume.bytes)}, `}${label}`,
      onclick: event => {
        cells.forEach(cell => cell.setAttribute('aria-pressed', cell === event.currentTarget ? 'true' : 'false'));
        choose(volume);
      },
    }, sign ? h('span', { 'aria-hidden': 'true' }, sign) : null);
  });
  const element = h('div', { class: 'volumes', role: 'group', 'aria-label': 'Block volumes' }, cells);
  element.addEventListener('keydown', event => {
    const columns = Math.max(1, cells.filter(cell => cell.offsetTop === cells[0].offsetTop).length);
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Home: -cells.length, End: cells.length };
    const at = cells.indexOf(document.activeElement);
    if (event.key in steps && at >= 0) {
      const next = cells[Math.max(0, Math.min(cells.length - 1, at + steps[event.key]))];
      cells[at].tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
      event.preventDefault();
    }
  });
  return element;
}

async function choose(volume, panel, open) {
  asking?.abort();
  asking = new AbortController();
  const facts = [volume.state === 'Missing' ? 'not in the store' : bytes(volume.bytes), kinds[kindOf(volume)][1],
    volume.losses > 0 ? `${counted(volume.losses, 'entry', 'entries')} lost data by it in this session` : ''];
  const head = [h('h3', { class: 'name-of' }, pathOf(volume.name)), h('p', { class: 'quiet' }, facts.filter(Boolean).join(' · '))];
  show(panel, head, h('p', { class: 'empty', role: 'status' }, 'Looking for the files that need it …'));
  try {
    const found = await readVolume(volume.name, asking.signal);
    show(panel, head, dependents(found, open));
  } catch (failure) {
    if (failure.name !== 'AbortError') {
      show(panel, head, h('p', { class: 'error', role: 'alert' }, failure.message));
    }
  }
}

function dependents(found, open) {
  if (found.total === 0) {
    return h('p', { class: 'empty' }, 'No file of any version needs it.');
  }

  return [
    h('p', {}, `${counted(found.total, 'entry needs', 'entries need')} it`, found.alone < found.total ? `, ${number(found.alone)} of them without another copy` : '', '.'),
    h('ul', { class: 'dependents' }, found.entries.map(entry => h('li', {},
      h('button', { class: 'plain', onclick: () => go(open, entry.newest, entry.path) }, pathOf(entry.path)),
      h('small', {}, `${rangeOf(entry)} · ${bytes(entry.bytesThere)} there`
        + (entry.hasOtherCopies ? ' · other copies' : ''))))),
    found.total > found.entries.length ? h('p', { class: 'quiet' }, `The first ${number(found.entries.length)} are shown.`) : null,
  ];
}
