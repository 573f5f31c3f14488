// What .NET lacks in a browser, over its memory: hashes and CRC-32 by hash-wasm, AES by noble-ciphers, and by the browser itself, in another worker,
// where that can be waited for.

import { createCRC32, createMD5, createSHA1, createSHA256, createSHA384, createSHA512 } from 'hash-wasm';
import { cbc } from 'noble-ciphers/aes.js';

const blockBytes = 16;
const longBytes = 64 << 10;
const mostStates = 256;
const pieceBytes = 512 << 10;
const mostPieces = 4;

// The worker that decrypts. Buffers go there and come back: fresh memory takes longer than the rest.
function createAside(port) {
  const rooms = Array.from({ length: mostPieces }, () => new Uint8Array(pieceBytes + blockBytes));
  const wanting = [];
  const waiting = [];
  port.onmessage = ({ data: { text, plain, failure } }) => {
    const { resolve, reject } = waiting.shift();
    if (failure === undefined) {
      resolve(new Uint8Array(plain));
    } else {
      reject(new Error(failure));
    }

    const next = wanting.shift();
    if (next) {
      next(text);
    } else {
      rooms.push(text);
    }
  };
  return {
    room: () => rooms.pop() ?? new Promise(resolve => { wanting.push(resolve); }),
    decrypt: (key, iv, text, length) => new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      port.postMessage({ key, iv, text, length }, [text.buffer]);
    }),
  };
}

export async function createCryptography(heap, port) {
  const aside = createAside(port);
  const hashers = {
    MD5: await createMD5(), SHA1: await createSHA1(), SHA256: await createSHA256(), SHA384: await createSHA384(), SHA512: await createSHA512(),
    CRC32: await createCRC32(),
  };
  const view = (address, length) => heap().subarray(address, address + length);

  // After the last long data that were hashed: a file goes on where the hash of its first block ended.
  const states = new Map();
  const nameOf = (algorithm, digest) => `${algorithm} ${String.fromCharCode(...digest)}`;
  const keep = (algorithm, digest, state) => {
    states.set(nameOf(algorithm, digest), state);
    if (states.size > mostStates) {
      states.delete(states.keys().next().value);
    }
  };
  return {
    hash(algorithm, data, length, digest) {
      const hasher = hashers[algorithm].init().update(view(data, length));
      const state = length < longBytes ? null : hasher.save();
      const bytes = hasher.digest('binary');
      heap().set(bytes, digest);
      if (state) {
        keep(algorithm, bytes, state);
      }
    },

    iterate(input, length, rounds) {
      const bytes = view(input, length);
      for (let round = 0; round < rounds; round++) {
        bytes.set(hashers.SHA256.init().update(bytes).digest('binary'));
      }
    },

    // A hasher has one state: that of each hash is taken out and put in again.
    create: algorithm => ({ algorithm, hasher: hashers[algorithm], state: null }),

    begin(hash, digest, length) {
      hash.state = states.get(nameOf(hash.algorithm, view(digest, length))) ?? null;
      return hash.state !== null;
    },

    append(hash, data, length) {
      hash.hasher.init();
      if (hash.state) {
        hash.hasher.load(hash.state);
      }

      hash.state = hash.hasher.update(view(data, length)).save();
    },

    finish(hash, digest) {
      hash.hasher.init();
      if (hash.state) {
        hash.hasher.load(hash.state);
      }

      heap().set(hash.hasher.digest('binary'), digest);
      hash.state = null;
    },

    decryptCbc(key, keyBytes, iv, blocks, length) {
      const bytes = view(blocks, length);
      bytes.set(cbc(view(key, keyBytes).slice(), view(iv, blockBytes).slice(), { disablePadding: true }).decrypt(bytes));
    },

    // By pieces, of which some are on their way at the same time.
    async decryptCbcAside(key, keyBytes, iv, blocks, length) {
      const secret = view(key, keyBytes).slice();
      const sent = [];
      let before = view(iv, blockBytes).slice();
      for (let at = blocks; at < blocks + length; at += pieceBytes) {
        const count = Math.min(pieceBytes, blocks + length - at);
        const text = await aside.room();
        text.set(view(at, count));
        const next = text.slice(count - blockBytes, count);
        sent.push(aside.decrypt(secret, before, text, count).then(plain => heap().set(plain, at)));
        before = next;
      }

      await Promise.all(sent);
    },

    async derivePbkdf2(passphrase, salt, saltBytes, iterations, key, keyBytes) {
      const password = await crypto.subtle.importKey('raw', new TextEncoder().encode(passphrase), 'PBKDF2', false, ['deriveBits']);
      const parameters = { name: 'PBKDF2', hash: 'SHA-512', salt: view(salt, saltBytes).slice(), iterations };
      heap().set(new Uint8Array(await crypto.subtle.deriveBits(parameters, password, 8 * keyBytes)), key);
    },
  };
}
