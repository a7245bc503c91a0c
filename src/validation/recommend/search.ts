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

/** Changes that belong together, and what they cost after the first passes of the provisioner. */
export interface Candidate {
  readonly changes: readonly PoolChange[];
  readonly usdPerHour: number;
}

export interface SearchResult {
  /** Each has one line more than the one before, and is cheaper. */
  readonly candidates: readonly Candidate[];
  readonly tried: number;
  /** Whether changes were left that were not tried. */
  readonly isCut: boolean;
}

/** Adds the line that saves most, then the next one, up to three. A change that leaves a pod without a node is none. */
export function searchChanges(session: CheckSession, changes: readonly PoolChange[]): SearchResult {
  const { input, options } = session;
  const before = outcomeOf(session, input);
  const candidates: Candidate[] = [];
  let [current, best, tried] = [input, before.usdPerHour, 0];
  for (let line = 0; line < MAX_LINES; line++) {
    const used = candidates[candidates.length - 1]?.changes ?? [];
    let cheapest: { change: PoolChange; next: ScheduleInput; usdPerHour: number } | undefined;
    for (const change of changes) {
      if (used.some((other) => isSameLine(other, change))) continue;
      if (tried >= MAX_TRIES) return { candidates, tried, isCut: true };
      options.onProgress?.({ task: 'trying changes of NodePools, change', done: tried });
      tried += 1;
      const next = withChange(current, change);
      const outcome = outcomeOf(session, next);
      if (outcome.pending <= before.pending && outcome.usdPerHour < (cheapest?.usdPerHour ?? best * (1 - MIN_SAVING)))
        cheapest = { change, next, usdPerHour: outcome.usdPerHour };
    }
    if (cheapest === undefined) break;
    candidates.push({ changes: [...used, cheapest.change], usdPerHour: cheapest.usdPerHour });
    [current, best] = [cheapest.next, cheapest.usdPerHour];
  }
  return { candidates, tried, isCut: false };
}

/** Two bounds of one NodePool would be one line too many. */
function isSameLine(left: PoolChange, right: PoolChange): boolean {
  const pathOf = ({ fix }: PoolChange) => fix.edits.map(({ path }) => path.join('.')).join();
  return left.nodePool === right.nodePool && pathOf(left) === pathOf(right);
}

function withChange(input: ScheduleInput, { nodePool, apply }: PoolChange): ScheduleInput {
  return { ...input, nodePools: input.nodePools.map((pool) => (pool.name === nodePool ? apply(pool) : pool)) };
}

/** Infinity if a price is unknown. */
function outcomeOf({ catalog }: CheckSession, input: ScheduleInput): { usdPerHour: number; pending: number } {
  const passes = passesWithoutReasons(input, catalog);
  const plan = planOfPasses(passes);
  const left = leftBehind(passes[passes.length - 1].solved);
  return {
    usdPerHour: new PlanCost({ input, catalog, plan }).usdPerHour() ?? Infinity,
    pending: [...left.values()].reduce((sum, count) => sum + count, 0),
  };
}
