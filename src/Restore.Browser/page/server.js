// The transport of restore.html: the same functions as the one of 'restore browse', answered by the engine in this tab.

let worker = null;
let lastId = 0;
const waiting = new Map();

// The worker in which the engine runs.
export function useWorker(started) {
  worker = started;
  worker.addEventListener('message', ({ data }) => {
    if (data.save) {
      save(data.save.name, data.save.blob);
    } else if (waiting.has(data.id)) {
      const { resolve, reject } = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.failure === undefined) {
        resolve(data.value);
      } else {
        reject(Object.assign(new Error(data.failure), { status: data.status }));
      }
    }
  });
}

function ask(message, signal, transfer = []) {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    signal?.addEventListener('abort', () => worker.postMessage({ abort: id }));
    worker.postMessage({ id, ...message }, transfer);
  });
}

function save(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const listed = values => Object.entries(values ?? {}).filter(([, value]) => value !== undefined && value !== null).flatMap(([name, value]) => [name, String(value)]);

const get = (path, values, signal) => ask({ method: 'GET', path, values: listed(values), body: '' }, signal);
const post = (path, value = {}) => ask({ method: 'POST', path, values: [], body: JSON.stringify(value) });

// Resolves when the engine runs. The port leads to the worker that decrypts for it.
export const startEngine = (resources, decryptor) => ask({ resources, decryptor }, undefined, [decryptor]);

let opened = null;

// A folder is its name and its files, or a handle.
export async function openBackup(folder, passphrase) {
  const answer = await ask({ open: folder, passphrase });
  opened = folder;
  return answer;
}

export const readBackup = () => get('api/backup');
export const readFolder = (version, id, { sort, order, offset, count }) => get('api/folder', { version, id, sort, order, offset, count });
export const search = (text, count, version, signal) => get('api/search', { text, count, version }, signal);
export const readEntry = id => get('api/entry', { id });
export const readDetails = (version, id, signal) => get('api/details', { version, id }, signal);
export const readCost = (version, id, signal) => get('api/cost', { version, id }, signal);
export const readChanges = (version, signal) => get('api/changes', { version }, signal);
export const findPath = (version, path) => get('api/find', { version, path });

export const readContent = (version, id, most, signal) => ask({ send: 'file', values: listed({ version, id, most }) }, signal).then(blob => blob.arrayBuffer());

const saves = (send, version, id, name) => ({
  href: '#',
  onclick: async event => {
    event.preventDefault();
    const link = event.target;
    if (link.getAttribute('aria-busy') !== 'true') {
      link.setAttribute('aria-busy', 'true');
      try {
        save(name, await ask({ send, values: listed({ version, id }) }));
      } finally {
        link.removeAttribute('aria-busy');
      }
    }
  },
});

export const fileLink = (version, { id, name }) => saves('file', version, id, name);
export const zipLink = (version, { id, name }) => saves('zip', version, id, `${name}.zip`);

export const readHealth = () => get('api/health');
// Which versions are good, by their lists.
export const readAssessment = () => get('api/assessment');
export const startAssessment = () => post('api/assessment/start');

export const startCheck = () => post('api/health/start');
export const readVolume = (name, signal) => get('api/volume', { name }, signal);

export const readJob = () => get('api/restore');
export const readIssues = ({ severity, kind, folder }) => get('api/restore/issues', { severity, kind, folder });
// Resolves to the name of the folder.
export async function giveTarget(handle) {
  if (opened.handle && await opened.handle.resolve(handle) !== null) {
    throw new Error('That is the folder of the backup: choose another one');
  }

  return ask({ target: handle });
}

export const planJob = request => post('api/restore/plan', request);
export const changeJob = (change, id, isConfirmed) => post(`api/restore/${change}`, { id, isConfirmed });
export const reportLink = () => ({
  href: '#',
  onclick: async event => {
    event.preventDefault();
    const time = new Date().toISOString().slice(0, 16).replace(/[T:]/g, '-');
    save(`restore-report-${time}.json`, new Blob((await ask({ report: true })).map(part => `${JSON.stringify(part)}\n`)));
  },
});

const running = ['Running', 'Pausing', 'Paused', 'Stopping'];

const stay = event => event.preventDefault();

// Meanwhile the browser asks before it closes the tab, which would end the restore.
export function watchJob(onState, onEnd) {
  let timer = null;
  addEventListener('beforeunload', stay);
  const look = async () => {
    const job = await readJob().catch(() => null);
    if (timer === null) {
      return;
    }

    if (job) {
      onState(job);
    }

    if (job && running.includes(job.state)) {
      timer = setTimeout(look, 100);
    } else {
      end();
    }
  };
  const end = () => {
    clearTimeout(timer);
    timer = null;
    removeEventListener('beforeunload', stay);
    onEnd();
  };
  timer = setTimeout(look, 0);
  return end;
}
