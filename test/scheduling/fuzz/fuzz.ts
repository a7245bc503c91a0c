import { isDeepStrictEqual } from 'util';
import { mutant } from './mutant';
import { overfilled } from './overfilled';
import { fuzzScenario, FuzzScenario } from './scenario';
import { Dice } from '../../../conformance/schedule/scenario/dice';
import { pack, PackerProblem, PackerSolution } from '../../../src/kernel';
import { costLowerBound, explainPod, podName, schedule, smallestChanges, solveInput } from '../../../src/scheduling';
import { nodeViews } from '../../../src/scheduling/existing-nodes';
import { classify } from '../../../src/scheduling/pod-classes';
import { encodeProblem } from '../../../src/scheduling/problem';
import { isStatic } from '../../../src/scheduling/static-pools';
import { templatesOf } from '../../../src/scheduling/templates';
import { violations } from '../verifier';

/** A dozen pods take some thousands of steps: what takes as many as these will never end. */
const BOUNDS = { steps: 20_000_000, memoryBytes: 2 ** 26 };
/** Larger amounts count as this much. */
const CEILING = 2n ** 61n;
/** Problems that are made of one input: it as it is, and with other figures. */
export const OF_ONE_INPUT = 16;

/**
 * What is wrong with the solver's answers to an input and its mutants, by their number; nothing where all is well.
 *
 * @param isVerified whether the plan of the input is looked at from outside too
 */
export function fuzzInput(seed: number, input: number, isVerified: boolean): Map<number, string> {
  const wrong = new Map<number, string>();
  const note = (at: number, look: () => string | undefined) => {
    const found = failureOf(look);
    if (found !== undefined) wrong.set(at, found);
  };
  let problem: PackerProblem | undefined;
  note(0, () => {
    problem = encode(fuzzScenario(seed, input));
    // Made anew from the seed, so that nothing passes from one run to the other but what the encoder itself keeps.
    return differing(problem, encode(fuzzScenario(seed, input)))
      ?? solvedTwice(problem) ?? (isVerified ? verified(fuzzScenario(seed, input)) : undefined);
  });
  for (let at = 1; at < OF_ONE_INPUT && problem !== undefined; at++) {
    const base = problem;
    note(at, () => solvedTwice(mutant(base, new Dice(seed, input, at))));
  }
  return wrong;
}

function failureOf(look: () => string | undefined): string | undefined {
  try {
    return look();
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
    pods: classify(groups, input.nodePools.filter((pool) => !isStatic(pool)), settings, input),
    settings,
  }).problem;
}

/** The first field in which they are not the same, byte for byte. */
function differing<Fields extends object>(first: Fields, second: Fields): string | undefined {
  const name = (Object.keys(first) as Array<keyof Fields & string>).find((field) => !isSame(first[field], second[field]));
  return name === undefined ? undefined : `two runs differ in ${name}`;
}

function isSame(left: unknown, right: unknown): boolean {
  return ArrayBuffer.isView(left) && ArrayBuffer.isView(right) ? bytesOf(left).equals(bytesOf(right)) : isDeepStrictEqual(left, right);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** Every pod is placed or left over, once. */
function miscounted({ runCount, runs }: PackerProblem, { placements, leftovers }: PackerSolution): string | undefined {
  let pods = 0;
  for (let run = 0; run < runCount; run++) pods += runs[run * 3 + 1];
  let told = placements.length / 2;
  for (let at = 1; at < leftovers.length; at += 2) told += leftovers[at];
  return told === pods ? undefined : `${pods} pods, ${told} placed or left over`;
}

/** The plan as it looks from outside; and what is said of it must at least be said. */
function verified({ input, catalog }: FuzzScenario): string | undefined {
  const plan = schedule(input, catalog);
  const solved = solveInput(input, catalog);
  for (const [group, pods] of input.pods.entries()) if (pods.count > 0) explainPod(solved, group, podName(pods, 0));
  smallestChanges(input, catalog);
  costLowerBound(input, plan, catalog);
  // Beyond, one amount is as large as another: what asks for it may be put where there is less.
  if (input.pods.some(({ shape }) => [...shape.requests.values()].some((amount) => amount >= CEILING))) return undefined;
  const wrong = violations(input, plan, catalog);
  return wrong.length === 0 ? undefined : wrong.join('\n');
}
