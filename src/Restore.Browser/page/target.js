// The folder that the user has given to restore into. Paths are relative, with '/' between names.

// A disk with the file system of another system has its rules, so the system says nothing about it.
async function findsOtherCase(folder) {
  const name = `restore-${crypto.randomUUID()}`;
  await folder.getFileHandle(name, { create: true });
  try {
    return await folder.getFileHandle(name.toUpperCase()).then(() => true, failure => failure.name !== 'NotFoundError');
  } finally {
    await folder.removeEntry(name);
  }
}

export function createTarget(heap) {
  let root = null;
  let isCaseless = true;
  let last = { path: '', handle: null };

  // Most files are in the folder of the one before.
  const folderOf = async (path, create) => {
    const end = path.lastIndexOf('/');
    const folder = end < 0 ? '' : path.slice(0, end);
    if (last.handle === null || last.path !== folder) {
      let handle = root;
      for (const name of folder === '' ? [] : folder.split('/')) {
        handle = await handle.getDirectoryHandle(name, { create });
      }

      last = { path: folder, handle };
    }

    return { folder: last.handle, name: path.slice(end + 1) };
  };

  const fileOf = async path => {
    const { folder, name } = await folderOf(path, false);
    return (await folder.getFileHandle(name)).getFile();
  };

  // .NET sees a message only.
  const told = work => async (...values) => {
    try {
      return await work(...values);
    } catch (failure) {
      throw new Error(`${failure.name}: ${failure.message}`);
    }
  };

  return {
    give: async handle => {
      [root, last] = [handle, { path: '', handle: null }];
      isCaseless = await findsOtherCase(handle).catch(() => true);
    },
    name: () => root?.name ?? '',
    ignoresCase: () => isCaseless,
    find: told(async path => {
      try {
        return (await fileOf(path)).size;
      } catch (failure) {
        if (failure.name === 'NotFoundError') {
          return -1;
        }

        throw failure;
      }
    }),
    read: told(async (path, offset, address, length) => {
      const bytes = new Uint8Array(await (await fileOf(path)).slice(offset, offset + length).arrayBuffer());
      heap().set(bytes, address);
      return bytes.length;
    }),
    createFolder: told(async path => { await folderOf(`${path}/`, true); }),
    create: told(async path => {
      const { folder, name } = await folderOf(path, true);
      const isThere = await folder.getFileHandle(name).then(() => true, () => false);
      const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
      return {
        write: (address, length) => stream.write(heap().slice(address, address + length)),
        commit: () => stream.close(),
        abort: async () => {
          await stream.abort();
          if (!isThere) {
            await folder.removeEntry(name);
          }
        },
      };
    }),
    commit: told(file => file.commit()),
    abort: told(file => file.abort()),
  };
}
