// One entry: what a version has about it, in which versions it is, and a look at its content.

import { bytes, counted, find, h, money, number, pathOf, show, time, visible } from './dom.js';
import { fileLink, readCost, readDetails, readEntry, zipLink } from './server.js';
import { historyOf } from './history.js';
import { noDownload } from './losses.js';
import { endPreview, previewOf } from './preview.js';
import { showChangesOf, versionTime } from './versions.js';

let turn = 0;
let asking = null;

// What is shown: the same again stays as it is, with what a finger is about to touch.
let shown = null;

// A preview stays open while one moves through a list, and through versions.
let isPreviewing = false;
let looking = null;

function leavePreview() {
  looking?.abort();
  looking = null;
  endPreview();
}

export function clearDetails() {
  turn++;
  asking?.abort();
  leavePreview();
  shown = null;
  showChangesOf(null, null);
  show(find('details'), h('p', { class: 'empty' }, 'Choose a file or a folder.'));
}

// choose(version) shows another version, close() ends the look on a small screen, onRead() hears that all lists are being read, goTo is there for what a search
// found and leads to its folder, pick has the picks, and asked is the version that the timeline shows. A row that is absent is not in that version.
export async function showDetails(row, version, { choose, close, onRead, goTo, pick, asked, onLoss }) {
  const key = `${row.id} ${version} ${asked} ${goTo !== null} ${row.isAbsent}`;
  if (key === shown) {
    return;
  }

  shown = key;
  const mine = ++turn;
  const isCurrent = () => mine === turn;
  asking?.abort();
  leavePreview();
  asking = new AbortController();
  const { signal } = asking;
  const isFolder = row.kind === 'Folder';
  const facts = h('div', {}, h('p', { class: 'quiet' }, 'Reading …'));
  const cost = h('div', {}, h('p', { class: 'quiet' }, 'Finding out what it takes to fetch it …'));
  const history = h('div');
  const preview = h('div');
  const head = [h('button', { class: 'close', onclick: close }, 'Back to the list'), h('h2', { class: 'name-of' }, visible(row.name))];
  if (row.isAbsent) {
    show(find('details'), head, h('p', { class: 'warn' }, `${versionTime(version)} does not have it. These versions have:`), history);
    await showHistory(row, version, history, isCurrent, { choose, onRead, pick });
    return;
  }

  const look = h('button', { id: 'look', 'aria-pressed': 'false', onclick: () => { isPreviewing = !isPreviewing; showPreview(); } });
  const showPreview = () => {
    look.textContent = isPreviewing ? 'Close the preview' : 'Preview';
    look.setAttribute('aria-pressed', isPreviewing ? 'true' : 'false');
    leavePreview();
    if (isPreviewing) {
      const mine = looking = new AbortController();
      fill(preview, () => isCurrent() && looking === mine, () => previewOf(row, version, mine.signal));
    } else {
      show(preview);
    }
  };
  show(find('details'), head,
    h('div', { class: 'actions' },
      row.kind === 'File' ? h('a', { id: 'download', ...fileLink(version, row) }, 'Download') : null,
      isFolder ? h('a', zipLink(version, row), 'Download as zip') : null,
      row.kind === 'File' ? look : null,
      goTo ? h('button', { id: 'go-to', onclick: goTo }, 'Show in its folder') : null),
    asked === version ? null : h('p', { class: 'warn', id: 'other-version' }, `${versionTime(asked)} does not have it. This is the one of ${versionTime(version)}.`),
    preview, facts, cost, history);
  const refuse = loss => {
    find('download')?.replaceWith(noDownload(loss, choose));
    onLoss(row, version, loss);
  };
  if (row.kind === 'File') {
    showPreview();
  }

  if (row.loss) {
    refuse(row.loss);
  }

  await Promise.all([
    showHistory(row, version, history, isCurrent, { choose, onRead, pick }),
    fill(facts, isCurrent, async () => describe(await readDetails(version, row.id, signal)))
      .then(() => isCurrent() && fill(cost, isCurrent, async () => {
        const found = await readCost(version, row.id, signal);
        if (isCurrent() && found.loss && row.kind === 'File') {
          refuse(found.loss);
        }

        return costOf(found);
      })),
  ]);
}

async function fill(element, isCurrent, make) {
  try {
    const children = await make();
    if (isCurrent()) {
      show(element, children);
    }
  } catch (failure) {
    if (isCurrent()) {
      show(element, h('p', { class: 'error' }, visible(failure.message)));
    }
  }
}

// Again while lists are being read: more versions may have it. What has not changed stays, with the focus in it.
async function showHistory(row, version, element, isCurrent, { choose, onRead, pick }) {
  let shown = null;
  for (let left = 1; left > 0 && isCurrent();) {
    try {
      const entry = await readEntry(row.id);
      const text = JSON.stringify(entry);
      left = entry.versionsLeft;
      if (isCurrent() && text !== shown) {
        shown = text;
        show(element, historyOf(entry, row, version, { choose, pick }));
        showChangesOf(row.name, entry);
      }

      onRead();
    } catch (failure) {
      left = 0;
      if (isCurrent()) {
        show(element, h('p', { class: 'error' }, visible(failure.message)));
      }
    }

    await new Promise(resume => setTimeout(resume, left > 0 ? 700 : 0));
  }
}

function describe(entry) {
  const facts = [
    ['Path', pathOf(entry.path)],
    ['Size', entry.bytes < 1024 ? bytes(entry.bytes) : `${bytes(entry.bytes)} (${number(entry.bytes)} bytes)`],
    ['Files', entry.files === undefined ? '' : number(entry.files)],
    ['Changed', time(entry.time)],
    ['Created', time(entry.created)],
    ['Permissions', entry.mode],
    ['Owner', [entry.owner, entry.group].filter(Boolean).map(visible).join(' : ')],
    ['Link to', entry.linkTarget && pathOf(entry.linkTarget)],
    ['Attributes', entry.attributes.map(visible).join(', ')],
    ['Hash', entry.hash],
  ];
  return [
    h('dl', {}, facts.filter(([, value]) => value).map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    entry.isMetadataLost ? h('p', { class: 'error' }, 'Its metadata (times, permissions, owner, attributes) is lost.') : null,
  ];
}

function costOf(cost) {
  const price = cost.cost === undefined ? '' : `, ${money(cost.cost)} at the given price`;
  const lists = cost.bytesFetched > 0 ? `, and ${bytes(cost.bytesFetched)} of lists and index volumes` : '';
  return [
    h('dl', {}, h('dt', {}, 'To fetch'), h('dd', {}, `${bytes(cost.bytesToFetch)} from ${counted(cost.volumes, 'volume')}${lists}${price}`)),
    cost.losses.length > 0 ? [h('h3', { class: 'error' }, 'Lost'), h('ul', {}, cost.losses.map(loss => h('li', {}, visible(loss))))] : null,
    cost.firstVolumes.length > 0 ? h('details', {}, h('summary', {}, 'Volumes'), h('ul', {}, cost.firstVolumes.map(volume =>
      h('li', {}, `${visible(volume.name)}: ${bytes(volume.bytesToFetch)} of ${bytes(volume.bytes)}`)))) : null,
  ];
}
