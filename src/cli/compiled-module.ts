import { createHash } from 'crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'fs';
import { createRequire } from 'module';
import { dirname } from 'path';
import { arch, pid, version } from 'process';
import { Script } from 'vm';

const DIGEST_LINE = /^\/\/ ([0-9a-f]{16})[0-9a-f]{48}\n/;
const DIGEST_BYTES = 32;

/**
 * A CommonJS module with what V8 has compiled of it, kept in a file beside it for the next process: a short command spends a fifth of its
 * time on compiling. The module's first line is a digest of it, as V8 itself tells two texts of one length apart no better than by that.
 * What is not of this V8, or not whole, is replaced. Where nothing can be written nothing is kept.
 *
 * @see https://nodejs.org/api/vm.html#scriptcreatecacheddata
 */
export class CompiledModule {
  private readonly script: Script;
  /** Undefined without a digest. */
  private readonly keptIn?: string;
  private readonly isKept: boolean;

  /** @param use - what the process does; each use has a file of its own, as it calls other functions */
  public constructor(private readonly file: string, use: string) {
    const source = readFileSync(file, 'utf8');
    const digest = DIGEST_LINE.exec(source)?.[1];
    if (digest !== undefined) this.keptIn = `${file}.${digest}-${version}-${arch}-${use}.cache`;
    const cachedData = this.keptIn === undefined ? undefined : readKept(this.keptIn);
    this.script = new Script(`(function (exports, require, module, __filename, __dirname) { ${source}\n})`, { filename: file, cachedData });
    this.isKept = cachedData !== undefined && this.script.cachedDataRejected === false;
  }

  /** Runs it, and returns its exports. */
  public load(): unknown {
    const module = { exports: {} };
    const run = this.script.runInThisContext() as (...parts: unknown[]) => void;
    run(module.exports, createRequire(this.file), module, this.file, dirname(this.file));
    return module.exports;
  }

  /** To be called when all has been run: only what has been called is compiled. */
  public keep(): void {
    if (this.keptIn !== undefined && !this.isKept) writeKept(this.keptIn, this.script.createCachedData());
  }
}

/** V8 ends the process over data with an error in it, so that a digest goes before. */
function readKept(file: string): Buffer | undefined {
  const bytes = ifPossible(() => readFileSync(file));
  const data = bytes?.subarray(DIGEST_BYTES);
  return data && bytes?.subarray(0, DIGEST_BYTES).equals(digestOf(data)) ? data : undefined;
}

function writeKept(file: string, data: Buffer): void {
  const unfinished = `${file}.${pid}`;
  const isWritten = ifPossible(() => {
    writeFileSync(unfinished, Buffer.concat([digestOf(data), data]));
    renameSync(unfinished, file);
    return true;
  });
  if (!isWritten) ifPossible(() => rmSync(unfinished, { force: true }));
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
