/** What `node:fs` is in a page: there are no files. */
function noFile(path: unknown): never {
  throw Object.assign(new Error(`ENOENT: no such file or directory, '${String(path)}'`), { code: 'ENOENT' });
}

export const constants = {};
export const existsSync = (): boolean => false;
export const closeSync = noFile;
export const fstatSync = noFile;
export const lstatSync = noFile;
export const openSync = noFile;
export const readSync = noFile;
export const readFileSync = noFile;
export const readdirSync = noFile;
export const realpathSync = noFile;
export const statSync = noFile;
