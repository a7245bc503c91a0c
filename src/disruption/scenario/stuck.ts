import { countedNodes, opening } from '../budgets';
import { Cluster, ClusterPod, Instant } from '../cluster';
import { DisruptionMethod, REASON_OF, Refusal } from '../command';
import { PodLimits } from '../pdb';
import { isDrained, podKey, protectedUntil } from '../pod-eviction';
import { obstacle } from './evictions';
import { drainRemedy, lookFurther, remedyFor } from './remedies';
import { Stuck } from './scenario-report';
import { unhealthyRemedy } from './unhealthy-remedy';
import { World } from './world';

/**
 * Nodes that drain in the end: they wait for a pod that never goes, or that goes after the horizon.
 *
 * @param isCut whether time was stopped in the midst of it: where nothing keeps their pods they would have gone on
 */
export function stuckDrains(world: World, isCut = false): Stuck[] {
  const limits = new PodLimits(world.snapshot());
  return [...world.nodes.values()].filter(({ phase }) => phase === 'draining').flatMap(({ node, deadline }): Stuck[] => {
    const { name } = node;
    const what = `node ${name}`;
    const kept = world.pods.shownOn(name).filter(isDrained).flatMap((pod) => {
      const why = obstacle(pod, limits, world.now);
      return why === undefined ? [] : [{ why, until: protectionEnd(pod, why, world.now) }];
    });
    if (isCut && kept.length === 0) return [];
    const { why, until } = kept.find((each) => each.until === Infinity) ?? kept[0] ?? { why: 'its pods do not end', until: Infinity };
    if (deadline !== undefined) return [{ what, why, remedy: lookFurther(deadline, 'its terminationGracePeriod is over') }];
    if (until < Infinity) return [{ what, why, remedy: lookFurther(until, NO_MORE) }];
    return [{ what, why, remedy: unhealthyRemedy(why, world) ?? drainRemedy(why, node) }];
  });
}

const NO_MORE = 'the annotation holds no more';

/** A node that a method has left, the last time that it looked. */
export function stuckCandidate({ nodes: [name], why, heldIn }: Refusal, method: DisruptionMethod, world: World): Stuck {
  const { node } = world.nodes.get(name)!;
  const what = `node ${name}`;
  if (heldIn !== undefined) return { what, why, remedy: knownBudgetRemedy(heldIn, method, world) };
  const pod = world.pods.shownOn(name).find((each) => why.includes(`(Pod=${podKey(each)})`));
  const until = pod ? protectionEnd(pod, why, world.now) : Infinity;
  if (until < Infinity) return { what, why, remedy: lookFurther(until, NO_MORE) };
  if (pod?.daemon && node.claim?.name !== undefined) return { what, why, remedy: 'give the annotation of the DaemonSet a duration in place of true' };
  return { what, why, remedy: unhealthyRemedy(why, world) ?? remedyFor(why, method, node) };
}

/** Until when the pod is kept for the reason told; infinite where that is not to end. */
function protectionEnd(pod: ClusterPod, why: string, now: Instant): Instant {
  const until = why.includes('do-not-disrupt') ? protectedUntil(pod) : undefined;
  return until !== undefined && until > now ? until : Infinity;
}

/** The same for all nodes of a NodePool, of which there may be thousands. */
function knownBudgetRemedy(pool: string, method: DisruptionMethod, world: World): string {
  const cluster = world.snapshot();
  const known = REMEDIES.get(cluster) ?? new Map<string, string>();
  REMEDIES.set(cluster, known);
  const key = `${method} ${pool}`;
  const found = known.get(key) ?? budgetRemedy(pool, method, world);
  known.set(key, found);
  return found;
}

const REMEDIES = new WeakMap<Cluster, Map<string, string>>();

/** Budgets that let nodes go may have done so: nodes that go already, or are not ready, count as long as they do. */
function budgetRemedy(pool: string, method: DisruptionMethod, world: World): string {
  const cluster = world.snapshot();
  const reason = REASON_OF[method];
  const { nodes, those } = countedNodes(cluster, pool, reason);
  const opens = opening(cluster.pools.get(pool)?.budgets ?? [], { nodes, disrupted: 0 }, reason, world.now);
  if (opens === Infinity) return `let a node go at some hour: the budget that allows none can have hours (schedule and duration), or reasons without ${reason}`;
  if (opens > world.now) return lookFurther(opens, 'its budgets let a node go');
  const [first, ...others] = those.map(({ name }) => name);
  if (first === undefined) return 'see to the nodes before, which are stuck: budgets let no more go at a time';
  return `see to node ${first}${others.length === 0 ? '' : ` and ${others.length} more`}: what goes already, or is not ready, counts for its budgets`;
}
