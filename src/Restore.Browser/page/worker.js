// Runs .NET beside the page. The page sends the files of .NET, the folder of the backup, and then each of its calls.

let heap;
let target;
let backup = { name: '', files: new Map() };

const folder = {
  name: () => backup.name,
  names: () => [...backup.files.keys()],
  size: name => backup.files.get(name).size,
  read: async (name, offset, address, length) => {
    const file = backup.files.get(name);
    if (!file) {
      return -1;
    }

    const bytes = new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
    heap().set(bytes, address);
    return bytes.length;
  },
};

// A download grows as blobs, which the browser keeps on its disk when they are many.
class Download {
  #blobs = [];

  constructor(name) {
    this.name = name;
  }

  write(bytes) {
    this.#blobs.push(new Blob([bytes]));
  }

  get blob() {
    return new Blob(this.#blobs, { type: 'application/octet-stream' });
  }
}

const output = {
  createDownload: name => new Download(name),
  write: async (target, address, length) => { await target.write(heap().subarray(address, address + length)); },
  save: download => postMessage({ save: { name: download.name, blob: download.blob } }),
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

async function start(resources) {
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
  runtime.setModuleImports('restore-cryptography', await (await import(addressOf('cryptography.js'))).createCryptography(heap));
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
    throw new Error(value.error);
  }

  return value;
}

// The page may ask before the engine runs.
let begin;
const engine = new Promise(resolve => { begin = resolve; });

addEventListener('message', async ({ data }) => {
  try {
    if (data.resources) {
      begin(start(data.resources));
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
      postMessage({ id: data.id, value: download.blob });
    } else {
      postMessage({ id: data.id, value: valueOf(await answerOf(await engine, data)) });
    }
  } catch (failure) {
    postMessage({ id: data.id, failure: failure.message ?? String(failure) });
  }
});
