// A list of any length: only the rows in view are elements, and rows come from the server in pages. It has one place in the order of the tab key; the arrow keys
// move inside of it, and screen readers hear the active row and its number.

import { h } from './dom.js';

const rowHeight = matchMedia('(pointer: coarse)').matches ? 44 : 30; // As in style.css.
const pageRows = 200;
const keptPages = 40;
const highest = 20_000_000; // Browsers do not make higher elements.

export class VirtualList {
  // load(offset, count) gives rows; cells(row) gives the cells of one, stateOf(row) what they show of it beside its data; open(row), pick(row) and up() are what the
  // keys do; activate(row) hears of the active row.
  constructor({ label, header, load, cells, stateOf, open, pick, up, activate }) {
    Object.assign(this, { load, cells, stateOf, open, pick, up, activate });
    this.drawn = new Map();
    this.layer = h('div', { class: 'layer', role: 'rowgroup' });
    this.space = h('div', { 'aria-hidden': 'true' });
    this.scroll = h('div', {
      class: 'scroll', role: 'grid', tabindex: '0', 'aria-label': label, 'aria-multiselectable': 'true',
      onscroll: () => this.draw(), onkeydown: event => this.press(event),
    }, this.space, this.layer);
    this.elements = [header, this.scroll].filter(Boolean);
    this.clear();
    new ResizeObserver(() => this.draw()).observe(this.scroll);
  }

  clear() {
    this.pages = new Map();
    this.total = 0;
    this.active = 0;
    this.turn = (this.turn ?? 0) + 1;
  }

  // Shows another list, from its start or from a row.
  async reset(active = 0) {
    this.clear();
    this.active = active;
    const turn = this.turn;
    await this.fetchPage(0);
    if (turn === this.turn) {
      this.scroll.setAttribute('aria-rowcount', this.total);
      this.space.style.height = `${Math.min(this.total * rowHeight, highest)}px`;
      this.scroll.scrollTop = 0;
      this.draw();
      this.tell();
    }
  }

  // Moves to the first row that is sought, page by page; stays where it is if there is none.
  async seek(isSought) {
    const turn = this.turn;
    for (let page = 0; page * pageRows < this.total && page < keptPages; page++) {
      await this.fetchPage(page);
      const at = turn === this.turn ? this.pages.get(page)?.findIndex(isSought) ?? -1 : -1;
      if (at >= 0) {
        this.moveTo(page * pageRows + at);
        return;
      }
    }
  }

  async fetchPage(page) {
    if (this.pages.has(page)) {
      return;
    }

    const turn = this.turn;
    this.pages.set(page, null);
    const part = await this.load(page * pageRows, pageRows);
    if (turn === this.turn) {
      this.pages.set(page, part.rows);
      this.total = part.total;
      for (const old of [...this.pages.keys()].slice(0, Math.max(0, this.pages.size - keptPages))) {
        this.pages.delete(old);
      }
    }
  }

  rowAt(index) {
    return this.pages.get(Math.floor(index / pageRows))?.[index % pageRows] ?? null;
  }

  get rowsInView() {
    return Math.max(1, Math.floor(this.scroll.clientHeight / rowHeight));
  }

  // The first row in view. A list that is higher than an element can be is scrolled in proportion.
  get first() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroll;
    return this.total * rowHeight <= highest ? Math.floor(scrollTop / rowHeight)
      : Math.round(scrollTop / Math.max(1, scrollHeight - clientHeight) * Math.max(0, this.total - this.rowsInView));
  }

  // Elements that would look the same stay: a click ends on the element that it began on.
  draw() {
    const first = this.first;
    const last = Math.min(this.total, first + this.rowsInView + 2);
    const missing = new Set();
    const drawn = new Map();
    for (let index = first; index < last; index++) {
      const row = this.rowAt(index);
      if (row === null) {
        missing.add(Math.floor(index / pageRows));
      }

      const state = row ? JSON.stringify(row) + this.stateOf(row) : '';
      const before = this.drawn.get(index);
      const element = before?.state === state ? before.element : this.element(row, index);
      element.setAttribute('aria-selected', index === this.active ? 'true' : 'false');
      drawn.set(index, { state, element });
    }

    this.drawn = drawn;

    const top = this.total * rowHeight <= highest ? first * rowHeight : this.scroll.scrollTop;
    this.layer.style.transform = `translateY(${top}px)`;
    const rows = [...drawn.values()].map(({ element }) => element);
    if (rows.length !== this.layer.children.length || rows.some((element, i) => element !== this.layer.children[i])) {
      this.layer.replaceChildren(...rows);
    }

    const isShown = this.active >= first && this.active < last;
    this.scroll.toggleAttribute('aria-activedescendant', false);
    if (isShown) {
      this.scroll.setAttribute('aria-activedescendant', `row-${this.active}`);
    }

    for (const page of missing) {
      if (!this.pages.has(page)) {
        const turn = this.turn;
        this.fetchPage(page).then(() => turn === this.turn && this.draw(), () => this.pages.delete(page));
      }
    }
  }

  element(row, index) {
    return h('div', {
      class: 'row', role: 'row', id: `row-${index}`, 'aria-rowindex': index + 1,
      onclick: event => { this.moveTo(index); this.scroll.focus(); if (event.pointerType === 'touch' && row) { this.open?.(row); } },
      ondblclick: () => row && this.open?.(row),
    }, row ? this.cells(row) : h('div', { role: 'gridcell' }, '…'));
  }

  moveTo(index) {
    if (this.total === 0) {
      return;
    }

    this.active = Math.max(0, Math.min(index, this.total - 1));
    const first = this.first;
    if (this.total * rowHeight > highest) {
      if (this.active < first || this.active >= first + this.rowsInView) {
        this.scroll.scrollTop = this.active / Math.max(1, this.total - this.rowsInView) * (this.scroll.scrollHeight - this.scroll.clientHeight);
      }
    } else if (this.active * rowHeight < this.scroll.scrollTop) {
      this.scroll.scrollTop = this.active * rowHeight;
    } else if ((this.active + 1) * rowHeight > this.scroll.scrollTop + this.scroll.clientHeight) {
      this.scroll.scrollTop = (this.active + 1) * rowHeight - this.scroll.clientHeight;
    }

    this.draw();
    this.tell();
  }

  tell() {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      const row = this.rowAt(this.active);
      if (row) {
        this.activate?.(row);
      }
    }, 150);
  }

  press(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: this.rowsInView, PageUp: -this.rowsInView, Home: -Infinity, End: Infinity };
    const row = this.rowAt(this.active);
    if (event.key in steps) {
      this.moveTo(this.active + steps[event.key]);
    } else if (event.key === 'Enter' && row) {
      this.open?.(row);
    } else if (event.key === ' ' && row && this.pick) {
      this.pick(row);
      this.draw();
    } else if (event.key === 'Backspace' && this.up) {
      this.up();
    } else {
      return;
    }

    event.preventDefault();
  }
}
