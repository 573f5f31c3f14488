// The transport: all that the page asks of its back end, and nothing else of the page knows how. Another back end is another module with these functions.
// All addresses are relative: the token is a part of that of the page.

async function answerOf(response) {
  if (response.ok) {
    return response.json();
  }

  let message = `The server answered with status ${response.status}`;
  try {
    message = (await response.json()).error ?? message;
  } catch {
    // Not in JSON: the status has to do.
  }

  throw Object.assign(new Error(message), { status: response.status });
}

const address = (path, values = {}) => {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
  return query.size > 0 ? `${path}?${query}` : path;
};

const get = async (path, values, signal) => answerOf(await fetch(address(path, values), { signal }));

const post = async (path, value = {}) =>
  answerOf(await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) }));

// The location, the versions (newest first) and the folder that may be restored to.
export const readBackup = () => get('api/backup');

// A part of a folder of a version; without an id, what is above all folders. Sort is name, size or time, order asc or desc.
export const readFolder = (version, id, { sort, order, offset, count }) => get('api/folder', { version, id, sort, order, offset, count });

export const search = (text, count, version, signal) => get('api/search', { text, count, version }, signal);

// An entry in all versions that were read; in one; and what it takes to fetch it.
export const readEntry = id => get('api/entry', { id });
export const readDetails = (version, id, signal) => get('api/details', { version, id }, signal);
export const readCost = (version, id, signal) => get('api/cost', { version, id }, signal);

// The files of a version that differ from the version before; and the place of a path in a version: id and folder.
export const readChanges = (version, signal) => get('api/changes', { version }, signal);
export const findPath = (version, path) => get('api/find', { version, path });

// The first bytes of a file; all of it without a limit.
export async function readContent(version, id, most, signal) {
  const response = await fetch(address('file', { version, id }), { headers: most ? { Range: `bytes=0-${most - 1}` } : {}, signal });
  if (!response.ok) {
    throw new Error((await response.json()).error);
  }

  return response.arrayBuffer();
}

// The properties of a link that downloads a file, or a folder as a zip.
export const fileLink = (version, { id, name }) => ({ href: address('file', { version, id }), download: name });
export const zipLink = (version, { id }) => ({ href: address('zip', { version, id }) });

export const readHealth = () => get('api/health');
// Which versions are good, by their lists.
export const readAssessment = () => get('api/assessment');
export const startAssessment = () => post('api/assessment/start');

export const startCheck = () => post('api/health/start');
export const readVolume = (name, signal) => get('api/volume', { name }, signal);

// The folders in one that can be restored to, by its path below the one of the start.
export const listTargets = path => get('api/targets', { path });

// The restore or drill of this server, null before the first; a change is start, pause, stop or close; show opens its folder in a window. What goes to its original
// place starts only if the user has confirmed that.
export const readJob = () => get('api/restore');
export const readIssues = ({ severity, kind, folder }) => get('api/restore/issues', { severity, kind, folder });
export const planJob = request => post('api/restore/plan', request);
export const changeJob = (change, id, isConfirmed) => post(`api/restore/${change}`, { id, isConfirmed });
export const reportLink = () => ({ href: 'report' });

// Tells each state of the restore until it is over. Returns what ends that.
export function watchJob(onState, onEnd) {
  const events = new EventSource('api/restore/events');
  const end = () => {
    events.close();
    onEnd();
  };
  events.onmessage = event => onState(JSON.parse(event.data));
  events.onerror = end;
  events.addEventListener('end', end);
  return end;
}
