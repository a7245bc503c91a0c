/* eslint-disable no-bitwise -- sets of instance types and label values are bit sets */
import { PackerProblem } from '../../../src/kernel';
import { Dice } from '../../support/schedule-scenario/dice';

/** The encoder never writes larger amounts. */
const CEILING = 2n ** 61n;
const UNLIMITED = 2n ** 63n - 1n;
const AMOUNTS = [0n, 1n, 4n, 100n, 1000n, 4000n, 2n ** 30n, 2n ** 34n, CEILING, -1n, -4000n, -CEILING];
const MAX_PODS = 12;
const WORD = 64;

type Fields = { -readonly [Field in keyof PackerProblem]: PackerProblem[Field] };
type Mutation = (problem: Fields, dice: Dice) => void;

/** The problem with some numbers replaced by others that the encoder could have written. */
export function mutant(problem: PackerProblem, dice: Dice): PackerProblem {
  const changed: Fields = { ...problem };
  for (let change = dice.between(1, 4); change > 0; change--) dice.pick(MUTATIONS)(changed, dice);
  return changed;
}

const MUTATIONS: readonly Mutation[] = [
  ...(['classRequests', 'daemonRequests', 'allocatable', 'nodeRemaining', 'limitCapacity'] as const).map(
    (field): Mutation =>
      (problem, dice) => {
        problem[field] = someOf(problem[field], dice, () => dice.pick(AMOUNTS));
      },
  ),
  ...(['limitRemaining', 'templateNodes'] as const).map(
    (field): Mutation =>
      (problem, dice) => {
        problem[field] = someOf(problem[field], dice, () => dice.pick([UNLIMITED, 0n, 1n, 3n, 8000n, -CEILING]));
      },
  ),
  ...(
    [
      'daemonTolerates',
      'variantTolerates',
      'topologyTolerates',
      'topologyActive',
      'nodeUsable',
      'nodeShared',
      'keyWellKnown',
      'variantGroupSelf',
    ] as const
  ).map(
    (field): Mutation =>
      (problem, dice) => {
        problem[field] = someOf(problem[field], dice, () => dice.between(0, 1));
      },
  ),
  ...(
    [
      'variantSet',
      'variantStrictSet',
      'nodeSet',
      'templateSet',
      'daemonVariantSet',
      'classVolumeSets',
      'topologyFilters',
    ] as const
  ).map(
    (field): Mutation =>
      (problem, dice) => {
        problem[field] = someOf(problem[field], dice, () => dice.between(0, problem.givenSets - 1));
      },
  ),
  ...(['variantGroups', 'classCounted', 'classInverseAntiAffinity', 'classOwnAntiAffinity'] as const).map(
    (field): Mutation =>
      (problem, dice) => {
        problem[field] = someOf(problem[field], dice, () => dice.between(0, problem.topologyCount - 1));
      },
  ),
  ...(['daemonPorts', 'classPorts', 'classPortConflicts', 'nodePorts'] as const).map(
    (field): Mutation =>
      (problem, dice) => {
        problem[field] = someOf(problem[field], dice, () => BigInt(dice.between(0, 15)));
      },
  ),
  (problem, dice) => {
    problem.topologyMaxSkew = someOf(problem.topologyMaxSkew, dice, () => dice.pick([1, 2, 5, 2 ** 31 - 1]));
  },
  (problem, dice) => {
    problem.topologyMinDomains = someOf(problem.topologyMinDomains, dice, () => dice.pick([-1, 0, 1, 3, 2 ** 31 - 1]));
  },
  (problem, dice) => {
    problem.topologyType = someOf(problem.topologyType, dice, () => dice.between(0, 2));
  },
  (problem, dice) => {
    problem.topologyInitial = someOf(problem.topologyInitial, dice, () => dice.between(0, 3));
  },
  (problem, dice) => {
    problem.hostInitial = someOf(problem.hostInitial, dice, () => dice.between(0, 3));
  },
  (problem, dice) => {
    problem.reservationFree = someOf(problem.reservationFree, dice, () => dice.between(0, 3));
  },
  (problem, dice) => {
    problem.nodeTaintSet = someOf(problem.nodeTaintSet, dice, () => dice.between(0, problem.taintSetCount - 1));
  },
  (problem, dice) => {
    problem.templateView = someOf(problem.templateView, dice, () => dice.between(0, problem.viewCount - 1));
  },
  (problem, dice) => {
    problem.minValues = problem.minValues.map((value, index) =>
      index % 2 === 1 && dice.chance(0.5) ? dice.between(0, 4) : value,
    );
  },
  (problem) => {
    problem.minValuesBestEffort = 1 - problem.minValuesBestEffort;
  },
  (problem, dice) => {
    problem.runs = shuffledRuns(problem.runs, dice);
  },
  (problem, dice) => {
    problem.givenWords = flipValueBits(problem, problem.givenWords, dice);
  },
  ...(['valueTypes', 'planeTypes', 'viewUsable'] as const).map(
    (field): Mutation =>
      (problem, dice) => {
        problem[field] = flipTypeBits(problem, problem[field], dice);
      },
  ),
];

interface Numbers<Value> {
  map(change: (value: Value) => Value): this;
}

function someOf<Value, List extends Numbers<Value>>(list: List, dice: Dice, replacement: () => Value): List {
  const share = dice.pick([0.1, 0.5]);
  return list.map((value) => (dice.chance(share) ? replacement() : value));
}

/** The runs with random pod counts, in random order. */
function shuffledRuns(originalRuns: Int32Array, dice: Dice): Int32Array {
  const triples = Array.from({ length: originalRuns.length / 3 }, (_, run) =>
    originalRuns.subarray(run * 3, run * 3 + 3),
  );
  let left = MAX_PODS;
  return Int32Array.from(
    triples
      .map((triple) => ({ triple, position: dice.fraction() }))
      .sort((leftItem, rightItem) => leftItem.position - rightItem.position)
      .flatMap(({ triple: [podClass, , group] }) => {
        const count = dice.between(0, left);
        left -= count;
        return [podClass, count, group];
      }),
  );
}

/** Flips bits of instance types. Bits after the last instance type stay as they are. */
function flipTypeBits({ typeCount }: Fields, bits: Uint8Array, dice: Dice): Uint8Array {
  const bytes = Math.ceil(typeCount / 128) * 16;
  return bits.map((byte, index) => {
    const first = (index % bytes) * 8;
    const width = Math.max(0, Math.min(8, typeCount - first));
    return dice.chance(0.3) ? byte ^ dice.between(0, 2 ** width - 1) : byte;
  });
}

/** Flips values of the labels that a requirement set defines. */
function flipValueBits(
  { keyCount, keyWordStart, keyValueCount, givenFlags }: Fields,
  words: BigUint64Array,
  dice: Dice,
): BigUint64Array {
  const wordCount = keyWordStart[keyCount];
  const keyOfWord = Array.from({ length: wordCount }, (_, word) =>
    keyWordStart.findIndex((start, key) => start <= word && word < keyWordStart[key + 1]),
  );
  return words.map((value, index) => {
    const word = index % wordCount;
    const key = keyOfWord[word];
    const isDefined = (givenFlags[Math.floor(index / wordCount) * keyCount + key] & 1) === 1;
    const width = Math.max(0, Math.min(8, keyValueCount[key] - (word - keyWordStart[key]) * WORD));
    return isDefined && dice.chance(0.3) ? value ^ BigInt(dice.between(0, 2 ** width - 1)) : value;
  });
}
