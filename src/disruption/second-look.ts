import { remainingDisruptions } from './budgets';
import { Candidate, findCandidates, isEmpty, Scene, sceneOf } from './candidates';
import { Cluster, Instant } from './cluster';
import { Command, commandOf, DisruptionMethod } from './command';
import { unconsolidatable } from './consolidation';
import { keptEmpty } from './emptiness';
import { Simulation, simulate } from './simulation';
import { withinBudgets } from './within-budgets';

/** Milliseconds between a decision of these methods and what is done about it; nothing else is decided meanwhile. */
export const SECOND_LOOK = 15_000;
const LOOKED_AT_TWICE: readonly DisruptionMethod[] = ['Emptiness', 'MultiNodeConsolidation', 'SingleNodeConsolidation'];

export function isLookedAtTwice({ method }: Pick<Command, 'method'>): boolean {
  return LOOKED_AT_TWICE.includes(method);
}

/**
 * What is left of a decision when Karpenter looks at the cluster again before it acts: of consolidation all or nothing, of empty nodes
 * those that still are. Undefined where that is none.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/validation.go
 */
export function confirmed(command: Command, cluster: Cluster, now: Instant): Command | undefined {
  const scene = sceneOf(cluster, now);
  const ofEmpty = command.method === 'Emptiness';
  const { allowed } = withinBudgets(stillCandidates(command, scene), remainingDisruptions(cluster, ofEmpty ? 'Empty' : 'Underutilized', now));
  if (ofEmpty) return allowed.length === 0 ? undefined : commandOf(command.method, allowed);
  const isWhole = allowed.length === command.candidates.length;
  return isWhole && comesTo(command, simulate(scene, allowed, true)) ? command : undefined;
}

/** By name, as of nodes in the order of a Go map: which of them budgets have room for still is no question of savings any more. */
function stillCandidates({ method, candidates }: Command, scene: Scene): Candidate[] {
  const names = candidates.map(({ node }) => node.name).sort();
  const found = findCandidates(scene, 'graceful', scene.cluster.nodes.filter(({ name }) => names.includes(name))).candidates;
  const isKept = (candidate: Candidate) => method === 'Emptiness' ? !isEmpty(candidate) || keptEmpty(candidate, scene) : unconsolidatable(candidate, scene);
  return names.flatMap((name) => found.find(({ node }) => node.name === name) ?? []).filter((candidate) => !isKept(candidate));
}

/** As many new nodes, and such as may be of the types that were decided for: that these are cheaper is known. */
function comesTo({ replacements }: Command, { failure, claims }: Simulation): boolean {
  return failure() === undefined && claims.length === replacements.length
    && replacements.every(({ instanceTypes }, at) => instanceTypes.every((type) => claims[at].instanceTypes.includes(type)));
}
