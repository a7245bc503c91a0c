/* eslint-disable no-bitwise -- permissions of files are bit sets */
import { createHash } from 'crypto';
import { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, Stats, writeFileSync } from 'fs';
import { createRequire } from 'module';
import { dirname } from 'path';
import { arch, getuid, pid, version } from 'process';
import { Script } from 'vm';

const DIGEST_LINE = /^\/\/ ([0-9a-f]{16})[0-9a-f]{48}\n/;
const DIGEST_BYTES = 32;
/** Readable by all users, writable by its owner only. A umask can only remove permissions from these. */
const CACHE_MODE = 0o644;
const WRITABLE_BY_OTHERS = 0o022;
const ROOT = 0;

/**
 * A CommonJS module whose compiled code is cached in a file beside it: a short command spends a fifth of its time on
 * compiling.
 *
 * The first line of the module is its digest. It is part of the cache's name, because V8 itself compares only the
 * length of the source. A cache of another V8 version, or an incomplete one, is replaced. If the folder is not
 * writable, there is no cache.
 *
 * V8 runs whatever the cache contains. A cache is therefore used only if no other user could have written it.
 *
 * @see https://nodejs.org/api/vm.html#scriptcreatecacheddata
 */
export class CompiledModule {
  private readonly script: Script;
  /** Undefined if the module has no digest. */
  private readonly cacheFile?: string;
  private readonly isCached: boolean;

  /** @param use - the command of the process; each command has its own cache, because it calls other functions */
  public constructor(
    private readonly file: string,
    use: string,
  ) {
    const source = readFileSync(file, 'utf8');
    const digest = DIGEST_LINE.exec(source)?.[1];
    if (digest !== undefined) this.cacheFile = `${file}.${digest}-${version}-${arch}-${use}.cache`;
    const cachedData = this.cacheFile === undefined ? undefined : readCache(this.cacheFile);
    this.script = new Script(`(function (exports, require, module, __filename, __dirname) { ${source}\n})`, {
      filename: file,
      cachedData,
    });
    this.isCached = cachedData !== undefined && this.script.cachedDataRejected === false;
  }

  /** Runs the module, and returns its exports. */
  public load(): unknown {
    const module = { exports: {} };
    const run = this.script.runInThisContext() as (...parts: unknown[]) => void;
    run(module.exports, createRequire(this.file), module, this.file, dirname(this.file));
    return module.exports;
  }

  /** Writes the cache. Call it at the end of the process, because V8 compiles only functions that have been called. */
  public writeCodeCache(): void {
    if (this.cacheFile !== undefined && !this.isCached) writeCache(this.cacheFile, this.script.createCachedData());
  }
}

/** The cache starts with a digest of its data, because V8 aborts the process on corrupt data. */
function readCache(file: string): Buffer | undefined {
  const bytes = ifPossible(() => readOwnFile(file));
  const data = bytes?.subarray(DIGEST_BYTES);
  return data && bytes?.subarray(0, DIGEST_BYTES).equals(digestOf(data)) ? data : undefined;
}

/**
 * The content of a file that no other user could have written; undefined for other files. The folder is not checked: if
 * others can write it, they can also replace the module itself.
 */
function readOwnFile(file: string): Buffer | undefined {
  const descriptor = openSync(file, 'r');
  try {
    return isOnlyWritableByUs(fstatSync(descriptor)) ? readFileSync(descriptor) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Windows has neither user ids nor these permissions. */
function isOnlyWritableByUs({ uid, mode }: Stats): boolean {
  return getuid === undefined || ([ROOT, getuid()].includes(uid) && (mode & WRITABLE_BY_OTHERS) === 0);
}

/** Fails if the unfinished file exists, because another user may have created it with permissions to write it. */
function writeCache(file: string, data: Buffer): void {
  ifPossible(() => {
    const unfinished = `${file}.${pid}`;
    const descriptor = openSync(unfinished, 'wx', CACHE_MODE);
    try {
      writeFileSync(descriptor, Buffer.concat([digestOf(data), data]));
      renameSync(unfinished, file);
    } catch (error) {
      rmSync(unfinished, { force: true });
      throw error;
    } finally {
      closeSync(descriptor);
    }
  });
}

function digestOf(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

function ifPossible<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
