// Builds elements. Text from the backup goes into text nodes and attributes alone: it never becomes markup.

export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }

  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
  return element;
}

// A path that breaks after its separators and before dots, and elsewhere only where it must.
export const pathOf = path => h('bdi', { class: 'long' }, visible(path).split(/(?<=[/\\])|(?=\.)/).map((part, i) => i > 0 ? [h('wbr'), part] : part));

export const find = id => document.getElementById(id);

export function show(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
}

const sizeUnits = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

export function bytes(count) {
  if (count < 1024) {
    return count === 1 ? '1 byte' : `${count} bytes`;
  }

  let unit = -1;
  while (count >= 1023.95 && unit < sizeUnits.length - 1) {
    count /= 1024;
    unit++;
  }

  return `${count.toFixed(1)} ${sizeUnits[unit]}`;
}

export const number = count => count.toLocaleString('en');

// In the currency of the price that was given.
export const money = amount => amount === undefined ? '' : amount > 0 && amount < 0.01 ? 'less than 0.01' : amount.toFixed(2);

export const counted = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

export function time(text, hasSeconds = false) {
  if (!text) {
    return '';
  }

  const date = new Date(text);
  const two = part => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
    + (hasSeconds ? `:${two(date.getSeconds())}` : '');
}

const short = (date, part) => date.toLocaleString('en', part);

// As people speak of a time: the weekday finds 'last Tuesday', and the year stands only where it is another one. In local time.
export function when(text, hasSeconds = false) {
  const date = new Date(text);
  const two = part => String(part).padStart(2, '0');
  const year = date.getFullYear() === new Date().getFullYear() ? '' : ` ${date.getFullYear()}`;
  return `${short(date, { weekday: 'short' })} ${date.getDate()} ${short(date, { month: 'short' })}${year} ${two(date.getHours())}:${two(date.getMinutes())}`
    + (hasSeconds ? `:${two(date.getSeconds())}` : '');
}

// The part of a timeline that a time belongs to. Weeks begin on Monday.
export function groupOf(text, now = new Date()) {
  const date = new Date(text);
  const monday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (now.getDay() + 6) % 7);
  const before = new Date(monday.getFullYear(), monday.getMonth(), monday.getDate() - 7);
  return date >= monday ? 'This week' : date >= before ? 'Last week'
    : `${short(date, { month: 'long' })}${date.getFullYear() === now.getFullYear() ? '' : ` ${date.getFullYear()}`}`;
}

export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

// As in style.css.
export const isSmall = () => matchMedia('(max-width: 700px)').matches;

// Characters that cannot be seen, or that turn the direction of writing, are shown as escapes.
export const visible = text => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, c => `\\u${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`);

export function status(text, isError = false) {
  const line = find('status');
  line.textContent = text;
  line.classList.toggle('error', isError);
}
