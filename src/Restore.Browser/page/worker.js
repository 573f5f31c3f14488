// Runs .NET beside the page, which sends what is in the file and then each request.

let files = new Map();
let heap;

const folder = {
  names: () => [...files].map(([name, file]) => `${file.size}/${name}`).join('\n'),
  read: async (name, offset, address, length) => {
    const file = files.get(name);
    const bytes = new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
    heap().set(bytes, address);
    return bytes.length;
  },
};

// .NET resolves the names of its files against its own address, and that of a blob cannot be one's base.
globalThis.URL = class extends URL {
  constructor(address, base) {
    super(address, String(base).startsWith('blob:') ? 'file:///' : base);
  }
};

// Addresses of modules. A worker of a page from file:// cannot load the blobs of the page: each has an origin of its own.
function linker(resources) {
  const addresses = new Map();
  const text = name => new TextDecoder().decode(resources.get(name));
  const addressOf = name => {
    if (!addresses.has(name)) {
      const linked = text(name).replace(/(?<=^import\s[^'"]*?from\s+)['"]([^'"]+)['"]/gm, (_, imported) => `'${addressOf(imported.replace('./', name.replace(/[^/]*$/, '')))}'`);
      addresses.set(name, URL.createObjectURL(new Blob([linked], { type: 'text/javascript' })));
    }

    return addresses.get(name);
  };
  return addressOf;
}

async function start(resources) {
  globalThis.dotnetSidecar = true;
  const addressOf = linker(resources);
  const { dotnet } = await import(addressOf('dotnet.js'));
  const runtime = await dotnet.withResourceLoader((type, name) => type === 'dotnetjs' ? addressOf(name)
    : Promise.resolve(new Response(resources.get(name), { headers: { 'Content-Type': name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream' } }))).create();
  heap = runtime.localHeapViewU8;
  runtime.setModuleImports('folder', folder);
  runtime.setModuleImports('restore-cryptography', await (await import(addressOf('cryptography.js'))).createCryptography(heap));
  await runtime.runMain();
  return (await runtime.getAssemblyExports(runtime.getConfig().mainAssemblyName)).Restore.Browser.Program;
}

let engine;
addEventListener('message', async ({ data }) => {
  try {
    if (data.resources) {
      engine = start(data.resources);
      await engine;
      postMessage({ started: true });
    } else {
      files = new Map(data.files.map(file => [file.name, file]));
      postMessage({ text: await (await engine).OpenAsync(data.passphrase) });
    }
  } catch (failure) {
    postMessage({ text: `failed: ${failure.stack ?? failure}` });
  }
});
