// The start of restore.html: asks for the folder and the passphrase, opens the backup, and then shows the page.

import { openBackup } from './server.js';

const find = id => document.getElementById(id);
let folder = null;

// The name of a folder need not be UTF-8; such a one is shown as it is in the address.
function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

// The folders of a file, with the server before them if they are a share; and how its system writes them.
function placeOf({ protocol, host, pathname }) {
  const names = protocol === 'file:' ? [host, ...pathname.split('/').slice(0, -1).map(decoded)].filter(Boolean) : [];
  const path = host ? `\\\\${names.join('\\')}` : /^[A-Za-z]:$/.test(names[0]) ? names.join('\\') : `/${names.join('/')}`;
  return { names, path };
}

// Opened from a disk, the file knows where it lies: the program puts it beside the volumes.
function showPlace() {
  const { names, path } = placeOf(location);
  find('where').hidden = names.length === 0;
  find('here').textContent = names.at(-1) ?? '';
  find('there').textContent = names.length > 1 ? ` (${path})` : '';
  find('will-ask').textContent = 'showDirectoryPicker' in globalThis
    ? 'The browser asks which folder, and then whether this page may view its files: allow that.'
    : 'The browser asks which folder, and then whether to "upload" its files. That is only its word for reading them: they do not leave this computer.';
}

// What goes on while a backup is opened, with the seconds: a key of AES Crypt alone can take some.
function showOpening(what) {
  const start = performance.now();
  const tell = () => { find('opening-for').textContent = `${what()}, ${Math.round((performance.now() - start) / 1000)} s`; };
  find('opening').hidden = false;
  tell();
  const timer = setInterval(tell, 1000);
  return () => {
    clearInterval(timer);
    find('opening').hidden = true;
  };
}

// Resolves when a backup is open. Ready is a promise that the engine runs.
export function openFirst(ready) {
  return new Promise(resolve => {
    const fail = failure => {
      find('open-error').textContent = failure?.message ?? '';
      find('hints').hidden = true;
      find('open-form').removeAttribute('aria-busy');
    };
    const open = async () => {
      fail(null);
      find('open-form').setAttribute('aria-busy', 'true');
      find('opened').textContent = folder.name;
      let stage = 'Starting the engine';
      const done = showOpening(() => stage);
      try {
        await ready;
        stage = 'Reading the list of the newest version';
        await openBackup({ ...folder, prefix: find('backups').hidden ? '' : find('prefix').value }, find('passphrase').value);
        find('passphrase').value = '';
        done();
        resolve();
      } catch (failure) {
        done();
        fail(failure);
        find('hints').hidden = !/passphrase/i.test(failure.message);
        find('passphrase').select();
      }
    };
    const take = (chosen, names) => {
      if (!names.some(name => /\.(dlist|dindex|dblock)\./.test(name))) {
        find('opened').textContent = '';
        fail(new Error(`No files of a backup are directly in ${chosen.name}: open the folder that has them, such as duplicati-….dlist.zip`));
        return;
      }

      folder = chosen;
      const prefixes = new Set(names.map(name => /^(.+)-\d{8}T\d{6}Z\.dlist\./.exec(name)?.[1]).filter(prefix => prefix));
      find('backups').hidden = prefixes.size < 2;
      find('prefix').replaceChildren(...[...prefixes].map(prefix => new Option(prefix)));
      fail(null);
      const isEncrypted = names.some(name => /\.(aes|gpg)$/.test(name));
      find('ask').hidden = !isEncrypted;
      find('unlock').hidden = !isEncrypted && prefixes.size < 2;
      find('opened').textContent = `${folder.name}: ${names.length} files`;
      if (isEncrypted) {
        find('passphrase').focus();
      } else if (prefixes.size < 2) {
        open();
      }
    };
    find('pick').addEventListener('click', async () => {
      if (!('showDirectoryPicker' in globalThis)) {
        find('files').click();
        return;
      }

      try {
        const handle = await showDirectoryPicker({ id: 'restore-backup' });
        const names = [];
        for await (const name of handle.keys()) {
          names.push(name);
        }

        take({ name: handle.name, handle }, names);
      } catch (failure) {
        if (failure.name !== 'AbortError') {
          fail(failure);
        }
      }
    });
    find('files').addEventListener('change', () => {
      const all = [...find('files').files];
      if (all.length > 0) {
        // Files in folders below have a longer path.
        const files = all.filter(file => file.webkitRelativePath.split('/').length <= 2);
        take({ name: all[0].webkitRelativePath.split('/')[0], files }, files.map(file => file.name));
      }
    });
    find('show').addEventListener('change', event => { find('passphrase').type = event.target.checked ? 'text' : 'password'; });
    find('open-form').addEventListener('submit', event => {
      event.preventDefault();
      open();
    });
    showPlace();
    ready.catch(fail);
    find('pick').disabled = false;
  });
}
