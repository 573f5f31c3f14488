// A tab restores to a zip, which the browser saves like any download, or into a folder, if the browser gives the page one.

import { giveTarget } from './server.js';

export const targetPath = (root, target) => target === '' ? root : target;

export const chooseLabel = 'Into a folder …';

// Back to the zip.
export const leaveLabel = 'Into a zip';

export const canChooseTarget = 'showDirectoryPicker' in globalThis;

export const targetOptions = target => target === '' ? [] : ['overwrite', 'fullPaths'];

// The name of the folder; null if none was chosen.
export async function chooseTarget() {
  try {
    return await giveTarget(await showDirectoryPicker({ id: 'restore-target', mode: 'readwrite' }));
  } catch (failure) {
    if (failure.name === 'AbortError') {
      return null;
    }

    throw failure;
  }
}
