import { PACKER_WASM_BASE64 } from './packer.generated';

/**
 * The problem as the kernel reads it: numbers and flat arrays, named as the exported globals of assembly/input.ts, which
 * says what each holds.
 */
export interface PackerProblem {
  readonly typeCount: number;
  readonly keyCount: number;
  readonly viewCount: number;
  readonly resourceCount: number;
  readonly keyWordStart: Int32Array;
  readonly keyValueCount: Int32Array;
  readonly keyWellKnown: Uint8Array;
  readonly valueInteger: BigInt64Array;
  readonly valueIsInteger: Uint8Array;
  readonly viewHasKey: Uint8Array;
  readonly viewValueTypes: Int32Array;
  readonly valueTypes: Uint8Array;
  readonly allocatable: BigInt64Array;
  readonly viewUsable: Uint8Array;
  readonly planeStart: Int32Array;
  readonly planeTermStart: Int32Array;
  readonly planeTerms: Int32Array;
  readonly planeTypes: Uint8Array;
  readonly reservationCount: number;
  readonly reservationFree: Int32Array;
  readonly planeReservation: Int32Array;
  readonly reservedFallback: number;
  readonly givenSets: number;
  readonly givenFlags: Uint8Array;
  readonly givenGte: BigInt64Array;
  readonly givenLte: BigInt64Array;
  readonly givenWords: BigUint64Array;
  readonly templateCount: number;
  readonly templateView: Int32Array;
  readonly templateSet: Int32Array;
  readonly templateNodes: BigInt64Array;
  readonly limitCount: number;
  readonly limitRemaining: BigInt64Array;
  readonly limitCapacity: BigInt64Array;
  readonly minValuesStart: Int32Array;
  readonly minValues: Int32Array;
  readonly minValuesBestEffort: number;
  readonly daemonCount: number;
  readonly daemonRequests: BigInt64Array;
  readonly daemonVariantStart: Int32Array;
  readonly daemonVariantSet: Int32Array;
  readonly daemonTolerates: Uint8Array;
  readonly portWords: number;
  readonly daemonPorts: BigUint64Array;
  readonly classPorts: BigUint64Array;
  readonly classPortConflicts: BigUint64Array;
  readonly classCount: number;
  readonly classRequests: BigInt64Array;
  readonly classVariantStart: Int32Array;
  readonly variantSet: Int32Array;
  readonly variantTolerates: Uint8Array;
  readonly classVolumeStart: Int32Array;
  readonly classVolumeSets: Int32Array;
  readonly taintSetCount: number;
  readonly nodeCount: number;
  readonly nodeSet: Int32Array;
  readonly nodeTaintSet: Int32Array;
  readonly nodeRemaining: BigInt64Array;
  readonly nodePorts: BigUint64Array;
  readonly nodeUsable: Uint8Array;
  readonly variantStrictSet: Int32Array;
  readonly topologyCount: number;
  readonly topologyKey: Int32Array;
  readonly topologyType: Int32Array;
  readonly topologyMaxSkew: Int32Array;
  readonly topologyMinDomains: Int32Array;
  readonly topologyActive: Uint8Array;
  readonly topologyDomainStart: Int32Array;
  readonly topologyDomains: BigUint64Array;
  readonly topologyInitial: Int32Array;
  readonly hostInitial: Int32Array;
  readonly topologyFilterStart: Int32Array;
  readonly topologyFilters: Int32Array;
  readonly topologyTolerates: Uint8Array;
  readonly variantGroupStart: Int32Array;
  readonly variantGroups: Int32Array;
  readonly variantGroupSelf: Uint8Array;
  readonly classCountedStart: Int32Array;
  readonly classCounted: Int32Array;
  readonly classGuardStart: Int32Array;
  readonly classGuards: Int32Array;
  readonly classInverseStart: Int32Array;
  readonly classInverse: Int32Array;
  readonly runCount: number;
  readonly runs: Int32Array;
}

/** What the kernel decided. Type bitsets are `typeBytes` long, bit `i` is type `i`. */
export interface PackerSolution {
  readonly typeBytes: number;
  /** Per template. */
  readonly options: Uint8Array;
  /** `[templateCount + 1]`: where each template's daemonset groups start. */
  readonly groupStart: Int32Array;
  readonly groupTypes: Uint8Array;
  /** `[groups × daemonCount]`: 1 where the daemonset runs on the group's types. */
  readonly groupDaemons: Uint8Array;
  readonly claimCount: number;
  /** Per claim: template, the kernel's requirement set, pods. */
  readonly claims: Int32Array;
  readonly claimTypes: Uint8Array;
  /** `[claimCount × planesPerClaim]`: 1 for each offering plane of the claim's view that its requirements and reservations leave. */
  readonly claimPlanes: Uint8Array;
  readonly planesPerClaim: number;
  /** Pairs (group, claim), in order of placement; an existing node is -1 less its number. */
  readonly placements: Int32Array;
  /** Pairs (group, pods left over). */
  readonly leftovers: Int32Array;
  /** `[classCount × templateCount]`: a `Refusal`, with `FilterFlag`s on top of `Refusal.FILTERED`. */
  readonly refusals: Int32Array;
  /** Per class: the number, among its own, of the variant that the refusals are of. */
  readonly lastVariants: Int32Array;
  /** `[templateCount × limitCount]`: what is left of each limit; of one that a template does not have, the largest i64. */
  readonly limitsLeft: BigInt64Array;
  /** Per topology group: where its counts start in `topologyCounts`; of a group over hosts, its column in `hostCounts`. */
  readonly topologyCountStart: Int32Array;
  /** Pods per value of the group's label. */
  readonly topologyCounts: Int32Array;
  /** `[(existing nodes + claims) × hostGroups]`, as far as some pod was counted. */
  readonly hostCounts: Int32Array;
  readonly hostGroups: number;
  /** How many times a claim or template was tried. */
  readonly tries: number;
  /** What counts towards the bound of steps. */
  readonly steps: number;
  /** What the kernel's memory has grown to. */
  readonly memoryBytes: number;
}

/** Why a template does not take a pod, as assembly/attempts.ts numbers it. */
export enum Refusal {
  NONE = 0,
  TAINT = 1,
  REQUIREMENTS = 2,
  NODE_LIMIT = 3,
  LIMITS = 4,
  MIN_VALUES = 5,
  /** In the low byte; the topology group's number plus one stands above it. */
  TOPOLOGY = 6,
  VOLUMES = 7,
  /** Not refused, but put off until other claims are launched. */
  RESERVED = 8,
  RESERVATIONS_FULL = 9,
  FILTERED = 64,
}

/** Which criteria some instance type met, where none met all. */
export enum FilterFlag {
  REQUIREMENTS = 1,
  FITS = 2,
  OFFERING = 4,
  REQUIREMENTS_AND_FITS = 8,
  REQUIREMENTS_AND_OFFERING = 16,
  FITS_AND_OFFERING = 32,
}

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
  compiled ??= new host.Module(Buffer.from(PACKER_WASM_BASE64, 'base64'));
  const { exports } = new host.Instance(compiled, { env: { abort: () => undefined } });
  if (bounds.memoryBytes !== undefined) globalOf(exports, 'memoryLimit').value = BigInt(bounds.memoryBytes);
  if (bounds.steps !== undefined) globalOf(exports, 'stepLimit').value = BigInt(bounds.steps);
  try {
    writeProblem(exports, problem);
    exports.solve();
  } catch (error) {
    throw limitError(exports, error) ?? error;
  }
  return readSolution(exports, problem);
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

function writeProblem(exports: WasmExports, problem: PackerProblem): void {
  const fields = Object.entries(problem) as Array<[string, number | ArrayBufferView]>;
  let address = exports.allocate(fields.reduce((sum, [, value]) => sum + (typeof value === 'number' ? 0 : aligned(value.byteLength)), 0));
  const memory = new Uint8Array(exports.memory.buffer);
  for (const [name, value] of fields) {
    globalOf(exports, name).value = typeof value === 'number' ? value : address;
    if (typeof value === 'number') continue;
    memory.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), address);
    address += aligned(value.byteLength);
  }
}

/** To whole vectors, as the kernel's own memory is. */
function aligned(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}

function readSolution(exports: WasmExports, problem: PackerProblem): PackerSolution {
  const number = (name: string) => Number(globalOf(exports, name).value);
  const bytes = (name: string, length: number) => new Uint8Array(exports.memory.buffer, number(name), length);
  const ints = (name: string, length: number) => new Int32Array(exports.memory.buffer, number(name), length);
  const typeBytes = Math.ceil(problem.typeCount / 128) * 16;
  const groupStart = ints('groupStart', problem.templateCount + 1);
  const groups = groupStart[problem.templateCount];
  const claimCount = number('claimCount');
  return {
    typeBytes,
    options: bytes('options', problem.templateCount * typeBytes),
    groupStart,
    groupTypes: bytes('groupTypes', groups * typeBytes),
    groupDaemons: bytes('groupDaemons', groups * problem.daemonCount),
    claimCount,
    claims: ints('claims', claimCount * 3),
    claimTypes: bytes('claimTypes', claimCount * typeBytes),
    claimPlanes: bytes('claimPlanes', claimCount * number('planesPerClaim')),
    planesPerClaim: number('planesPerClaim'),
    placements: ints('placements', number('placementCount') * 2),
    leftovers: ints('leftovers', number('leftoverCount') * 2),
    refusals: ints('refusals', problem.classCount * problem.templateCount),
    lastVariants: ints('lastVariants', problem.classCount),
    limitsLeft: new BigInt64Array(exports.memory.buffer, number('limitRemaining'), problem.templateCount * problem.limitCount),
    topologyCountStart: ints('countStart', problem.topologyCount),
    topologyCounts: ints('counts', number('countSize')),
    hostCounts: ints('hostCounts', number('hostCapacity') * number('hostGroups')),
    hostGroups: number('hostGroups'),
    tries: number('tries'),
    steps: number('steps'),
    memoryBytes: exports.memory.buffer.byteLength,
  };
}
