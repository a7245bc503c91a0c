import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { leadsInto, repositoryRoot, workTreeOf } from './repository-root';

const CHUNK_BYTES = 64 * 1024;

/** A path that leads to no regular file, or to one that is too large. */
export class UnusableFileError extends Error {}

/**
 * Reads a file of a repository, which a stranger may have written. Only regular files are opened: a device may act when
 * it is opened, and a pipe may never end. No more than `mostBytes` are read, whatever size the file claims to have.
 *
 * @throws Error with a code, as Node.js has it, or UnusableFileError
 */
export function readRegularFile(path: string, mostBytes: number): Buffer {
  requireRegular(statSync(path).isFile());
  // The file may have become a pipe since. With O_NONBLOCK, opening it does not wait for a writer.
  // eslint-disable-next-line no-bitwise -- flags of open are a bit set
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(descriptor);
    requireRegular(stats.isFile());
    if (stats.size > mostBytes) throw tooLarge(mostBytes);
    return readAll(descriptor, mostBytes);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads a file that an option names. Outside of a repository it may be a pipe, because shells make one of
 * `<(helm template …)`. Inside a repository a link must not lead out of it.
 *
 * @throws Error with a code, as Node.js has it, or UnusableFileError
 */
export function readNamedFile(path: string, mostBytes: number): Buffer {
  if (isPipeOfShell(path)) return readFileSync(path);
  if (!leadsInto(path, repositoryRoot(path)))
    throw new UnusableFileError('it is a link that leads out of the repository');
  return readRegularFile(path, mostBytes);
}

export function isPipeOfShell(path: string): boolean {
  return statSync(path).isFIFO() && workTreeOf(path) === undefined;
}

/** The first bytes of a regular file, whatever its size. */
export function readStartOfFile(path: string, bytes: number): Buffer {
  requireRegular(statSync(path).isFile());
  // eslint-disable-next-line no-bitwise -- flags of open are a bit set
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    requireRegular(fstatSync(descriptor).isFile());
    const start = Buffer.alloc(bytes);
    return start.subarray(0, readSync(descriptor, start, 0, bytes, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** The content of a regular file as text. */
export function readRegularText(path: string, mostBytes: number): string {
  return readRegularFile(path, mostBytes).toString('utf8');
}

function requireRegular(isRegular: boolean): void {
  if (!isRegular) throw new UnusableFileError('it is not a regular file');
}

function tooLarge(mostBytes: number): UnusableFileError {
  return new UnusableFileError(`it is larger than ${mostBytes / 1024 / 1024} MiB`);
}

function readAll(descriptor: number, mostBytes: number): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSync(descriptor, chunk, 0, CHUNK_BYTES, null);
    if (length === 0) return Buffer.concat(chunks, size);
    size += length;
    if (size > mostBytes) throw tooLarge(mostBytes);
    chunks.push(chunk.subarray(0, length));
  }
}
