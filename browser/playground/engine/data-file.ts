/**
 * Replaces src/model/data-file.ts in the playground: the files of data/ are fetched before they are read. If one is
 * missing, the worker fetches it and starts the check again.
 */

/** Names of the files that can be fetched. The build sets it. */
declare const DATA_FILES: readonly string[];

const texts = new Map<string, string>();

export class MissingDataFile extends Error {
  public constructor(public readonly file: string) {
    super(`${file} is not loaded`);
  }
}

export function addDataFile(name: string, text: string): void {
  texts.set(name, text);
}

export function readDataFile<T>(name: string): T {
  const text = texts.get(name);
  if (text === undefined) throw new MissingDataFile(name);
  return JSON.parse(text) as T;
}

export function hasDataFile(name: string): boolean {
  return DATA_FILES.includes(name);
}
