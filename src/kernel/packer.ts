import { PackerProblem, PackerSolution, QuestionPart, StandingPart, Variations, VariationsPart } from './packer-problem';
import { PACKER_WASM_BASE64 } from './packer.generated';
import { readSets } from './requirement-sets';

/** What a solve may take. */
export interface PackerBounds {
  /** @default 1 GiB */
  readonly memoryBytes?: number;
  /** Counted, not timed: the same problem ends the same way on every machine. @default - about a minute's work */
  readonly steps?: number;
}

/** The kernel ran into one of its bounds: the problem is larger than it solves. The message says which, and what to do. */
export class PackerLimitError extends Error {}

interface WasmGlobal { value: number | bigint }
interface WasmExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly solve: () => void;
  readonly prepare: () => void;
  readonly answer: () => void;
  readonly forget: () => void;
  readonly beginVariations: () => void;
  readonly answerVariations: () => void;
  readonly allocate: (bytes: number) => number;
  readonly [name: string]: unknown;
}

// jsii compiles without the DOM library, the only one that declares WebAssembly.
interface WasmHost {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: WasmExports };
}
const host = (globalThis as unknown as { WebAssembly: WasmHost }).WebAssembly;

let compiled: object | undefined;

/** Runs one solve in an instance of its own, so that nothing of one problem reaches the next. @throws PackerLimitError */
export function pack(problem: PackerProblem, bounds: PackerBounds = {}): PackerSolution {
  const exports = instantiate(bounds);
  bounded(exports, () => {
    writeProblem(exports, problem);
    exports.solve();
  });
  return readSolution(exports, problem, readTemplates(exports, problem), { isLasting: false, isBrief: false });
}

/** Asks many questions about one problem: what they have in common is worked out once. */
export class StandingPacker {
  private readonly exports: WasmExports;
  private readonly templates: TemplatePart;

  /** @throws PackerLimitError */
  public constructor(private readonly standing: StandingPart, bounds: PackerBounds = {}) {
    this.exports = instantiate(bounds);
    bounded(this.exports, () => {
      writeProblem(this.exports, standing);
      this.exports.prepare();
    });
    this.templates = readTemplates(this.exports, standing);
  }

  /** Grows as more is worked out that may be of use again. */
  public get memoryBytes(): number {
    return this.exports.memory.buffer.byteLength;
  }

  /**
   * @param isBrief whether nothing tells why pods are left over where none are, as of most questions about a cluster none are
   * @throws PackerLimitError after which there is nothing more to ask of this packer
   */
  public pack(question: QuestionPart, isBrief = false): PackerSolution {
    this.answer(question);
    return readSolution(this.exports, this.standing, this.templates, { isLasting: true, isBrief });
  }

  /**
   * The placements alone of what `pack` answers.
   *
   * @throws PackerLimitError after which there is nothing more to ask of this packer
   */
  public placements(question: QuestionPart): Int32Array {
    const { exports } = this;
    this.answer(question);
    return new Int32Array(exports.memory.buffer, numberOf(exports, 'placements'), numberOf(exports, 'placementCount') * 2).slice();
  }

  /**
   * Per variation of a question 1 where a pod that comes in surely ends on a node that is not up yet; where it cannot be told it is 0.
   *
   * @throws PackerLimitError after which there is nothing more to ask of this packer
   */
  public endOnNodesNotUp(question: QuestionPart, inCommon: VariationsPart, { count, heads, words }: Variations): Uint8Array {
    const { exports } = this;
    globalOf(exports, 'steps').value = 0n;
    bounded(exports, () => {
      exports.forget();
      writeProblem(exports, question);
      writeProblem(exports, inCommon);
      globalOf(exports, 'variationCount').value = count;
      globalOf(exports, 'variationWords').value = words.length;
      exports.beginVariations();
      const written = new Int32Array(exports.memory.buffer, numberOf(exports, 'variations'), heads.length + words.length);
      written.set(heads);
      written.set(words, heads.length);
      exports.answerVariations();
    });
    return new Uint8Array(exports.memory.buffer, numberOf(exports, 'answers'), count).slice();
  }

  private answer(question: QuestionPart): void {
    const { exports } = this;
    globalOf(exports, 'steps').value = 0n;
    bounded(exports, () => {
      exports.forget();
      writeProblem(exports, question);
      exports.answer();
    });
  }
}

function instantiate(bounds: PackerBounds): WasmExports {
  compiled ??= new host.Module(Buffer.from(PACKER_WASM_BASE64, 'base64'));
  const { exports } = new host.Instance(compiled, { env: { abort: () => undefined } });
  if (bounds.memoryBytes !== undefined) globalOf(exports, 'memoryLimit').value = BigInt(bounds.memoryBytes);
  if (bounds.steps !== undefined) globalOf(exports, 'stepLimit').value = BigInt(bounds.steps);
  return exports;
}

function bounded(exports: WasmExports, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw limitError(exports, error) ?? error;
  }
}

/** As assembly/bounds.ts numbers the bounds. */
function limitError(exports: WasmExports, cause: unknown): PackerLimitError | undefined {
  const hit = globalOf(exports, 'boundHit').value;
  if (hit === 0) return undefined;
  const needs = hit === 1
    ? `more than ${Math.round(Number(globalOf(exports, 'memoryLimit').value) / 2 ** 20)} MiB of solver memory`
    : `more than ${globalOf(exports, 'stepLimit').value} solver steps`;
  return new PackerLimitError(`the problem needs ${needs}; check fewer pods or NodePools at once`, { cause });
}

function globalOf(exports: WasmExports, name: string): WasmGlobal {
  const found = exports[name];
  if (found === undefined) throw new Error(`the kernel exports no ${name}; rebuild it with 'npm run kernel'`);
  return found as WasmGlobal;
}

function numberOf(exports: WasmExports, name: string): number {
  return Number(globalOf(exports, name).value);
}

function writeProblem(exports: WasmExports, problem: StandingPart | QuestionPart | VariationsPart): void {
  const fields = problem as unknown as Readonly<Record<string, number | bigint | Column>>;
  const names = Object.keys(problem);
  let bytes = 0;
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'object') bytes += aligned(value.byteLength);
  }
  let address = exports.allocate(bytes);
  const memory = new WholeMemory(exports.memory.buffer);
  for (const name of names) {
    const value = fields[name];
    const isView = typeof value === 'object';
    globalOf(exports, name).value = isView ? address : value;
    if (!isView) continue;
    memory.write(value, address);
    address += aligned(value.byteLength);
  }
}

/** Columns are copied by what of their own kind sees the memory: to see them as bytes each would need a view of its own, which takes longer than to copy it. */
class WholeMemory {
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

  /** @param address of whole vectors */
  public write(column: Column, address: number): void {
    if (column instanceof Int32Array) this.ints.set(column, address / 4);
    else if (column instanceof BigInt64Array) this.longs.set(column, address / 8);
    else if (column instanceof BigUint64Array) this.words.set(column, address / 8);
    else this.bytes.set(column, address);
  }
}

type Column = Uint8Array | Int32Array | BigInt64Array | BigUint64Array;

/** To whole vectors, as the kernel's own memory is. */
function aligned(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}

/** What all questions about the same pools have in common. */
type TemplatePart = Pick<PackerSolution, 'typeBytes' | 'options' | 'groupStart' | 'groupTypes' | 'groupDaemons'>;

function readTemplates(exports: WasmExports, { typeCount, templateCount, daemonCount }: StandingPart): TemplatePart {
  const { buffer } = exports.memory;
  const bytes = (name: string, length: number) => new Uint8Array(buffer, numberOf(exports, name), length).slice();
  const typeBytes = Math.ceil(typeCount / 128) * 16;
  const groupStart = new Int32Array(buffer, numberOf(exports, 'groupStart'), templateCount + 1).slice();
  const groups = groupStart[templateCount];
  return {
    typeBytes,
    options: bytes('options', templateCount * typeBytes),
    groupStart,
    groupTypes: bytes('groupTypes', groups * typeBytes),
    groupDaemons: bytes('groupDaemons', groups * daemonCount),
  };
}

interface Reading {
  /** Whether there will be another question, which takes the memory of this one. */
  readonly isLasting: boolean;
  readonly isBrief: boolean;
}

function readSolution(exports: WasmExports, problem: StandingPart, templates: TemplatePart, { isLasting, isBrief }: Reading): PackerSolution {
  const { buffer } = exports.memory;
  const number = (name: string) => numberOf(exports, name);
  const bytes = (name: string, length: number) => length === 0 ? NO_BYTES : lasting(new Uint8Array(buffer, number(name), length), isLasting);
  const ints = (name: string, length: number) => length === 0 ? NO_INTS : lasting(new Int32Array(buffer, number(name), length), isLasting);
  const { typeBytes, options, groupStart, groupTypes, groupDaemons } = templates;
  const claimCount = number('claimCount');
  const planesPerClaim = number('planesPerClaim');
  const hostGroups = number('hostGroups');
  const leftovers = ints('leftovers', number('leftoverCount') * 2);
  const isTold = !isBrief || leftovers.length > 0;
  return {
    typeBytes,
    options,
    groupStart,
    groupTypes,
    groupDaemons,
    claimCount,
    claims: ints('claims', claimCount * 3),
    claimTypes: bytes('claimTypes', claimCount * typeBytes),
    claimPlanes: bytes('claimPlanes', claimCount * planesPerClaim),
    planesPerClaim,
    claimSets: claimCount === 0 ? NO_SETS : readClaimSets(exports, problem),
    placements: ints('placements', number('placementCount') * 2),
    leftovers,
    refusals: ints('refusals', isTold ? problem.classCount * problem.templateCount : 0),
    lastVariants: ints('lastVariants', isTold ? problem.classCount : 0),
    limitsLeft: isTold ? lasting(new BigInt64Array(buffer, number('limitRemaining'), problem.templateCount * problem.limitCount), isLasting) : NO_LIMITS,
    topologyCountStart: problem.topologyCountStart,
    topologyCounts: ints('topologyInitial', isTold ? number('countSize') : 0),
    hostCounts: ints('hostCounts', isTold && hostGroups > 0 ? number('hostCapacity') * hostGroups : 0),
    hostGroups,
    tries: number('tries'),
    steps: number('steps'),
    memoryBytes: buffer.byteLength,
  };
}

const NO_INTS = new Int32Array();
const NO_BYTES = new Uint8Array();
const NO_LIMITS = new BigInt64Array();
const NO_SETS: PackerSolution['claimSets'] = new Map();

function lasting<Some extends { slice: () => Some }>(numbers: Some, isLasting: boolean): Some {
  return isLasting ? numbers.slice() : numbers;
}

function readClaimSets(exports: WasmExports, standing: StandingPart): PackerSolution['claimSets'] {
  const number = (name: string) => numberOf(exports, name);
  const memory = new DataView(exports.memory.buffer);
  const claims = number('claims');
  const sets = new Set(Array.from({ length: number('claimCount') }, (_, claim) => memory.getInt32(claims + claim * 12 + 4, true)));
  return readSets(memory, { rows: number('rows'), rowBytes: number('rowBytes'), boundsAt: number('boundsAt'), flagsAt: number('flagsAt') }, standing, sets);
}
