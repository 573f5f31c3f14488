// Decrypts pieces of AES-256-CBC by the browser itself, one after another, beside the engine.

const blockBytes = 16;
const name = 'AES-CBC';

// The browser takes off the padding of the last block always, so one follows that has nothing else.
async function decrypt({ key, iv, text, length }) {
  const cipher = await crypto.subtle.importKey('raw', key, name, false, ['encrypt', 'decrypt']);
  const last = text.slice(length - blockBytes, length);
  text.set(new Uint8Array(await crypto.subtle.encrypt({ name, iv: last }, cipher, new Uint8Array(0))), length);
  return crypto.subtle.decrypt({ name, iv }, cipher, text.subarray(0, length + blockBytes));
}

addEventListener('message', ({ data: port }) => {
  let turn = Promise.resolve();
  port.onmessage = ({ data }) => {
    const { text } = data;
    turn = turn.then(() => decrypt(data)).then(
      plain => port.postMessage({ text, plain }, [text.buffer, plain]),
      failure => port.postMessage({ text, failure: failure.message }, [text.buffer]));
  };
});
