// What .NET lacks in a browser, over its memory: hashes by hash-wasm, AES by noble-ciphers, and both of whole volumes by the browser itself.

import { createMD5, createSHA1, createSHA256, createSHA384, createSHA512 } from 'hash-wasm';
import { cbc } from 'noble-ciphers/aes.js';

const blockBytes = 16;
const pieceBytes = 8 << 20;

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
  };
}
