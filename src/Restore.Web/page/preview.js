// A look at a content: text, the text of documents, pictures, sound and video. What a backup has stays inert: it becomes text, or a blob that the browser decodes and
// never runs, and the policy of the page lets nothing be fetched from elsewhere.

import { isDocument, textOfDocument } from './documents.js';
import { bytes, h, visible } from './dom.js';
import { showLarge, update } from './large.js';
import { readContent } from './server.js';

const longestText = 64 * 1024;
const largestPicture = 20 * 1024 * 1024;
const largestSound = 200 * 1024 * 1024;
const pictures = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', bmp: 'image/bmp', avif: 'image/avif' };
const sounds = { mp3: 'audio/mpeg', m4a: 'audio/mp4', aac: 'audio/aac', ogg: 'audio/ogg', oga: 'audio/ogg', opus: 'audio/ogg', wav: 'audio/wav', flac: 'audio/flac' };
const videos = { mp4: 'video/mp4', m4v: 'video/mp4', mov: 'video/mp4', webm: 'video/webm', ogv: 'video/ogg' };

const endingOf = name => name.split('.').pop().toLowerCase();

// Whether it can be previewed as a picture.
export const isShown = row => row.kind === 'File' && !row.loss && row.bytes > 0 && row.bytes <= largestPicture && pictureType(row.name) !== undefined;

// The type of a picture by its name; undefined if it is none.
export const pictureType = name => Object.hasOwn(pictures, endingOf(name)) ? pictures[endingOf(name)] : undefined;

let address = null;

// Gives the bytes of the last preview back.
export function endPreview() {
  if (address) {
    URL.revokeObjectURL(address);
    address = null;
  }
}

// The element that shows the first bytes of a file, or all of it.
export async function previewOf(row, version, signal) {
  const ending = endingOf(row.name);
  if (ending === 'pdf') {
    return h('p', { class: 'quiet' }, 'A PDF is not shown here: the viewer of the browser would run what is in it. Download it.');
  }

  const known = [[pictures, largestPicture, 'picture', pictureOf], [sounds, largestSound, 'sound', playerOf('audio')], [videos, largestSound, 'video', playerOf('video')]];
  const isWritten = isDocument(ending);
  const [types, largest, what, make] = isWritten ? [null, largestPicture, 'document'] : known.find(([types]) => Object.hasOwn(types, ending)) ?? [];
  if (what && row.bytes > largest) {
    throw new Error(`The ${what} is larger than ${bytes(largest)}; download it`);
  }

  if (row.bytes === 0) {
    return h('p', { class: 'quiet' }, 'The file is empty.');
  }

  const content = await readContent(version, row.id, what ? undefined : longestText, signal);
  signal?.throwIfAborted();
  return isWritten ? documentOf(ending, content) : types ? make(blobOf(content, types[ending]), row.name) : textOf(new Uint8Array(content), row.bytes);
}

// One at a time is kept: the browser holds the bytes of an address until it is given back.
function blobOf(content, type) {
  endPreview();
  return address = URL.createObjectURL(new Blob([content], { type }));
}

const cannotShow = what => h('p', { class: 'error' }, `The content is not a ${what} that this browser can show.`);

function pictureOf(source, name) {
  const image = h('img', { class: 'preview', src: source, alt: `Preview of ${visible(name)}` });
  const button = h('button', { class: 'plain enlarge', title: 'Show it large', onclick: () => showLarge(source, name) }, image);
  image.addEventListener('load', () => update(source, name));
  image.addEventListener('error', () => {
    update(null, name);
    button.replaceWith(cannotShow('picture'));
  });
  return button;
}

const playerOf = kind => (source, name) => {
  const player = h(kind, { class: 'preview', src: source, controls: true, preload: 'metadata', 'aria-label': `Preview of ${visible(name)}` });
  player.addEventListener('error', () => player.replaceWith(cannotShow(kind === 'audio' ? 'sound' : 'video')));
  return player;
};

// What a text is written in; null if it is none. UTF-16 without a mark has a zero in every other byte of plain letters.
export function encodingOf(start) {
  const marks = [['utf-16le', [0xFF, 0xFE]], ['utf-16be', [0xFE, 0xFF]]];
  const marked = marks.find(([, mark]) => mark.every((byte, i) => start[i] === byte));
  if (marked) {
    return marked[0];
  }

  if (start.includes(0)) {
    const zeros = [0, 1].map(half => start.filter((byte, i) => i % 2 === half && byte === 0).length);
    const half = start.length / 2;
    return zeros[1] > 0.4 * half && zeros[0] < 0.05 * half ? 'utf-16le' : zeros[0] > 0.4 * half && zeros[1] < 0.05 * half ? 'utf-16be' : null;
  }

  try {
    // The last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return 'utf-8';
  } catch {
    // Control characters that no text has mean that the bytes are none.
    const odd = start.filter(byte => byte < 9 || byte > 13 && byte < 32 && byte !== 27).length;
    return odd > start.length / 100 ? null : 'windows-1252';
  }
}

const page = text => h('pre', { class: 'preview', tabindex: '0', role: 'region', 'aria-label': 'Preview' }, text);

async function documentOf(ending, content) {
  const { text, isCut } = await textOfDocument(ending, content, longestText);
  return text === '' ? h('p', { class: 'quiet' }, 'The document has no text.') : [
    page(text), h('p', { class: 'quiet' }, `${isCut ? 'The start of its text' : 'Its text'} alone is shown: no pictures, no layout, and numbers as they are stored.`),
  ];
}

function textOf(start, length) {
  const encoding = encodingOf(start);
  return encoding === null ? h('p', { class: 'quiet' }, 'The content is not text.') : [
    page(new TextDecoder(encoding).decode(start)),
    ...(length > start.length ? [h('p', { class: 'quiet' }, `The first ${bytes(start.length)} are shown.`)] : []),
  ];
}
