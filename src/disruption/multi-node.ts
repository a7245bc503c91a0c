import { BalancedScoring } from './balanced';
import { remainingDisruptions } from './budgets';
import { bySavings, Candidate, findCandidates, Scene, stillThere } from './candidates';
import { Command, commandOf, Outcome, Refusal } from './command';
import { cheaperTypes, consolidate, replacementOf, unconsolidatable } from './consolidation';
import { Deciding, View } from './deciding';
import { isOffered } from './prices';
import { withinBudgets } from './within-budgets';

/** Karpenter means 100, and counts from 0. */
const MOST_TOGETHER = 101;
/** Milliseconds after which it makes do with what it has found: a simulation that is not over by then is given up. */
const TIMEOUT = 60_000;

/**
 * Removes as many nodes at once as it can, for one cheaper node or none: the first so many in the order of what they save, found by
 * halving. What a smaller number would allow as well is not tried, so that it may miss what is possible.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/multinodeconsolidation.go
 */
export function* multiNodeConsolidation(view: View): Deciding<Outcome> {
  const { scene } = view;
  const { candidates } = findCandidates(scene, 'graceful');
  const eligible = candidates.filter((candidate) => unconsolidatable(candidate, scene) === undefined);
  const { allowed, held } = withinBudgets(bySavings(eligible), remainingDisruptions(scene.cluster, 'Underutilized', scene.now));
  const { command, refusals } = yield* largestCommand(allowed, view, new BalancedScoring(scene, candidates));
  const isConsolidated = !command && eligible.length > 0 && held.length === 0;
  return { commands: command ? [command] : [], refusals: [...held, ...refusals], isConsolidated };
}

interface Found {
  readonly command?: Command;
  readonly refusals: readonly Refusal[];
}

function* largestCommand(candidates: readonly Candidate[], view: View, scoring: BalancedScoring): Deciding<Found> {
  const begun = view.now;
  const refusals: Refusal[] = [];
  let found: Command | undefined;
  let [least, most] = [2, Math.min(candidates.length, MOST_TOGETHER)];
  while (least <= most) {
    const count = Math.floor((least + most) / 2);
    const together = candidates.slice(0, count);
    const decided = sensible(together, view.scene);
    yield;
    if (view.now > begun + TIMEOUT) break;
    const why = typeof decided === 'string' ? decided : balance(decided, scoring);
    if (typeof decided === 'string' || why !== undefined) {
      refusals.push({ nodes: together.map(({ node }) => node.name), why: why! });
      most = count - 1;
    } else {
      found = decided;
      least = count + 1;
    }
  }
  return { command: found, refusals };
}

function balance(command: Command, scoring: BalancedScoring): string | undefined {
  return scoring.approves(command) ? undefined : 'it would save too little for what it disrupts, by the policy Balanced';
}

/** Where one of the new node's types is a type that goes, deleting the others would do: then it has to be cheaper than the one that stays. */
function sensible(found: readonly Candidate[], scene: Scene): Command | string {
  const candidates = found.flatMap((candidate) => stillThere(candidate, scene) ?? []);
  if (candidates.length < found.length) return 'candidate is deleting';
  const { command, prices, why } = consolidate('MultiNodeConsolidation', candidates, scene);
  if (!command) return why;
  if (!prices) return command;
  const [{ claim, instanceTypes }] = command.replacements;
  const same = candidates.filter(({ instanceType }) => instanceTypes.includes(instanceType!));
  const types = cheaperTypes(instanceTypes, prices, leastPrice(same, scene));
  return typeof types === 'string' ? types : commandOf('MultiNodeConsolidation', candidates, [replacementOf(claim!, prices, types)], command.destinations);
}

/** Of the types that go what the cheapest node costs; nothing of a type none of whose nodes is like any offering, and nothing is cheaper. */
function leastPrice(candidates: readonly Candidate[], { prices }: Scene): number {
  const offered = candidates.filter(({ node, nodePool }) => isOffered(node, prices.get(nodePool)!));
  const types = new Set(candidates.map(({ instanceType }) => instanceType));
  for (const { instanceType } of offered) types.delete(instanceType);
  return types.size > 0 ? 0 : Math.min(...offered.map(({ price }) => price));
}
