// Small pictures in place of icons. Only rows in view get one, few at a time: what is fetched is drawn once, small, and given back. What cannot be drawn keeps its icon.

import { h } from './dom.js';
import { pictureType } from './preview.js';
import { readContent } from './server.js';

const largest = 8 * 1024 * 1024;
const mostPoints = 50_000_000; // Of a picture that is decoded: few bytes can become many points.
const kept = 300;
const atOnce = 2;
const side = 40;
const settle = 150; // A list that is moved through quickly asks for nothing.

const drawn = new Map();
const waiting = new Map();
const running = new Map();
let timer = null;

export const isPicture = row => row.kind === 'File' && pictureType(row.name) !== undefined;

const canBeDrawn = row => isPicture(row) && !row.loss && row.bytes > 0 && row.bytes <= largest;

export function thumbnailOf(row, version, icon) {
  const key = `${version}/${row.id}`;
  const place = h('span', { class: 'thumbnail', 'aria-hidden': 'true' }, drawn.get(key) ?? icon);
  if (canBeDrawn(row) && !drawn.has(key)) {
    if (running.has(key)) {
      running.get(key).place = place; // The row was drawn again.
    } else {
      waiting.delete(key);
      waiting.set(key, { row, version, place });
    }

    clearTimeout(timer);
    timer = setTimeout(begin, settle);
  }

  return place;
}

function begin() {
  [...running.values()].filter(({ place }) => !place.isConnected).forEach(({ stop }) => stop.abort());
  for (const [key, one] of waiting) {
    if (running.size >= atOnce) {
      return;
    }

    waiting.delete(key);
    if (one.place.isConnected) {
      fetchOne(key, one);
    }
  }
}

async function fetchOne(key, one) {
  one.stop = new AbortController();
  running.set(key, one);
  try {
    const content = await readContent(one.version, one.row.id, undefined, one.stop.signal);
    keep(key, await smallOf(new Blob([content], { type: pictureType(one.row.name) })));
  } catch {
    if (!one.stop.signal.aborted) {
      keep(key, null);
    }
  }

  running.delete(key);
  if (drawn.get(key) && one.place.isConnected) {
    one.place.replaceChildren(drawn.get(key));
  }

  begin();
}

function keep(key, picture) {
  drawn.set(key, picture);
  if (drawn.size > kept) {
    drawn.delete(drawn.keys().next().value);
  }
}

// The middle of a picture; null if it has too many points.
async function smallOf(blob) {
  const address = URL.createObjectURL(blob);
  try {
    const image = new Image();
    await new Promise((resolve, reject) => Object.assign(image, { onload: resolve, onerror: reject, src: address }));
    const { naturalWidth: width, naturalHeight: height } = image;
    if (width * height === 0 || width * height > mostPoints) {
      return null;
    }

    const canvas = h('canvas', { width: 2 * side, height: 2 * side });
    const least = Math.min(width, height);
    canvas.getContext('2d').drawImage(image, (width - least) / 2, (height - least) / 2, least, least, 0, 0, 2 * side, 2 * side);
    return canvas;
  } finally {
    URL.revokeObjectURL(address);
  }
}
