import { PACKER_WASM_BASE64 } from './packer.generated';

/** Limits on the resources of one solve. */
export interface PackerBounds {
  /** @default 1 GiB */
  readonly memoryBytes?: number;
  /**
   * Steps are counted, not timed, so that the same problem ends in the same way on every machine. @default - about a
   * minute of work
   */
  readonly steps?: number;
}

/** The kernel ran into one of its bounds: the problem is too large. The message names the bound, and what to do. */
export class PackerLimitError extends Error {}

interface WasmGlobal {
  value: number | bigint;
}
interface WasmExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly solve: () => void;
  readonly prepare: () => void;
  readonly solveQuery: () => void;
  readonly beginQuery: () => void;
  readonly beginWhatIfQueries: () => void;
  readonly solveWhatIfQueries: () => void;
  readonly allocate: (bytes: number) => number;
  readonly [name: string]: unknown;
}

// jsii compiles without the DOM library, the only one that declares WebAssembly.
interface WasmHost {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: WasmExports };
}
const host = (globalThis as unknown as { WebAssembly: WasmHost }).WebAssembly;

let compiledModule: object | undefined;

type Column = Uint8Array | Int32Array | BigInt64Array | BigUint64Array;

/** One instance of the kernel with a memory of its own. */
export class WasmInstance {
  public readonly exports: WasmExports;

  public constructor(bounds: PackerBounds) {
    compiledModule ??= new host.Module(Buffer.from(PACKER_WASM_BASE64, 'base64'));
    this.exports = new host.Instance(compiledModule, { env: { abort: () => undefined } }).exports;
    if (bounds.memoryBytes !== undefined) this.setNumber('memoryLimit', BigInt(bounds.memoryBytes));
    if (bounds.steps !== undefined) this.setNumber('stepLimit', BigInt(bounds.steps));
  }

  /** The memory. Views of it are valid until the kernel allocates again. */
  public get buffer(): ArrayBuffer {
    return this.exports.memory.buffer;
  }

  public number(name: string): number {
    return Number(this.global(name).value);
  }

  public setNumber(name: string, value: number | bigint): void {
    this.global(name).value = value;
  }

  /** @throws PackerLimitError if the work runs into a bound */
  public run(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw this.limitError(error) ?? error;
    }
  }

  /**
   * Writes each property to the exported global of the same name: a number as it is, an array as the address of a copy
   * in memory.
   */
  public write(problem: object): void {
    const fields = problem as Readonly<Record<string, number | bigint | Column>>;
    const names = Object.keys(problem);
    let bytes = 0;
    for (const name of names) {
      const value = fields[name];
      if (typeof value === 'object') bytes += aligned(value.byteLength);
    }
    let address = this.exports.allocate(bytes);
    const memory = new MemoryWriter(this.buffer);
    for (const name of names) {
      const value = fields[name];
      const isColumn = typeof value === 'object';
      this.setNumber(name, isColumn ? address : value);
      if (!isColumn) continue;
      memory.write(value, address);
      address += aligned(value.byteLength);
    }
  }

  /** The numbers of the bounds are defined in assembly/bounds.ts. */
  private limitError(cause: unknown): PackerLimitError | undefined {
    const bound = this.global('boundHit').value;
    if (bound === 0) return undefined;
    const needs =
      bound === 1
        ? `more than ${Math.round(this.number('memoryLimit') / 2 ** 20)} MiB of solver memory`
        : `more than ${this.global('stepLimit').value} solver steps`;
    return new PackerLimitError(`the problem needs ${needs}; check fewer pods or NodePools at once`, { cause });
  }

  private global(name: string): WasmGlobal {
    const value = this.exports[name];
    if (value === undefined) throw new Error(`the kernel exports no ${name}; rebuild it with 'npm run kernel'`);
    return value as WasmGlobal;
  }
}

/**
 * Copies columns with a view of the memory of the same element type. A byte view of each column would take longer to
 * create than the copy takes.
 */
class MemoryWriter {
  private readonly bytes: Uint8Array;
  private readonly ints: Int32Array;
  private readonly longs: BigInt64Array;
  private readonly words: BigUint64Array;

  public constructor(buffer: ArrayBuffer) {
    this.bytes = new Uint8Array(buffer);
    this.ints = new Int32Array(buffer);
    this.longs = new BigInt64Array(buffer);
    this.words = new BigUint64Array(buffer);
  }

  /** @param address a multiple of 16 */
  public write(column: Column, address: number): void {
    if (column instanceof Int32Array) this.ints.set(column, address / 4);
    else if (column instanceof BigInt64Array) this.longs.set(column, address / 8);
    else if (column instanceof BigUint64Array) this.words.set(column, address / 8);
    else this.bytes.set(column, address);
  }
}

/** Rounds up to whole SIMD vectors, as the allocator of the kernel does. */
function aligned(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}
