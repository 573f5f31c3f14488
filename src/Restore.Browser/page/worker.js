// Runs .NET beside the page. The page sends the files of .NET, the folder of the backup, and then each of its calls.

let heap;
let target;
let backup = { name: '', files: new Map() };

// Buffers of the reads that are done.
const pieceBytes = 512 << 10;
const pieces = [];

// Chromium collects a reader that nothing refers to while it waits for the file.
const readers = new Set();

const folder = {
  name: () => backup.name,
  names: () => [...backup.files.keys()],
  size: name => backup.files.get(name).size,
  read: async (name, offset, address, length) => {
    const file = backup.files.get(name);
    if (!file) {
      return -1;
    }

    // Fresh memory for all of it would take longer than the reading.
    const reader = readerOf(file.slice(offset, offset + length));
    let piece = pieces.pop() ?? new ArrayBuffer(pieceBytes);
    let end = address;
    readers.add(reader);
    try {
      for (;;) {
        const { value, done } = await reader.read(new Uint8Array(piece));
        piece = value?.buffer ?? piece;
        if (done) {
          pieces.push(piece);
          return end - address;
        }

        heap().set(value, end);
        end += value.length;
      }
    } finally {
      readers.delete(reader);
    }
  },
};

function readerOf(blob) {
  const stream = blob.stream();
  try {
    return stream.getReader({ mode: 'byob' });
  } catch {
    return stream.getReader();
  }
}

// A download is a stream that the browser collects, on its disk if it is long.
class Download {
  #stream;
  #piece = new Uint8Array(0);
  #ask;
  #asked;
  #blob;

  constructor(name) {
    this.name = name;
    this.#await();
    const stream = new ReadableStream({ start: controller => { this.#stream = controller; }, pull: () => this.#ask() }, { highWaterMark: 0 });
    this.#blob = new Response(stream, { headers: { 'Content-Type': 'application/octet-stream' } }).blob();
  }

  async write(address, length) {
    await this.#room();
    if (this.#piece.length < length) {
      this.#piece = new Uint8Array(length);
    }

    const piece = this.#piece.subarray(0, length);
    piece.set(heap().subarray(address, address + length));
    this.#stream.enqueue(piece);
  }

  async finish() {
    await this.#room();
    this.#stream.close();
    return this.#blob;
  }

  // The browser asks for more when it has taken the piece before; if its disk is full, it fails.
  async #room() {
    await Promise.race([this.#asked, this.#blob]);
    this.#await();
  }

  #await() {
    this.#asked = new Promise(resolve => { this.#ask = resolve; });
  }
}

const output = {
  createDownload: name => new Download(name),
  write: (target, address, length) => target.write(address, length),
  save: async download => postMessage({ save: { name: download.name, blob: await download.finish() } }),
};

// .NET resolves the names of its files against its own address, and that of a blob cannot be one's base.
globalThis.URL = class extends URL {
  constructor(address, base) {
    super(address, String(base).startsWith('blob:') ? 'file:///' : base);
  }
};

// Gives the addresses of modules. A worker of a page from file:// cannot load the blobs of the page: each has an origin of its own.
function linker(resources) {
  const imports = /(?<=^import\s[^'"]*?from\s+)['"]([^'"]+)['"]/gm;
  const addresses = new Map();
  const addressOf = name => {
    if (!addresses.has(name)) {
      const text = new TextDecoder().decode(resources.get(name));
      const linked = text.replace(imports, (_, imported) => `'${addressOf(imported.replace('./', name.replace(/[^/]*$/, '')))}'`);
      addresses.set(name, URL.createObjectURL(new Blob([linked], { type: 'text/javascript' })));
    }

    return addresses.get(name);
  };
  return addressOf;
}

async function start(resources, decryptor) {
  globalThis.dotnetSidecar = true;
  const addressOf = linker(resources);
  const typeOf = name => name.endsWith('.wasm') ? 'application/wasm' : 'text/plain';
  const load = name => Promise.resolve(new Response(resources.get(name), { headers: { 'Content-Type': typeOf(name) } }));
  const { dotnet } = await import(addressOf('dotnet.js'));
  const runtime = await dotnet.withResourceLoader((type, name) => type === 'dotnetjs' ? addressOf(name) : load(name)).create();
  heap = runtime.localHeapViewU8;
  runtime.setModuleImports('restore-folder', folder);
  runtime.setModuleImports('restore-output', output);
  target = (await import(addressOf('target.js'))).createTarget(heap);
  runtime.setModuleImports('restore-target', target);
  runtime.setModuleImports('restore-cryptography', await (await import(addressOf('cryptography.js'))).createCryptography(heap, decryptor));
  await runtime.runMain();
  return (await runtime.getAssemblyExports(runtime.getConfig().mainAssemblyName)).Restore.Browser.Program;
}

async function filesOf({ files, handle }) {
  const found = files ?? [];
  if (handle) {
    for await (const entry of handle.values()) {
      if (entry.kind === 'file') {
        found.push(await entry.getFile());
      }
    }
  }

  return new Map(found.map(file => [file.name, file]));
}

async function answerOf(engine, message) {
  if (message.open) {
    backup = { name: message.open.name, files: await filesOf(message.open) };
    return engine.OpenAsync(message.open.prefix ?? '', message.passphrase);
  }

  return engine.CallAsync(message.id, message.method, message.path, message.values, message.body);
}

function valueOf(answer) {
  const end = answer.indexOf('\n');
  const text = answer.slice(end + 1);
  const value = text === '' ? null : JSON.parse(text);
  if (answer.slice(0, end) !== '200') {
    throw Object.assign(new Error(value.error), { status: Number(answer.slice(0, end)) });
  }

  return value;
}

// The page may ask before the engine runs.
let begin;
const engine = new Promise(resolve => { begin = resolve; });

addEventListener('message', async ({ data }) => {
  try {
    if (data.resources) {
      begin(start(data.resources, data.decryptor));
      await engine;
      postMessage({ id: data.id, value: true });
    } else if (data.abort !== undefined) {
      (await engine).Abort(data.abort);
    } else if (data.report) {
      postMessage({ id: data.id, value: valueOf(await (await engine).ReportAsync()) });
    } else if (data.target) {
      await engine;
      await target.give(data.target);
      postMessage({ id: data.id, value: data.target.name });
    } else if (data.send) {
      const download = new Download('');
      valueOf(await (await engine).SendAsync(data.id, data.send, data.values, download));
      postMessage({ id: data.id, value: await download.finish() });
    } else {
      postMessage({ id: data.id, value: valueOf(await answerOf(await engine, data)) });
    }
  } catch (failure) {
    postMessage({ id: data.id, failure: failure.message ?? String(failure), status: failure.status });
  }
});
