// A list of any length: only the rows in view are elements, and rows come from the back end in pages. It has one place in the order of the tab key; the arrow keys
// move inside of it, and screen readers hear the active row, its number and whether it is picked.

import { h, isSmall } from './dom.js';

const pageRows = 200;
const keptPages = 40;
const highest = 20_000_000; // Browsers do not make higher elements.
const isCoarse = matchMedia('(pointer: coarse)').matches;

export class VirtualList {
  // head is the row with the names of the columns; load(offset, count) gives rows; cells(row) gives the cells of one, stateOf(row) what they show of it beside its
  // data, isPicked(row) whether it is picked; open(row), pick(row) and up() are what the keys do; activate(row) hears of the active row.
  constructor({ label, head, load, cells, stateOf, isPicked, open, pick, up, activate }) {
    Object.assign(this, { head, load, cells, stateOf, isPicked, open, pick, up, activate });
    this.drawn = new Map();
    this.layer = h('div', { class: 'layer', role: 'rowgroup' });
    this.space = h('div', { class: 'space', role: 'presentation' }, this.layer);
    this.scroll = h('div', {
      class: 'scroll', role: 'grid', tabindex: '0', 'aria-label': label, 'aria-multiselectable': 'true',
      onscroll: () => this.draw(), onkeydown: event => this.press(event),
    }, h('div', { role: 'rowgroup', class: 'heads' }, head), this.space);
    this.isTall = false;
    this.clear();
    new ResizeObserver(() => this.draw()).observe(this.scroll);
  }

  // Rows of two lines.
  set isTall(value) {
    this.rowHeight = isCoarse ? (value ? 56 : 44) : value ? 48 : isSmall() ? 34 : 30;
    this.scroll.style.setProperty('--row', `${this.rowHeight}px`);
    this.scroll.classList.toggle('tall', value);
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
      this.scroll.setAttribute('aria-rowcount', this.total + 1);
      this.space.style.height = `${Math.min(this.total * this.rowHeight, highest)}px`;
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

  // The room for rows: the names of the columns stay above them.
  get viewHeight() {
    return Math.max(0, this.scroll.clientHeight - this.head.offsetHeight);
  }

  get rowsInView() {
    return Math.max(1, Math.floor(this.viewHeight / this.rowHeight));
  }

  // The first row in view. A list that is higher than an element can be is scrolled in proportion.
  get first() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroll;
    return this.total * this.rowHeight <= highest ? Math.floor(scrollTop / this.rowHeight)
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
      element.classList.toggle('active', index === this.active);
      drawn.set(index, { state, element });
    }

    this.drawn = drawn;
    const top = this.total * this.rowHeight <= highest ? first * this.rowHeight : this.scroll.scrollTop;
    this.layer.style.transform = `translateY(${top}px)`;
    const rows = [...drawn.values()].map(({ element }) => element);
    if (rows.length !== this.layer.children.length || rows.some((element, i) => element !== this.layer.children[i])) {
      this.layer.replaceChildren(...rows);
    }

    if (this.active >= first && this.active < last) {
      this.scroll.setAttribute('aria-activedescendant', `row-${this.active}`);
    } else {
      this.scroll.removeAttribute('aria-activedescendant');
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
      class: 'row', role: 'row', id: `row-${index}`, 'aria-rowindex': index + 2, 'aria-selected': row && this.isPicked(row) ? 'true' : 'false',
      onclick: event => { this.moveTo(index); this.scroll.focus({ preventScroll: true }); if (event.pointerType === 'touch' && row) { this.open?.(row); } },
      ondblclick: () => row && this.open?.(row),
    }, row ? this.cells(row) : h('div', { role: 'gridcell' }, '…'));
  }

  moveTo(index) {
    if (this.total === 0) {
      return;
    }

    this.active = Math.max(0, Math.min(index, this.total - 1));
    const first = this.first;
    if (this.total * this.rowHeight > highest) {
      if (this.active < first || this.active >= first + this.rowsInView) {
        this.scroll.scrollTop = this.active / Math.max(1, this.total - this.rowsInView) * (this.scroll.scrollHeight - this.scroll.clientHeight);
      }
    } else if (this.active * this.rowHeight < this.scroll.scrollTop) {
      this.scroll.scrollTop = this.active * this.rowHeight;
    } else if ((this.active + 1) * this.rowHeight > this.scroll.scrollTop + this.viewHeight) {
      this.scroll.scrollTop = (this.active + 1) * this.rowHeight - this.viewHeight;
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
    if (event.target !== this.scroll || event.ctrlKey || event.altKey || event.metaKey) {
      return; // A button in it, or a key of the browser.
    }

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
