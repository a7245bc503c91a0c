import { isDeepStrictEqual } from 'util';
import { mutant } from './mutant';
import { overfilled } from './overfilled';
import { fuzzScenario, FuzzScenario } from './scenario';
import { pack, PackerProblem, PackerSolution } from '../../../src/kernel';
import { costLowerBound, explainPod, podName, schedule, smallestChanges, solveInput } from '../../../src/scheduling';
import { classify } from '../../../src/scheduling/encoding/pod-classes';
import { encodeProblem } from '../../../src/scheduling/encoding/problem';
import { isStatic } from '../../../src/scheduling/input/schedule-input';
import { templatesOf } from '../../../src/scheduling/launch/pool-template';
import { nodeViews } from '../../../src/scheduling/nodes/existing-nodes';
import { Dice } from '../../support/schedule-scenario/dice';
import { violations } from '../verifier';

/** A dozen pods take some thousands of steps. A problem that reaches these bounds does not end. */
const BOUNDS = { steps: 20_000_000, memoryBytes: 2 ** 26 };
/** Larger amounts are reduced to this value. */
const CEILING = 2n ** 61n;
/** How many problems are derived from one input: the input itself, and mutants of it. */
export const PROBLEMS_PER_INPUT = 16;

/**
 * The failures of the solver for an input and its mutants, by the number of the problem.
 *
 * @param isVerified whether the plan of the input is also verified independently
 */
export function fuzzInput(seed: number, input: number, isVerified: boolean): Map<number, string> {
  const failures = new Map<number, string>();
  const run = (number: number, check: () => string | undefined) => {
    const failure = failureOf(check);
    if (failure !== undefined) failures.set(number, failure);
  };
  let problem: PackerProblem | undefined;
  run(0, () => {
    problem = encode(fuzzScenario(seed, input));
    // The scenario is generated again from the seed, so that the two runs share only what the encoder itself remembers.
    return (
      differing(problem, encode(fuzzScenario(seed, input))) ??
      solvedTwice(problem) ??
      (isVerified ? verified(fuzzScenario(seed, input)) : undefined)
    );
  });
  for (let number = 1; number < PROBLEMS_PER_INPUT && problem !== undefined; number++) {
    const base = problem;
    run(number, () => solvedTwice(mutant(base, new Dice(seed, input, number))));
  }
  return failures;
}

function failureOf(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (error) {
    return error instanceof Error ? error.stack : String(error);
  }
}

function solvedTwice(problem: PackerProblem): string | undefined {
  const first = pack(problem, BOUNDS);
  return differing(first, pack(problem, BOUNDS)) ?? miscounted(problem, first) ?? overfilled(problem, first);
}

function encode({ input, catalog }: FuzzScenario): PackerProblem {
  const { daemonSets, settings, pods: groups, nodes = [] } = input;
  return encodeProblem({
    templates: templatesOf(input, catalog),
    daemonSets,
    relaxedDaemonSets: daemonSets,
    nodes: nodeViews(nodes, daemonSets),
    groups,
    pods: classify(
      groups,
      input.nodePools.filter((pool) => !isStatic(pool)),
      settings,
      input,
    ),
    settings,
  }).problem;
}

/** The first field whose bytes differ. */
function differing<Fields extends object>(first: Fields, second: Fields): string | undefined {
  const name = (Object.keys(first) as Array<keyof Fields & string>).find(
    (field) => !isSame(first[field], second[field]),
  );
  return name === undefined ? undefined : `two runs differ in ${name}`;
}

function isSame(left: unknown, right: unknown): boolean {
  return ArrayBuffer.isView(left) && ArrayBuffer.isView(right)
    ? bytesOf(left).equals(bytesOf(right))
    : isDeepStrictEqual(left, right);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** Fails unless every pod is either placed or left over, once. */
function miscounted({ runCount, runs }: PackerProblem, { placements, leftovers }: PackerSolution): string | undefined {
  let pods = 0;
  for (let run = 0; run < runCount; run++) pods += runs[run * 3 + 1];
  let counted = placements.length / 2;
  for (let index = 1; index < leftovers.length; index += 2) counted += leftovers[index];
  return counted === pods ? undefined : `${pods} pods, ${counted} placed or left over`;
}

/** Verifies the plan independently, and checks that explanations and changes can be computed. */
function verified({ input, catalog }: FuzzScenario): string | undefined {
  const plan = schedule(input, catalog);
  const solved = solveInput(input, catalog);
  for (const [group, pods] of input.pods.entries()) if (pods.count > 0) explainPod(solved, group, podName(pods, 0));
  smallestChanges(input, catalog);
  costLowerBound(input, plan, catalog);
  // Amounts above the ceiling are all equal, so such a pod may be placed on a node with less.
  if (input.pods.some(({ shape }) => [...shape.requests.values()].some((amount) => amount >= CEILING)))
    return undefined;
  const failures = violations(input, plan, catalog);
  return failures.length === 0 ? undefined : failures.join('\n');
}
