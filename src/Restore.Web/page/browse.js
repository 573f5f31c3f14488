// Folders of one version, and what a search found in all of them.

import { bytes, counted, find, h, isSmall, number, show, status, time, visible } from './dom.js';
import { fileLink, readEntry, readFolder, search } from './server.js';
import { VirtualList } from './list.js';
import { lossOf } from './losses.js';
import { isShown } from './preview.js';
import { isPicture, thumbnailOf } from './thumbnails.js';
import { versionTime } from './versions.js';

const columns = [['name', 'Name'], ['size', 'Size'], ['time', 'Changed']];

const tick = (isPicked, attributes) => h('span', { class: isPicked ? 'tick picked' : 'tick', ...attributes });

export class Browser {
  // open(version, folder, entry) shows a folder, openFound(row) the details of what was found, where they need the screen.
  constructor({ open, openFound, activate, pick }) {
    this.pick = pick;
    this.open = open;
    this.openFound = openFound;
    this.activate = activate;
    this.sort = 'name';
    this.falls = false;
    this.text = null;

    // Whether the user wants small pictures, and whether the list has them.
    this.wantsPictures = false;
    this.hasPictures = false;
    this.head = h('div', { class: 'head', role: 'row', 'aria-rowindex': 1 });
    this.list = new VirtualList({
      label: 'Entries', head: this.head, load: (offset, count) => this.load(offset, count), cells: row => this.cells(row),
      stateOf: row => `${this.pick.isPossible()} ${this.isPicked(row)} ${this.hasPictures}`, isPicked: row => this.isPicked(row),
      open: row => this.enter(row), pick: row => this.pick.isPossible() && this.toggle(row), pickRange: rows => this.pickRange(rows), pickAll: () => this.pickEverything(),
      up: () => this.up(), activate: row => this.look(row),
    });
    this.path = h('nav', { class: 'path', 'aria-label': 'Folder' });
    this.empty = h('div', { class: 'empty', hidden: true });
    show(find('files'), this.path, this.list.scroll, this.empty);
  }

  versionOf(row) {
    return row.version ?? this.version;
  }

  isPicked(row) {
    return this.pick.isPicked(row.id, this.versionOf(row));
  }

  entryOf(row) {
    const path = row.path ?? `${this.folderPath}${/[/\\]$/.test(this.folderPath) || this.folderPath === '' ? '' : '/'}${row.name}`;
    return { id: row.id, path, version: this.versionOf(row) };
  }

  toggle(row) {
    this.pick.toggle(this.entryOf(row));
  }

  pickRange(rows) {
    if (this.pick.isPossible()) {
      this.pick.add(rows.map(row => this.entryOf(row)));
    }
  }

  // What the list shows: the folder, or all that was found.
  pickEverything() {
    if (this.text !== null) {
      this.pickRange(this.found ?? []);
    } else if (this.id >= 0 && this.pick.isPossible()) {
      this.pick.toggle({ id: this.id, path: this.folderPath, version: this.version });
    }
  }

  look(row, isApart = false) {
    this.apart = isApart ? row : null;
    this.activate(row, this.versionOf(row));
  }

  // The row that is looked at; null if there is none, or if it is not in what is shown.
  get row() {
    return this.apart ?? this.list.rowAt(this.list.active);
  }

  // Shows a folder, with an entry of it in view if one is given.
  async showFolder(version, id, entry, isAgain = true) {
    const isShown = this.text === null && this.version === version && this.id === id && !isAgain;
    Object.assign(this, { version, id, text: null });
    if (isShown) {
      this.list.moveTo(this.list.active);
    } else {
      await this.refresh();
    }

    if (this.text === null && this.version === version && this.id === id) {
      await this.seek(entry);
    }
  }

  // What was found, as it is in that version if it has it.
  async showSearch(version, text, entry) {
    const isSame = this.text === text && this.found;
    Object.assign(this, { version, text });
    if (isSame) {
      await this.renew();
    } else {
      await this.refresh();
    }

    if (this.text === text && this.version === version) {
      await this.seek(entry);
    }
  }

  // What is not in the list stays chosen: its details say where it is. The list of a large folder has only its first rows, so the version may have it.
  async seek(entry) {
    this.apart = null;
    const { turn } = this.list;
    if (entry === undefined || await this.list.seek(row => row.id === entry) || turn !== this.list.turn) {
      return;
    }

    this.list.leave();
    const { version } = this;
    const found = await readEntry(entry).catch(() => null);
    if (found !== null && turn === this.list.turn) {
      const { path, spans } = found;
      const span = spans.find(one => one.newest <= version && version <= one.oldest);
      const state = span ? { kind: span.kind, bytes: span.bytes, time: span.time } : { kind: 'File', isAbsent: true };
      this.look({ id: entry, path, name: path.split(/[/\\]/).filter(Boolean).at(-1) ?? path, ...state }, true);
    }
  }

  async refresh() {
    this.drawHead();
    this.searching?.abort();
    this.found = null;
    this.apart = null;
    this.list.isTall = this.text !== null;
    this.hasPictures = false;
    status('Reading …');
    this.showEmpty(null);
    const isShown = this.list.reset();
    const { turn } = this.list;
    try {
      if (await isShown) {
        this.showEmpty(this.list.total > 0 ? null : this.text !== null ? 'No version that was read has a file or folder of this name.' : 'This folder is empty.');
      }
    } catch (failure) {
      if (failure.name !== 'AbortError' && turn === this.list.turn) {
        status('');
        this.list.draw();
        this.showEmpty(h('p', { class: 'error', role: 'alert' }, visible(failure.message)), h('button', { onclick: () => this.refresh() }, 'Try again'));
      }
    }
  }

  // The same search again: more lists are read, or another version is shown. Choice and place stay.
  async renew() {
    this.searching?.abort();
    this.found = null;
    try {
      await this.list.renew();
      this.showEmpty(this.list.total > 0 ? null : 'No version that was read has a file or folder of this name.');
    } catch (failure) {
      if (failure.name !== 'AbortError') {
        status(failure.message, true);
      }
    }
  }

  showEmpty(...content) {
    this.empty.hidden = content[0] === null;
    show(this.empty, content);
  }

  async load(offset, count) {
    if (this.text !== null) {
      const found = offset === 0 ? await this.search() : this.found;
      return { rows: found.slice(offset, offset + count), total: found.length };
    }

    const { turn } = this.list;
    const folder = await readFolder(this.version, this.id < 0 ? undefined : this.id, { sort: this.sort, order: this.falls ? 'desc' : 'asc', offset, count });
    if (offset === 0 && turn === this.list.turn) {
      this.showPath(folder);
      this.showPictures(folder.entries);
      status(`${counted(folder.total, 'entry', 'entries')} in ${folder.path === '' ? 'the backup' : visible(folder.path)}`);
    }

    return { rows: folder.entries, total: folder.total };
  }

  async search() {
    const { text } = this;
    this.searching = new AbortController();
    const found = await search(text, 1000, this.version, this.searching.signal);
    if (text === this.text) {
      this.found = found.entries;
      show(this.path, h('span', {}, `Found in all versions: ${visible(text)}`));
      document.title = `${visible(text)} - Restore`;
      const more = found.total > found.entries.length ? `, the first ${number(found.entries.length)} are shown` : '';
      const left = found.versionsLeft > 0 ? `; ${counted(found.versionsLeft, 'version')} still to be read` : '';
      status(`${counted(found.total, 'path')} in ${counted(found.versionsRead, 'version')}${more}${left}`);
      clearTimeout(this.again);
      if (found.versionsLeft > 0) {
        this.again = setTimeout(() => this.text === text && this.renew(), 1000);
      }
    }

    return found.entries;
  }

  showPath(folder) {
    const parts = [{ id: -1, name: 'Backup' }, ...folder.above];
    show(this.path, h('small', { class: 'of', title: 'The version that is shown' }, versionTime(this.version)), parts.map((part, i) => [
      i > 0 ? h('span', { 'aria-hidden': 'true' }, '/') : null,
      h('button', { onclick: () => this.open(this.version, part.id), 'aria-current': i === parts.length - 1 ? 'location' : null }, visible(part.name)),
    ]));
    this.above = folder.above;
    this.folderPath = folder.path;
    this.drawHead();
    document.title = `${visible(parts.at(-1).name)} - Restore`;
  }

  // A folder of photos: at least every second row is one.
  showPictures(rows) {
    if (2 * rows.filter(isPicture).length < Math.max(1, rows.length)) {
      return;
    }

    this.path.append(h('button', {
      id: 'thumbnails', 'aria-pressed': this.wantsPictures ? 'true' : 'false', title: 'Fetches the pictures in view, up to 8 MiB each', onclick: () => this.changePictures(),
    }, 'Small pictures'));
    if (this.wantsPictures) {
      this.hasPictures = true;
      this.list.havePictures();
    }
  }

  async changePictures() {
    this.wantsPictures = !this.wantsPictures;
    const entry = this.row?.id;
    await this.refresh();
    await this.seek(entry);
    find('thumbnails')?.focus();
  }

  drawHead() {
    const isFound = this.text !== null;
    const hadFocus = this.head.contains(document.activeElement) ? document.activeElement.textContent : null;
    show(this.head, this.pickAll(isFound), h('span', { role: 'columnheader' }, h('span', { class: 'heard' }, 'Kind')),
      columns.map(([name, label]) => {
        const isSorted = this.sort === name && !isFound;
        return h('span', { role: 'columnheader', class: name, 'aria-sort': isSorted ? (this.falls ? 'descending' : 'ascending') : null },
          isFound ? label : h('button', {
            onclick: () => {
              [this.sort, this.falls] = [name, this.sort === name ? !this.falls : name !== 'name'];
              this.refresh();
            },
          }, label, isSorted ? h('span', { 'aria-hidden': 'true' }, this.falls ? ' ↓' : ' ↑') : ''));
      }),
      h('span', { role: 'columnheader', class: 'more' }, h('span', { class: 'heard' }, 'Details')));
    if (hadFocus) {
      [...this.head.querySelectorAll('button')].find(button => button.textContent.startsWith(hadFocus.split(' ')[0]))?.focus();
    }
  }

  // The folder that is shown, as a whole.
  pickAll(isFound) {
    if (isFound || !(this.id >= 0) || !this.pick.isPossible()) {
      return h('span', { role: 'columnheader' }, h('span', { class: 'heard' }, 'Picked'));
    }

    const all = { id: this.id, path: this.folderPath, version: this.version };
    const isPicked = this.isPicked(all);
    return h('span', { role: 'columnheader', class: 'box' }, h('button', {
      id: 'pick-all', role: 'checkbox', 'aria-checked': isPicked ? 'true' : 'false', title: 'Pick everything in this folder', onclick: () => this.pickEverything(),
    }, tick(isPicked, { 'aria-hidden': 'true' }), h('span', { class: 'heard' }, 'Pick everything in this folder')));
  }

  // What was found out about a file that is shown: its row says so at once.
  mark(id, version, loss) {
    for (const rows of this.list.pages.values()) {
      rows.filter(row => row.id === id && this.versionOf(row) === version).forEach(row => { row.loss = loss; });
    }

    this.list.draw();
  }

  draw() {
    this.drawHead();
    this.list.draw();
  }

  cells(row) {
    const isFolder = row.kind === 'Folder';
    const note = row.versions ? `in ${counted(row.versions, 'version')}, ${row.contents > 1 ? `${number(row.contents)} different states` : 'always the same'}`
      : isFolder && row.files !== undefined ? counted(row.files, 'file') : '';
    const isPicked = this.isPicked(row);
    const loss = lossOf(row.loss);
    const icon = h('span', { class: `icon ${row.kind.toLowerCase()}`, 'aria-hidden': 'true' });
    const stop = act => event => { event.stopPropagation(); act(); };
    return [
      h('span', { role: 'gridcell', class: 'box', onclick: this.pick.isPossible() ? stop(() => this.toggle(row)) : () => {} }, this.pick.isPossible()
        ? tick(isPicked, { role: 'checkbox', 'aria-checked': isPicked ? 'true' : 'false', 'aria-label': `Pick ${visible(row.name)}` }) : ''),
      h('span', { role: 'gridcell', class: 'kind' }, this.hasPictures ? thumbnailOf(row, this.versionOf(row), icon) : icon,
        h('span', { class: 'heard' }, isFolder ? 'folder' : row.kind === 'Symlink' ? 'link' : 'file')),
      h('span', { role: 'gridcell', class: 'name' }, isFolder ? h('span', { class: 'enter', onclick: stop(() => this.enter(row)) }, visible(row.name)) : visible(row.name), loss ? h('small', { class: 'loss' }, loss) : null, note ? h('small', {}, note) : null,
        row.path ? h('small', { class: 'place', title: visible(row.path) }, h('bdi', {}, visible(row.path.slice(0, row.path.length - row.name.length - (row.path.endsWith(row.name) ? 0 : 1))))) : null),
      h('span', { role: 'gridcell', class: 'size' }, isFolder && row.path ? '' : bytes(row.bytes)),
      h('span', { role: 'gridcell', class: 'time' }, time(row.time)),
      h('span', { role: 'gridcell', class: 'more', onclick: event => event.stopPropagation() },
        row.kind === 'File' && !row.loss ? h('a', { class: 'get', tabindex: '-1', 'aria-label': `Download ${visible(row.name)}`, title: 'Download', ...fileLink(this.versionOf(row), row) }, '↓') : null,
        h('button', { tabindex: '-1', 'aria-label': `Details of ${visible(row.name)}`, onclick: stop(() => this.showEntry(row)) }, h('span', { 'aria-hidden': 'true' }, 'i'))),
    ];
  }

  // On a small screen the details take its place; the address has the entry then, so that Back leads here again.
  showEntry(row) {
    if (row.folder !== undefined && isSmall()) {
      this.openFound(row);
    } else {
      this.open(this.versionOf(row), row.folder ?? this.id, row.id);
    }
  }

  enter(row) {
    if (row.kind === 'Folder') {
      this.open(this.versionOf(row), row.id);
    } else if (row.folder !== undefined || isSmall()) {
      this.showEntry(row);
    } else {
      find('details').querySelector('a, button:not(.close)')?.focus();
    }
  }

  // Moves to the next picture of the list, or to the one before. Resolves to whether there is one.
  async movePicture(by) {
    const at = await this.list.indexBeside(this.list.active, by, isShown);
    if (at >= 0) {
      this.list.moveTo(at);
    }

    return at >= 0;
  }

  up() {
    if (this.text === null && this.id >= 0) {
      this.open(this.version, this.above.at(-2)?.id ?? -1);
    }
  }
}
