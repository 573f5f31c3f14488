// A list of any length: only the rows in view are elements, and rows come from the back end in pages. It has one place in the order of the tab key; the arrow keys
// move inside of it, and screen readers hear the active row, its number and whether it is picked.

import { h, isSmall } from './dom.js';

const pageRows = 200;
const keptPages = 40;
const longestRange = 10_000; // More picks make no plan.
const highest = 20_000_000; // Browsers do not make higher elements.
const isCoarse = matchMedia('(pointer: coarse)').matches;

export class VirtualList {
  // head is the row with the names of the columns; load(offset, count) gives rows; cells(row) gives the cells of one, stateOf(row) what they show of it beside its
  // data, isPicked(row) whether it is picked; open(row), pick(row), pickRange(rows), pickAll() and up() are what the keys do; activate(row) hears of the active row.
  constructor({ label, head, load, cells, stateOf, isPicked, open, pick, pickRange, pickAll, up, activate }) {
    Object.assign(this, { head, load, cells, stateOf, isPicked, open, pick, pickRange, pickAll, up, activate });
    this.typed = '';
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
    this.scroll.classList.remove('pictured');
  }

  // Rows with room for a small picture.
  havePictures() {
    this.rowHeight = isCoarse ? 56 : 48;
    this.scroll.style.setProperty('--row', `${this.rowHeight}px`);
    this.scroll.classList.add('pictured');
  }

  clear() {
    this.pages = new Map();
    this.coming = new Map();
    this.total = 0;
    this.active = 0;
    this.anchor = null;
    this.turn = (this.turn ?? 0) + 1;
  }

  // Shows another list, from its start. The rows of the one before go at once: they are not an answer to what was asked last. Resolves to whether this is still
  // the list that is shown.
  async reset() {
    this.clear();
    const turn = this.turn;
    clearTimeout(this.telling);
    this.size();
    this.draw();
    await this.fetchPage(0);
    if (turn === this.turn) {
      this.size();
      this.scroll.scrollTop = 0;
      this.draw();
      this.tell();
    }

    return turn === this.turn;
  }

  // Asks for the same list again, which may have got more rows: the active row and the place that is looked at stay.
  async renew() {
    const { turn } = this;
    const part = await this.load(0, pageRows);
    if (turn !== this.turn) {
      return;
    }

    const kept = this.rowAt(this.active);
    const isInView = this.active >= this.first && this.active <= this.first + this.rowsInView;
    const above = this.active * this.rowHeight - this.scroll.scrollTop;
    this.anchor = null;
    this.turn++; // Pages that are on their way belong to the rows before.
    this.pages = new Map([[0, part.rows]]);
    this.coming = new Map([[0, Promise.resolve()]]);
    this.total = part.total;
    this.size();
    const at = kept ? await this.indexOf(row => row.id === kept.id) : -1;
    if (at >= 0) {
      this.active = at;
      this.scroll.scrollTop = isInView ? at * this.rowHeight - above : this.scroll.scrollTop;
    }

    this.draw();
    if (!kept) {
      this.tell();
    }
  }

  // Moves to the first row that is sought; stays where it is if there is none. Resolves to whether there is one.
  async seek(isSought) {
    const at = await this.indexOf(isSought);
    if (at >= 0) {
      this.moveTo(at);
    }

    return at >= 0;
  }

  // No row is the active one: what is looked at is not in the list.
  leave() {
    clearTimeout(this.telling);
    this.active = -1;
    this.draw();
  }

  // The place of the first row that is sought, page by page; -1 if there is none.
  async indexOf(isSought) {
    const { turn } = this;
    for (let page = 0; page * pageRows < this.total && page < keptPages; page++) {
      await this.fetchPage(page);
      const at = turn === this.turn ? this.pages.get(page)?.findIndex((row, i) => isSought(row, page * pageRows + i)) ?? -1 : -1;
      if (at >= 0) {
        return page * pageRows + at;
      }
    }

    return -1;
  }

  // The place of the nearest row that is sought after a row (by 1) or before it (by -1), page by page; -1 if there is none.
  async indexBeside(from, by, isSought) {
    const { turn } = this;
    let at = from + by;
    for (let looked = 0; looked < keptPages && at >= 0 && at < this.total; looked++) {
      const page = Math.floor(at / pageRows);
      await this.fetchPage(page);
      if (turn !== this.turn) {
        return -1;
      }

      for (; at >= 0 && at < this.total && Math.floor(at / pageRows) === page; at += by) {
        const row = this.rowAt(at);
        if (row && isSought(row)) {
          return at;
        }
      }
    }

    return -1;
  }

  size() {
    this.scroll.setAttribute('aria-rowcount', this.total + 1);
    this.space.style.height = `${Math.min(this.total * this.rowHeight, highest)}px`;
  }

  // Resolves when the page is there, also one that is on its way already.
  fetchPage(page) {
    if (!this.coming.has(page)) {
      this.coming.set(page, this.loadPage(page).catch(failure => {
        this.coming.delete(page);
        throw failure;
      }));
    }

    return this.coming.get(page);
  }

  async loadPage(page) {
    const { turn, coming } = this;
    const part = await this.load(page * pageRows, pageRows);
    if (turn === this.turn) {
      this.pages.set(page, part.rows);
      this.total = part.total;
      for (const old of [...this.pages.keys()].slice(0, Math.max(0, this.pages.size - keptPages))) {
        this.pages.delete(old);
        coming.delete(old);
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
      if (!this.coming.has(page)) {
        const { turn } = this;
        this.fetchPage(page).then(() => turn === this.turn && this.draw(), () => {});
      }
    }
  }

  element(row, index) {
    return h('div', {
      class: 'row', role: 'row', id: `row-${index}`, 'aria-rowindex': index + 2, 'aria-selected': row && this.isPicked(row) ? 'true' : 'false',
      onclick: event => {
        this.goTo(index, event.shiftKey);
        this.scroll.focus({ preventScroll: true });
        if (event.pointerType === 'touch' && row) {
          this.open?.(row);
        }
      },
      onmousedown: event => event.shiftKey && event.preventDefault(), // Selects no text.
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

  // With Shift the rows from the one where that began to the new one are picked.
  async goTo(index, isRange) {
    this.anchor = isRange ? this.anchor ?? this.active : null;
    this.moveTo(index);
    if (isRange && this.anchor >= 0) {
      this.pickRange?.(await this.rowsOf(Math.min(this.anchor, this.active), Math.max(this.anchor, this.active)));
    }
  }

  // All rows of a range, also those that were never in view; none if another list is shown meanwhile.
  async rowsOf(from, to) {
    if (to - from >= longestRange) {
      throw new Error(`A range has at most ${longestRange.toLocaleString('en')} rows: pick the folder instead`);
    }

    const { turn } = this;
    const rows = [];
    for (let page = Math.floor(from / pageRows); page * pageRows <= to; page++) {
      await this.fetchPage(page);
      if (turn !== this.turn) {
        return [];
      }

      const first = page * pageRows;
      rows.push(...(this.pages.get(page) ?? []).slice(Math.max(0, from - first), to - first + 1));
    }

    return rows;
  }

  // The next row with a name that begins with what was typed within a second.
  async jump(key) {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => { this.typed = ''; }, 1000);
    this.typed += key.toLowerCase();
    const after = this.typed.length === 1 ? this.active : this.active - 1;
    const begins = row => row.name.toLowerCase().startsWith(this.typed);
    const next = await this.indexOf((row, index) => index > after && begins(row));
    const at = next >= 0 ? next : await this.indexOf(begins);
    if (at >= 0) {
      this.moveTo(at);
    }
  }

  press(event) {
    if (event.target !== this.scroll || event.altKey) {
      return; // A button in it, or a key of the browser.
    }

    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: this.rowsInView, PageUp: -this.rowsInView, Home: -Infinity, End: Infinity };
    const row = this.rowAt(this.active);
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'a' || !this.pickAll) {
        return;
      }

      this.pickAll();
    } else if (event.key in steps) {
      this.goTo(this.active + steps[event.key], event.shiftKey);
    } else if (event.key === 'Enter' && row) {
      this.open?.(row);
    } else if (event.key === ' ' && row && this.pick) {
      this.pick(row);
      this.draw();
    } else if (event.key === 'Backspace' && this.up) {
      this.up();
    } else if (event.key.length === 1 && /[\p{L}\p{N}._-]/u.test(event.key)) {
      this.jump(event.key);
    } else {
      return;
    }

    event.preventDefault();
  }
}
