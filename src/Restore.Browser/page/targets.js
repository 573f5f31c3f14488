// A tab restores to a zip, which the browser saves like any download.

export const targetPath = root => root;

export const canChooseTarget = false;

export const targetOptions = [];

export const chooseTarget = () => Promise.resolve(null);
