// Folders of one version, and what a search found in all of them.

import { bytes, counted, find, h, number, show, status, time, visible } from './dom.js';
import { get } from './server.js';
import { VirtualList } from './list.js';

const columns = [['name', 'Name'], ['size', 'Size'], ['time', 'Changed']];

export class Browser {
  constructor({ open, activate, pick }) {
    this.pick = pick;
    this.open = open;
    this.activate = activate;
    this.sort = 'name';
    this.falls = false;
    this.header = h('div', { class: 'head' });
    this.list = new VirtualList({
      label: 'Entries', header: this.header, load: (offset, count) => this.load(offset, count), cells: row => this.cells(row),
      stateOf: row => `${this.pick.isPossible()} ${this.pick.isPicked(row, this.versionOf(row))}`,
      open: row => this.enter(row), pick: row => this.pick.isPossible() && this.pick.toggle(row, this.versionOf(row)), up: () => this.up(), activate: row => this.activate(row, this.versionOf(row)),
    });
    this.path = h('nav', { class: 'path', 'aria-label': 'Folder' });
    this.empty = h('div', { class: 'empty', hidden: true });
    show(find('files'), this.path, this.list.elements, this.empty);
  }

  versionOf(row) {
    return row.version ?? this.version;
  }

  // Shows a folder, with an entry of it in view if one is given.
  async showFolder(version, id, entry) {
    Object.assign(this, { version, id, text: null });
    await this.refresh();
    if (entry !== undefined) {
      await this.list.seek(row => row.id === entry);
    }
  }

  async showSearch(text) {
    this.text = text;
    await this.refresh();
  }

  async refresh() {
    this.drawHeader();
    this.searching?.abort();
    status('Reading …');
    try {
      await this.list.reset();
      this.showEmpty(this.list.total > 0 ? null : this.text !== null ? 'No version that was read has a file or folder of this name.' : 'This folder is empty.');
    } catch (failure) {
      if (failure.name !== 'AbortError') {
        status('');
        this.list.draw();
        this.showEmpty(h('p', { class: 'error', role: 'alert' }, visible(failure.message)), h('button', { onclick: () => this.refresh() }, 'Try again'));
      }
    }
  }

  showEmpty(...content) {
    this.empty.hidden = content[0] === null;
    show(this.empty, content);
  }

  async load(offset, count) {
    if (this.text !== null) {
      return offset === 0 ? this.search() : { rows: [], total: this.list.total };
    }

    const id = this.id < 0 ? undefined : this.id;
    const folder = await get('api/folder', { version: this.version, id, sort: this.sort, order: this.falls ? 'desc' : 'asc', offset, count });
    if (offset === 0) {
      this.showPath(folder);
      status(`${counted(folder.total, 'entry', 'entries')} in ${folder.path === '' ? 'the backup' : visible(folder.path)}`);
    }

    return { rows: folder.entries, total: folder.total };
  }

  async search() {
    this.searching = new AbortController();
    const found = await get('api/search', { text: this.text, count: 1000 }, this.searching.signal);
    show(this.path, h('span', {}, `Found in all versions: ${visible(this.text)}`));
    const more = found.total > found.entries.length ? `, the first ${number(found.entries.length)} are shown` : '';
    const left = found.versionsLeft > 0 ? `; ${counted(found.versionsLeft, 'version')} still to be read` : '';
    status(`${counted(found.total, 'path')} in ${counted(found.versionsRead, 'version')}${more}${left}`);
    if (found.versionsLeft > 0) {
      const text = this.text;
      setTimeout(() => this.text === text && this.refresh(), 1000);
    }

    return { rows: found.entries, total: found.entries.length };
  }

  showPath(folder) {
    const parts = [{ id: -1, name: 'Backup' }, ...folder.above];
    show(this.path, parts.map((part, i) => [
      i > 0 ? h('span', { 'aria-hidden': 'true' }, '/') : null,
      h('button', { onclick: () => this.open(this.version, part.id), 'aria-current': i === parts.length - 1 ? 'location' : null }, visible(part.name)),
    ]));
    this.above = folder.above;
    this.folderPath = folder.path;
  }

  drawHeader() {
    show(this.header, h('span'), h('span'), columns.map(([name, label]) => h('button', {
      disabled: this.text !== null,
      'aria-pressed': this.sort === name ? 'true' : 'false',
      onclick: () => {
        [this.sort, this.falls] = [name, this.sort === name ? !this.falls : name !== 'name'];
        this.refresh();
      },
    }, label, this.sort === name && this.text === null ? (this.falls ? ' ↓' : ' ↑') : '')));
  }

  cells(row) {
    const isFolder = row.kind === 'Folder';
    const note = row.versions ? `in ${counted(row.versions, 'version')}, ${counted(row.contents, 'content')} · ${visible(row.path)}`
      : isFolder && row.files !== undefined ? counted(row.files, 'file') : '';
    const isPicked = this.pick.isPicked(row, this.versionOf(row));
    return [
      this.pick.isPossible() ? h('span', { role: 'gridcell', class: 'box', 'aria-label': isPicked ? 'picked' : 'not picked', onclick: event => { event.stopPropagation(); this.pick.toggle(row, this.versionOf(row)); } },
        h('span', { class: isPicked ? 'tick picked' : 'tick', 'aria-hidden': 'true' })) : h('span', { role: 'gridcell' }),
      h('span', { role: 'gridcell', class: 'kind', 'aria-label': isFolder ? 'folder' : row.kind === 'Symlink' ? 'link' : 'file' }, h('span', { class: `icon ${row.kind.toLowerCase()}`, 'aria-hidden': 'true' })),
      h('span', { role: 'gridcell', class: 'name' }, visible(row.name), note ? h('small', {}, note) : null),
      h('span', { role: 'gridcell', class: 'size' }, bytes(row.bytes)),
      h('span', { role: 'gridcell', class: 'time' }, time(row.time)),
    ];
  }

  enter(row) {
    if (row.kind === 'Folder') {
      this.open(this.versionOf(row), row.id);
    } else if (row.folder !== undefined) {
      this.open(this.versionOf(row), row.folder);
    }
  }

  up() {
    if (this.text === null && this.id >= 0) {
      this.open(this.version, this.above.at(-2)?.id ?? -1);
    }
  }
}
