import { PoolChange } from './pool-change';
import { leftBehind, passesWithoutReasons, planOfPasses, ScheduleInput } from '../../scheduling';
import { PlanCost } from '../check/cost';
import { CheckSession } from '../context/check-session';

/** The most lines that are changed together. */
const MAX_LINES = 3;
/** So that a repository with many NodePools ends in seconds. Each try schedules all pods. */
const MAX_TRIES = 150;
/** A line that saves less is not worth its review. */
const MIN_SAVING = 0.02;

/** How many single changes are kept beside the cheapest, because they need fewer nodes. */
const MAX_GENTLER = 2;

/** Changes that belong together, and what they lead to after the first passes of the provisioner. */
export interface ChangeCandidate {
  readonly changes: readonly PoolChange[];
  readonly usdPerHour: number;
  readonly nodes: number;
}

export interface SearchResult {
  /** Fewest changes first, then cheapest first. */
  readonly candidates: readonly ChangeCandidate[];
  readonly tried: number;
  /** Whether changes were left that were not tried. */
  readonly isCut: boolean;
}

interface Outcome {
  /** Infinity if a price is unknown. */
  readonly usdPerHour: number;
  readonly nodes: number;
  readonly pending: number;
}

interface Trial extends Outcome {
  readonly change: PoolChange;
  readonly next: ScheduleInput;
}

/**
 * The change that saves most, changes that save less with fewer nodes, and the cheapest change with a second and a
 * third one. A change that leaves a pod without a node is none.
 */
export function searchChanges(session: CheckSession, changes: readonly PoolChange[]): SearchResult {
  const { input, options } = session;
  const before = outcomeOf(session, input);
  const candidates: ChangeCandidate[] = [];
  let current: Pick<Trial, 'next' | 'usdPerHour'> = { next: input, usdPerHour: before.usdPerHour };
  let used: readonly PoolChange[] = [];
  let tried = 0;
  while (used.length < MAX_LINES) {
    const possible = changes.filter((change) => !used.some((other) => isSameLine(other, change)));
    const trials = possible.slice(0, MAX_TRIES - tried).map((change): Trial => {
      options.onProgress?.({ task: 'trying changes of NodePools, change', done: tried });
      tried += 1;
      const next = withChange(current.next, change);
      return { change, next, ...outcomeOf(session, next) };
    });
    const saving = trials
      .filter(
        ({ usdPerHour, pending }) => pending <= before.pending && usdPerHour < current.usdPerHour * (1 - MIN_SAVING),
      )
      .sort((left, right) => left.usdPerHour - right.usdPerHour);
    if (saving.length === 0) return { candidates, tried, isCut: trials.length < possible.length };
    const [cheapest, ...others] = saving;
    for (const trial of [cheapest, ...(used.length === 0 ? gentler(cheapest, others) : [])])
      candidates.push({ changes: [...used, trial.change], usdPerHour: trial.usdPerHour, nodes: trial.nodes });
    used = [...used, cheapest.change];
    current = cheapest;
  }
  return { candidates, tried, isCut: false };
}

/** The cheapest ones that each need fewer nodes than all cheaper ones. */
function gentler(cheapest: Trial, others: readonly Trial[]): Trial[] {
  let fewest = cheapest.nodes;
  const front = others.filter(({ nodes }) => {
    const isFewer = nodes < fewest;
    fewest = Math.min(fewest, nodes);
    return isFewer;
  });
  return front.slice(0, MAX_GENTLER);
}

/** Two bounds of one NodePool would be one line too many. */
function isSameLine(left: PoolChange, right: PoolChange): boolean {
  const pathOf = ({ fix }: PoolChange) => fix.edits.map(({ path }) => path.join('.')).join();
  return left.nodePool === right.nodePool && pathOf(left) === pathOf(right);
}

function withChange(input: ScheduleInput, { nodePool, apply }: PoolChange): ScheduleInput {
  return { ...input, nodePools: input.nodePools.map((pool) => (pool.name === nodePool ? apply(pool) : pool)) };
}

function outcomeOf({ catalog }: CheckSession, input: ScheduleInput): Outcome {
  const passes = passesWithoutReasons(input, catalog);
  const plan = planOfPasses(passes);
  const left = leftBehind(passes[passes.length - 1].solved);
  return {
    usdPerHour: new PlanCost({ input, catalog, plan }).usdPerHour() ?? Infinity,
    nodes: plan.nodeClaims.length,
    pending: [...left.values()].reduce((sum, count) => sum + count, 0),
  };
}
