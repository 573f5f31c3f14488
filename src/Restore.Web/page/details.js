// One entry: what a version has about it, in which versions it is, and a look at its content.

import { bytes, counted, find, h, money, number, pathOf, show, time, visible } from './dom.js';
import { fileLink, readContent, readCost, readDetails, readEntry, zipLink } from './server.js';
import { versionTime } from './versions.js';

const longestText = 64 * 1024;
const largestPicture = 20 * 1024 * 1024;
const pictures = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', bmp: 'image/bmp', avif: 'image/avif' };

let turn = 0;
let asking = null;
let picture = null;

export function clearDetails() {
  turn++;
  asking?.abort();
  show(find('details'), h('p', { class: 'empty' }, 'Choose a file or a folder.'));
}

// choose(version) shows another version, close() ends the look on a small screen, onRead() hears that all lists are being read.
export async function showDetails(row, version, { choose, close, onRead }) {
  const mine = ++turn;
  const isCurrent = () => mine === turn;
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const isFolder = row.kind === 'Folder';
  const facts = h('div', {}, h('p', { class: 'quiet' }, 'Reading …'));
  const cost = h('div', {}, h('p', { class: 'quiet' }, 'Looking for its blocks …'));
  const history = h('div');
  const preview = h('div');
  show(find('details'),
    h('button', { class: 'close', onclick: close }, 'Back to the list'),
    h('h2', { class: 'name-of' }, visible(row.name)),
    h('div', { class: 'actions' },
      row.kind === 'File' ? h('a', fileLink(version, row), 'Download') : null,
      isFolder ? h('a', zipLink(version, row), 'Download as zip') : null,
      row.kind === 'File' ? h('button', { onclick: () => look(row, version, preview, isCurrent) }, 'Preview') : null),
    preview, facts, cost, history);
  await Promise.all([
    showHistory(row, version, history, isCurrent, choose, onRead),
    fill(facts, isCurrent, async () => describe(await readDetails(version, row.id, signal)))
      .then(() => isCurrent() && fill(cost, isCurrent, async () => costOf(await readCost(version, row.id, signal)))),
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

// Again while lists are being read: more versions may have it.
async function showHistory(row, version, element, isCurrent, choose, onRead) {
  for (let left = 1; left > 0 && isCurrent();) {
    await fill(element, isCurrent, async () => {
      const entry = await readEntry(row.id);
      left = entry.versionsLeft;
      onRead();
      return spans(entry, row.kind === 'Folder', version, choose);
    });
    await new Promise(resume => setTimeout(resume, 700));
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
  return [
    h('dl', {}, h('dt', {}, 'To fetch'), h('dd', {}, `${bytes(cost.bytesToFetch)} from ${counted(cost.volumes, 'volume')}${price}`)),
    cost.losses.length > 0 ? [h('h3', { class: 'error' }, 'Lost'), h('ul', {}, cost.losses.map(loss => h('li', {}, visible(loss))))] : null,
    cost.firstVolumes.length > 0 ? h('details', {}, h('summary', {}, 'Volumes'), h('ul', {}, cost.firstVolumes.map(volume =>
      h('li', {}, `${visible(volume.name)}: ${bytes(volume.bytesToFetch)} of ${bytes(volume.bytes)}`)))) : null,
  ];
}

function spans(entry, isFolder, version, choose) {
  if (entry.spans.length === 0) {
    return []; // A folder above all that was backed up.
  }

  const left = entry.versionsLeft > 0 ? `, ${counted(entry.versionsLeft, 'version')} still to be read` : '';
  return [h('h3', {}, `In ${counted(entry.spans.reduce((sum, span) => sum + span.oldest - span.newest + 1, 0), 'version')}${left}`), h('ul', { class: 'spans' },
    entry.spans.map(span => h('li', {}, h('button', {
      class: 'plain', 'aria-current': span.newest <= version && version <= span.oldest ? 'true' : null, onclick: () => choose(span.newest),
    }, span.newest === span.oldest ? versionTime(span.newest) : `${versionTime(span.newest)} back to ${versionTime(span.oldest)}`),
    isFolder ? null : `content ${span.content + 1}, ${bytes(span.bytes)}`)))];
}

async function look(row, version, element, isCurrent) {
  const type = pictures[row.name.split('.').pop().toLowerCase()];
  await fill(element, isCurrent, async () => {
    if (type && row.bytes > largestPicture) {
      throw new Error(`The picture is larger than ${bytes(largestPicture)}; download it`);
    }

    if (row.bytes === 0) {
      return h('p', { class: 'quiet' }, 'The file is empty.');
    }

    const content = await readContent(version, row.id, type ? undefined : longestText);
    return type ? showPicture(content, type, row.name) : showText(content, row.bytes);
  });
}

function showPicture(content, type, name) {
  if (picture) {
    URL.revokeObjectURL(picture);
  }

  picture = URL.createObjectURL(new Blob([content], { type }));
  const image = h('img', { class: 'preview', src: picture, alt: `Preview of ${visible(name)}` });
  image.addEventListener('error', () => image.replaceWith(h('p', { class: 'error' }, 'The content is not a picture that this browser can show.')));
  return image;
}

function showText(content, length) {
  const start = new Uint8Array(content);
  if (start.includes(0)) {
    return h('p', { class: 'quiet' }, 'The content is not text.');
  }

  return [
    h('pre', { class: 'preview', tabindex: '0', role: 'region', 'aria-label': 'Preview' }, new TextDecoder().decode(start)),
    ...(length > start.length ? [h('p', { class: 'quiet' }, `The first ${bytes(start.length)} are shown.`)] : []),
  ];
}
