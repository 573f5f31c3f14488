// What .NET lacks in a browser, over its memory: hashes by hash-wasm, AES by noble-ciphers, and by the browser itself where that can be waited for.

import { createMD5, createSHA1, createSHA256, createSHA384, createSHA512 } from 'hash-wasm';
import { cbc } from 'noble-ciphers/aes.js';

const blockBytes = 16;
const cbc256 = 'AES-CBC';

export async function createCryptography(heap) {
  const hashers = {
    MD5: await createMD5(), SHA1: await createSHA1(), SHA256: await createSHA256(), SHA384: await createSHA384(), SHA512: await createSHA512(),
  };
  const view = (address, length) => heap().subarray(address, address + length);
  return {
    hash(algorithm, data, length, digest) {
      heap().set(hashers[algorithm].init().update(view(data, length)).digest('binary'), digest);
    },

    iterate(input, length, rounds) {
      const bytes = view(input, length);
      for (let round = 0; round < rounds; round++) {
        bytes.set(hashers.SHA256.init().update(bytes).digest('binary'));
      }
    },

    // A hasher has one state: that of each hash is taken out and put in again.
    create: algorithm => ({ hasher: hashers[algorithm], state: null }),

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

    // The browser takes off the padding of the last block always, so one follows that has nothing else.
    async decryptCbcAside(key, keyBytes, iv, blocks, length) {
      const first = view(iv, blockBytes).slice();
      const text = new Uint8Array(length + blockBytes);
      text.set(view(blocks, length));
      const cipher = await crypto.subtle.importKey('raw', view(key, keyBytes).slice(), cbc256, false, ['encrypt', 'decrypt']);
      const last = text.slice(length - blockBytes, length);
      text.set(new Uint8Array(await crypto.subtle.encrypt({ name: cbc256, iv: last }, cipher, new Uint8Array(0))), length);
      heap().set(new Uint8Array(await crypto.subtle.decrypt({ name: cbc256, iv: first }, cipher, text)), blocks);
    },

    async derivePbkdf2(passphrase, salt, saltBytes, iterations, key, keyBytes) {
      const password = await crypto.subtle.importKey('raw', new TextEncoder().encode(passphrase), 'PBKDF2', false, ['deriveBits']);
      const parameters = { name: 'PBKDF2', hash: 'SHA-512', salt: view(salt, saltBytes).slice(), iterations };
      heap().set(new Uint8Array(await crypto.subtle.deriveBits(parameters, password, 8 * keyBytes)), key);
    },
  };
}
