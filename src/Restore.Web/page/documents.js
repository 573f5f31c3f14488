// The text of Word, Excel, PowerPoint and OpenDocument files, each a zip with XML in it. Both are read here, and nothing in them is followed: no entity, no document
// type, no address, no macro. No file takes the page more memory or time than the limits below.

const mostEntries = 20_000;
const mostXml = 16 * 1024 * 1024; // Of all parts of a document.
const mostParts = 200; // Sheets or slides.
const mostColumns = 200;
const piece = 4096;

const kinds = {
  docx: wordText, docm: wordText, dotx: wordText, xlsx: sheetsText, xlsm: sheetsText, xltx: sheetsText, pptx: slidesText, pptm: slidesText, ppsx: slidesText,
  odt: openText, ott: openText, ods: openText, odp: openText,
};

export const isDocument = ending => Object.hasOwn(kinds, ending);

// At most so many characters, and whether there are more.
export async function textOfDocument(ending, content, most) {
  const text = new Text(most);
  const zip = zipOf(new Uint8Array(content));
  await kinds[ending](zip, text);
  return { text: text.value.trim(), isCut: text.isFull || zip.isLong() };
}

class Text {
  constructor(most) {
    Object.assign(this, { value: '', most });
  }

  get isFull() {
    return this.value.length >= this.most;
  }

  add(more) {
    this.value += more.slice(0, Math.max(0, this.most - this.value.length));
  }

  // The start of a line, after at most one empty one.
  line() {
    while (this.value.endsWith(' ') || this.value.endsWith('\t')) {
      this.value = this.value.slice(0, -1);
    }

    this.add(this.value.endsWith('\n\n') || this.value === '' ? '' : '\n');
  }
}

const damaged = () => new Error('The document cannot be read: it is damaged, protected by a password, or no document');

// Gives the XML of a part by its name; null if there is none.
function zipOf(all) {
  const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
  let end = all.length - 22;
  while (end >= 0 && end > all.length - 22 - 0x10000 && view.getUint32(end, true) !== 0x06054b50) {
    end--;
  }

  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) {
    throw damaged();
  }

  const entries = new Map();
  let at = view.getUint32(end + 16, true);
  for (let left = Math.min(mostEntries, view.getUint16(end + 10, true)); left > 0 && at + 46 <= all.length && view.getUint32(at, true) === 0x02014b50; left--) {
    const [name, extra, comment] = [28, 30, 32].map(offset => view.getUint16(at + offset, true));
    entries.set(new TextDecoder().decode(all.subarray(at + 46, at + 46 + name)), {
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1, method: view.getUint16(at + 10, true), length: view.getUint32(at + 20, true), offset: view.getUint32(at + 42, true),
    });
    at += 46 + name + extra + comment;
  }

  let left = mostXml;
  return {
    names: [...entries.keys()],
    isLong: () => left <= 0,
    read: async name => {
      const entry = left > 0 ? entries.get(name) : null;
      if (!entry) {
        return null;
      }

      if (entry.isEncrypted || ![0, 8].includes(entry.method) || entry.offset + 30 > all.length) {
        throw damaged();
      }

      const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
      const packed = all.subarray(start, start + entry.length);
      const xml = entry.method === 0 ? packed.subarray(0, left) : await inflated(packed, left);
      left -= xml.length;
      return decoded(xml);
    },
  };
}

const decoded = bytes => new TextDecoder(bytes[0] === 0xFF && bytes[1] === 0xFE ? 'utf-16le' : bytes[0] === 0xFE && bytes[1] === 0xFF ? 'utf-16be' : 'utf-8').decode(bytes);

// Asks for more only while there is room: a bomb ends where the limit is.
async function inflated(packed, most) {
  let at = 0;
  const source = new ReadableStream({
    pull(controller) {
      if (at < packed.length) {
        controller.enqueue(packed.slice(at, at += piece));
      } else {
        controller.close();
      }
    },
  }, { highWaterMark: 0 });
  const reader = source.pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const pieces = [];
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done && length < most; next = await reader.read()) {
      pieces.push(next.value);
      length += next.value.length;
    }
  } catch {
    throw damaged();
  } finally {
    reader.cancel().catch(() => {});
  }

  return new Uint8Array(await new Blob(pieces).arrayBuffer()).subarray(0, most);
}

const entities = { lt: '<', gt: '>', amp: '&', quot: '"', apos: '\'' };

const plain = text => text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi, (whole, decimal, hex, name) => {
  const code = name ? 0 : parseInt(decimal ?? hex, decimal ? 10 : 16);
  return name ? entities[name.toLowerCase()] : code > 0 && code <= 0x10FFFF ? String.fromCodePoint(code) : whole;
});

function endOfTag(xml, from) {
  let quote = 0;
  for (let at = from; at < xml.length; at++) {
    const code = xml.charCodeAt(at);
    if (quote !== 0) {
      quote = code === quote ? 0 : quote;
    } else if (code === 34 || code === 39) {
      quote = code;
    } else if (code === 62) {
      return at;
    }
  }

  return -1;
}

// Texts, and tags by their local names, in order. What is cut ends the walk.
function* tokensOf(xml) {
  for (let at = 0; at < xml.length;) {
    if (xml[at] !== '<') {
      const end = xml.indexOf('<', at);
      yield { text: plain(xml.slice(at, end < 0 ? undefined : end)) };
      at = end < 0 ? xml.length : end;
      continue;
    }

    const special = [['<!--', '-->'], ['<![CDATA[', ']]>'], ['<?', '?>']].find(([begin]) => xml.startsWith(begin, at));
    if (!special && xml.startsWith('<!', at)) {
      throw damaged(); // A document type: no program writes one.
    }

    const end = special ? xml.indexOf(special[1], at + special[0].length) : endOfTag(xml, at + 1);
    if (end < 0) {
      return;
    }

    if (!special) {
      const tag = xml.slice(at + 1, end);
      const isEnd = tag.startsWith('/');
      const name = /^\/?(?:[^\s/:]*:)?([^\s/]*)/.exec(tag)[1];
      yield { name, isStart: !isEnd, isEnd: isEnd || tag.endsWith('/'), tag };
    } else if (special[0] === '<![CDATA[') {
      yield { text: xml.slice(at + 9, end) };
    }

    at = end + (special ? special[1].length : 1);
  }
}

// The value of an attribute, by its local name.
const attribute = (tag, name) => {
  const found = new RegExp(`[\\s:]${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return found ? plain(found[1] ?? found[2]) : undefined;
};

// Paragraphs, and rows of tables on one line each. Text counts inside of those elements alone, and nothing counts inside of those that are left out.
function addFlow(xml, text, { texts, paragraphs, rows, cells, leftOut = [] }) {
  let [inText, inRow, outside] = [0, 0, 0];
  for (const { name, isStart, isEnd, tag, text: found } of tokensOf(xml)) {
    if (text.isFull) {
      return;
    }

    if (name === undefined) {
      if (inText > 0 && outside === 0) {
        text.add(found.replace(/[\r\n]+/g, ' '));
      }

      continue;
    }

    const step = (isStart ? 1 : 0) - (isEnd ? 1 : 0);
    outside = Math.max(0, outside + (leftOut.includes(name) ? step : 0));
    if (outside > 0) {
      continue;
    }

    inText = Math.max(0, inText + (texts.includes(name) ? step : 0));
    inRow = Math.max(0, inRow + (rows.includes(name) ? step : 0));
    if (isEnd && paragraphs.includes(name)) {
      inRow > 0 ? text.add(' ') : text.line();
    } else if (isEnd && cells.includes(name)) {
      text.value = text.value.endsWith(' ') ? text.value.slice(0, -1) : text.value;
      text.add('\t');
    } else if (isEnd && rows.includes(name)) {
      text.line();
    } else if (isStart && name === 'tab') {
      text.add('\t');
    } else if (isStart && ['br', 'cr', 'line-break'].includes(name)) {
      text.add('\n');
    } else if (isStart && name === 's') {
      text.add(' '.repeat(Math.min(100, Number(attribute(tag, 'c')) || 1)));
    }
  }
}

const required = xml => {
  if (xml === null) {
    throw damaged();
  }

  return xml;
};

async function wordText(zip, text) {
  addFlow(required(await zip.read('word/document.xml')), text, { texts: ['t'], paragraphs: ['p'], rows: ['tr'], cells: ['tc'], leftOut: ['Fallback', 'tabs'] });
}

async function openText(zip, text) {
  addFlow(required(await zip.read('content.xml')), text, {
    texts: ['p', 'h'], paragraphs: ['p', 'h'], rows: ['table-row'], cells: ['table-cell'], leftOut: ['tracked-changes', 'annotation', 'forms'],
  });
}

const numbered = (names, pattern) => names.map(name => pattern.exec(name)).filter(Boolean).sort((one, other) => one[1] - other[1]).slice(0, mostParts);

async function slidesText(zip, text) {
  const slides = numbered(zip.names, /^ppt\/slides\/slide(\d{1,6})\.xml$/);
  required(slides[0] ?? null);
  for (const [name, number] of slides) {
    if (!text.isFull) {
      text.line();
      text.add(`[Slide ${number}]\n`);
      addFlow(await zip.read(name), text, { texts: ['t'], paragraphs: ['p'], rows: ['tr'], cells: ['tc'] });
    }
  }
}

async function sheetsText(zip, text) {
  const shared = sharedOf(await zip.read('xl/sharedStrings.xml') ?? '');
  const places = new Map();
  for (const { name, isStart, tag } of tokensOf(await zip.read('xl/_rels/workbook.xml.rels') ?? '')) {
    if (isStart && name === 'Relationship') {
      places.set(attribute(tag, 'Id'), attribute(tag, 'Target') ?? '');
    }
  }

  let left = mostParts;
  for (const { name, isStart, tag } of tokensOf(required(await zip.read('xl/workbook.xml')))) {
    if (isStart && name === 'sheet' && left-- > 0 && !text.isFull) {
      const place = places.get(attribute(tag, 'r:id') ?? attribute(tag, 'id')) ?? '';
      text.line();
      text.add(`[${attribute(tag, 'name') ?? ''}]\n`);
      addSheet(await zip.read(place.startsWith('/') ? place.slice(1) : `xl/${place}`) ?? '', text, shared);
    }
  }
}

function sharedOf(xml) {
  const shared = [];
  let [value, inText, inSound] = ['', false, false];
  for (const { name, isStart, isEnd, text } of tokensOf(xml)) {
    if (name === undefined) {
      value += inText && !inSound ? text : '';
    } else if (name === 'si') {
      value = isStart ? '' : value;
      isEnd && shared.push(value);
    } else if (name === 't') {
      inText = isStart && !isEnd;
    } else if (name === 'rPh') {
      inSound = isStart && !isEnd; // How a word is spoken.
    }
  }

  return shared;
}

const columnOf = place => [.../^[A-Z]{1,3}/.exec(place ?? '')?.[0] ?? ''].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

function addSheet(xml, text, shared) {
  let [row, kind, place, value, inValue] = [[], null, 0, '', false];
  for (const { name, isStart, isEnd, tag, text: found } of tokensOf(xml)) {
    if (text.isFull) {
      return;
    }

    if (name === undefined) {
      value += inValue ? found : '';
    } else if (name === 'c') {
      if (isStart) {
        [kind, place, value] = [attribute(tag, 't'), columnOf(attribute(tag, 'r')) || row.length + 1, ''];
      }

      if (isEnd && place <= mostColumns) {
        row[place - 1] = kind === 's' ? shared[Number(value)] ?? '' : kind === 'b' ? (value === '1' ? 'TRUE' : 'FALSE') : value;
      }
    } else if (name === 'v' || name === 't') {
      inValue = isStart && !isEnd;
    } else if (name === 'row' && isEnd) {
      text.add(`${Array.from(row, cell => (cell ?? '').replace(/\s+/g, ' ')).join('\t')}\n`);
      row = [];
    }
  }
}
