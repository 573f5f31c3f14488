// Requests to the server. All addresses are relative: the token is a part of that of the page.

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

  throw new Error(message);
}

export const address = (path, values = {}) => {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
  return query.size > 0 ? `${path}?${query}` : path;
};

export const get = async (path, values, signal) => answerOf(await fetch(address(path, values), { signal }));

export const post = async (path, value = {}) =>
  answerOf(await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) }));
