// Unpacks what is in this file, starts the engine, and shows the page when a backup is open.

(async () => {
  async function unpack(script) {
    const text = atob(script.textContent);
    const packed = new Uint8Array(text.length);
    for (let i = 0; i < packed.length; i++) {
      packed[i] = text.charCodeAt(i);
    }

    script.remove();
    return new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
  }

  const scripts = [...document.querySelectorAll('script[data-name]')];
  const load = async some => {
    const loaded = new Map();
    for (const script of some) {
      loaded.set(script.dataset.name, await unpack(script));
    }

    return loaded;
  };
  const isOfPage = ({ dataset: { name } }) => name.startsWith('page/') || ['worker.js', 'decryptor.js'].includes(name);

  const modules = await load(scripts.filter(isOfPage));

  // Blobs are the modules of the page: each imports those that are linked before it.
  const addresses = new Map();
  const addressOf = name => {
    if (!addresses.has(name)) {
      const text = new TextDecoder().decode(modules.get(`page/${name}`));
      const linked = text.replace(/(?<=^import .* from )'\.\/([^']+)'/gm, (_, imported) => `'${addressOf(imported)}'`);
      addresses.set(name, URL.createObjectURL(new Blob([linked], { type: 'text/javascript' })));
    }

    return addresses.get(name);
  };

  const addressPolicy = globalThis.trustedTypes?.createPolicy('restore', { createScriptURL: address => address }) ?? { createScriptURL: address => address };
  const startWorker = name => new Worker(addressPolicy.createScriptURL(URL.createObjectURL(new Blob([modules.get(name)], { type: 'text/javascript' }))));
  const { useWorker, startEngine } = await import(addressOf('server.js'));
  useWorker(startWorker('worker.js'));
  const { openFirst } = await import(addressOf('open.js'));
  const start = async () => {
    const { port1, port2 } = new MessageChannel();
    startWorker('decryptor.js').postMessage(port1, [port1]);
    return startEngine(await load(scripts.filter(script => !isOfPage(script))), port2);
  };
  await openFirst(start());
  document.getElementById('open').remove();
  const another = Object.assign(document.createElement('button'), { id: 'another', textContent: 'Open another backup' });
  another.addEventListener('click', () => {
    history.replaceState(null, '', location.href.split('#')[0]);
    location.reload();
  });
  document.getElementById('location').after(another);

  // Back would leave the page, with the picks.
  if (location.hash === '') {
    history.pushState(null, '', '#/');
  }

  await import(addressOf('main.js'));
  document.querySelector('.scroll')?.focus();
})().catch(failure => {
  document.getElementById('open-error').textContent = `This browser cannot run this file: ${failure.message}`;
});
