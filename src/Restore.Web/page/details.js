// One entry: what a version has about it, in which versions it is, and a look at its content.

import { bytes, counted, find, h, money, number, show, time, visible } from './dom.js';
import { address, get } from './server.js';

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

export async function showDetails(row, version, versions, choose) {
  const mine = ++turn;
  asking?.abort();
  asking = new AbortController();
  const panel = find('details');
  const values = { version, id: row.id };
  const isFolder = row.kind === 'Folder';
  const facts = h('div', {}, h('p', { class: 'quiet' }, 'Reading …'));
  const cost = h('div', {}, h('p', { class: 'quiet' }, 'Looking for its blocks …'));
  const history = h('div');
  const preview = h('div');
  show(panel,
    h('h2', { class: 'name-of' }, visible(row.name)),
    h('div', { class: 'actions' },
      row.kind === 'File' ? h('a', { href: address('file', values), download: row.name }, 'Download') : null,
      isFolder ? h('a', { href: address('zip', values) }, 'Download as zip') : null,
      row.kind === 'File' ? h('button', { onclick: () => look(row, values, preview, () => mine === turn) }, 'Preview') : null),
    preview, facts, cost, history);
  await Promise.all([
    fill(history, () => mine === turn, async () => spans(await get('api/entry', { id: row.id }), version, versions, choose)),
    fill(facts, () => mine === turn, async () => describe(await get('api/details', values, asking.signal)))
      .then(() => mine === turn && fill(cost, () => mine === turn, async () => costOf(await get('api/cost', values, asking.signal)))),
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
      show(element, h('p', { class: 'error' }, failure.message));
    }
  }
}

function describe(entry) {
  const facts = [
    ['Path', visible(entry.path)],
    ['Size', entry.bytes < 1024 ? bytes(entry.bytes) : `${bytes(entry.bytes)} (${number(entry.bytes)} bytes)`],
    ['Files', entry.files === undefined ? '' : number(entry.files)],
    ['Changed', time(entry.time)],
    ['Created', time(entry.created)],
    ['Permissions', entry.mode],
    ['Owner', [entry.owner, entry.group].filter(Boolean).map(visible).join(' : ')],
    ['Link to', entry.linkTarget && visible(entry.linkTarget)],
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

function spans(entry, version, versions, choose) {
  if (entry.spans.length === 0) {
    return []; // A folder above all that was backed up.
  }

  const left = entry.versionsLeft > 0 ? [h('p', { class: 'quiet' }, `${counted(entry.versionsLeft, 'version')} still to be read`)] : [];
  const timeOf = index => time(versions().find(one => one.index === index)?.time);
  return [h('h3', {}, `In ${counted(entry.spans.reduce((sum, span) => sum + span.oldest - span.newest + 1, 0), 'version')}`), h('ul', { class: 'spans' },
    entry.spans.map(span => h('li', {}, h('button', {
      class: 'plain', 'aria-current': span.newest <= version && version <= span.oldest ? 'true' : null, onclick: () => choose(span.newest),
    }, span.newest === span.oldest ? timeOf(span.newest) : `${timeOf(span.newest)} back to ${timeOf(span.oldest)}`),
    `content ${span.content + 1}, ${bytes(span.bytes)}`))), ...left];
}

async function look(row, values, element, isCurrent) {
  const type = pictures[row.name.split('.').pop().toLowerCase()];
  await fill(element, isCurrent, async () => {
    if (type && row.bytes > largestPicture) {
      throw new Error(`The picture is larger than ${bytes(largestPicture)}; download it`);
    }

    if (row.bytes === 0) {
      return h('p', { class: 'quiet' }, 'The file is empty.');
    }

    const response = await fetch(address('file', values), { headers: type ? {} : { Range: `bytes=0-${longestText - 1}` } });
    if (!response.ok) {
      throw new Error((await response.json()).error);
    }

    const content = await response.arrayBuffer();
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
    h('pre', { class: 'preview', tabindex: '0', 'aria-label': 'Preview' }, new TextDecoder().decode(start)),
    ...(length > start.length ? [h('p', { class: 'quiet' }, `The first ${bytes(start.length)} are shown.`)] : []),
  ];
}
