/* eslint-disable no-bitwise -- values are bits */
import { KeyRequirement, PackerSolution, SharedProblem } from './packer-problem';
import { WasmInstance } from './wasm-instance';

/** The part of a solution that depends only on what queries share. */
export type TemplateSolution = Pick<
  PackerSolution,
  'typeBytes' | 'options' | 'groupStart' | 'groupTypes' | 'groupDaemons'
>;

export function readTemplateSolution(
  instance: WasmInstance,
  { typeCount, templateCount, daemonCount }: SharedProblem,
): TemplateSolution {
  const { buffer } = instance;
  const bytes = (name: string, length: number) => new Uint8Array(buffer, instance.number(name), length).slice();
  const typeBytes = Math.ceil(typeCount / 128) * 16;
  const groupStart = new Int32Array(buffer, instance.number('groupStart'), templateCount + 1).slice();
  const groups = groupStart[templateCount];
  return {
    typeBytes,
    options: bytes('options', templateCount * typeBytes),
    groupStart,
    groupTypes: bytes('groupTypes', groups * typeBytes),
    groupDaemons: bytes('groupDaemons', groups * daemonCount),
  };
}

interface ReadOptions {
  /** Whether to copy the solution, because the next query overwrites the memory. */
  readonly copies: boolean;
  readonly isBrief: boolean;
}

export function readSolution(
  instance: WasmInstance,
  problem: SharedProblem,
  templates: TemplateSolution,
  { copies, isBrief }: ReadOptions,
): PackerSolution {
  const { buffer } = instance;
  const number = (name: string) => instance.number(name);
  const bytes = (name: string, length: number) =>
    length === 0 ? NO_BYTES : copied(new Uint8Array(buffer, number(name), length), copies);
  const ints = (name: string, length: number) =>
    length === 0 ? NO_INTS : copied(new Int32Array(buffer, number(name), length), copies);
  const longs = (name: string, length: number) => copied(new BigInt64Array(buffer, number(name), length), copies);
  const { typeBytes, options, groupStart, groupTypes, groupDaemons } = templates;
  const claimCount = number('claimCount');
  const planesPerClaim = number('planesPerClaim');
  const hostGroups = number('hostGroups');
  const leftovers = ints('leftovers', number('leftoverCount') * 2);
  const hasReasons = !isBrief || leftovers.length > 0;
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
    claimSets: claimCount === 0 ? NO_SETS : readClaimSets(instance, problem),
    placements: ints('placements', number('placementCount') * 2),
    leftovers,
    refusals: ints('refusals', hasReasons ? problem.classCount * problem.templateCount : 0),
    lastVariants: ints('lastVariants', hasReasons ? problem.classCount : 0),
    limitsLeft: hasReasons ? longs('limitRemaining', problem.templateCount * problem.limitCount) : NO_LIMITS,
    topologyCountStart: problem.topologyCountStart,
    topologyCounts: ints('topologyInitial', hasReasons ? number('countSize') : 0),
    hostCounts: ints('hostCounts', hasReasons && hostGroups > 0 ? number('hostCapacity') * hostGroups : 0),
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

function copied<Numbers extends { slice: () => Numbers }>(numbers: Numbers, copies: boolean): Numbers {
  return copies ? numbers.slice() : numbers;
}

function readClaimSets(instance: WasmInstance, shared: SharedProblem): PackerSolution['claimSets'] {
  const memory = new DataView(instance.buffer);
  const claims = instance.number('claims');
  const sets = new Set(
    Array.from({ length: instance.number('claimCount') }, (_, claim) => memory.getInt32(claims + claim * 12 + 4, true)),
  );
  const [rows, rowBytes, boundsAt, flagsAt] = ['rows', 'rowBytes', 'boundsAt', 'flagsAt'].map((name) =>
    instance.number(name),
  );
  return new Map(
    [...sets].map((set) => [
      set,
      readRequirementSet(memory, { row: rows + set * rowBytes, boundsAt, flagsAt }, shared),
    ]),
  );
}

/** The position of a requirement set in memory. assembly/requirement-rows.ts defines the layout. */
interface RowLayout {
  readonly row: number;
  readonly boundsAt: number;
  readonly flagsAt: number;
}

const DEFINED = 1;
const COMPLEMENT = 2;
const HAS_GTE = 4;
const HAS_LTE = 8;

/**
 * The requirements of a set on labels that are not well known, and the values of well-known labels that it excludes.
 */
function readRequirementSet(
  memory: DataView,
  { row, boundsAt, flagsAt }: RowLayout,
  { keyWellKnown, keyWordStart }: SharedProblem,
): KeyRequirement[] {
  const requirements: KeyRequirement[] = [];
  for (let key = 0; key < keyWellKnown.length; key++) {
    const flags = memory.getUint8(row + flagsAt + key);
    if ((flags & DEFINED) === 0 || (keyWellKnown[key] !== 0 && (flags & COMPLEMENT) === 0)) continue;
    const bounds = row + boundsAt + key * 16;
    requirements.push({
      key,
      complement: (flags & COMPLEMENT) !== 0,
      values: bitsBetween(memory, row + keyWordStart[key] * 8, row + keyWordStart[key + 1] * 8),
      ...((flags & HAS_GTE) === 0 ? {} : { gte: memory.getBigInt64(bounds, true) }),
      ...((flags & HAS_LTE) === 0 ? {} : { lte: memory.getBigInt64(bounds + 8, true) }),
    });
  }
  return requirements;
}

function bitsBetween(memory: DataView, start: number, end: number): number[] {
  const bits: number[] = [];
  for (let address = start; address < end; address++) {
    const byte = memory.getUint8(address);
    for (let bit = 0; byte >> bit > 0; bit++) if ((byte >> bit) % 2 === 1) bits.push((address - start) * 8 + bit);
  }
  return bits;
}
