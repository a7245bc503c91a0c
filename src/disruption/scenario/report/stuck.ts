import {
  drainRemedy,
  extendHorizon,
  lowerMinValues,
  NOTHING_LEFT,
  openTerminateFirstGate,
  refusalRemedy,
  unhealthyPdbRemedy,
} from './remedies';
import { StuckObject } from './scenario-report';
import { Label, shortListText } from '../../../model';
import { budgetNodeCounts, nextAllowedDisruption } from '../../budgets/disruption-budgets';
import { PdbLimits } from '../../budgets/pdb-limits';
import { ClusterPod, Instant } from '../../cluster';
import { DisruptionPass } from '../../controller';
import { isDrainable, podKey, protectedUntil } from '../../pods';
import { DisruptionMethod, REASON_BY_METHOD } from '../../types';
import { SimulatedCluster } from '../cluster/simulated-cluster';
import { DisruptionController } from '../controllers/disruption/disruption-controller';
import { exceededLimitOf, LaunchFailure } from '../controllers/disruption/replacements';
import { evictionObstacle } from '../controllers/termination/eviction';

/** Methods that are meant to disrupt every node that they apply to. A node that they leave is stuck. */
const MANDATORY_METHODS: readonly DisruptionMethod[] = ['Drift', 'StaticDrift', 'Repair'];
const PROTECTION_ENDS = 'the annotation expires';
const JOB_ENDS = 'the activeDeadlineSeconds of its Job end';

/**
 * Nodes that are draining at the end: they wait for a pod that never terminates, or only after the horizon.
 *
 * @param isCut whether the simulation was cut off. Then drains that nothing blocks would have continued.
 */
export function stuckDrains(cluster: SimulatedCluster, isCut: boolean): StuckObject[] {
  const { now, pods } = cluster;
  const limits = new PdbLimits(cluster.snapshot(), cluster.session.pdbs);
  return [...cluster.nodes.values()]
    .filter(({ phase }) => phase === 'draining')
    .flatMap(({ node, terminationDeadline }): StuckObject[] => {
      const blocked = pods
        .snapshotsOn(node.name)
        .filter(isDrainable)
        .flatMap((pod) => {
          const why = evictionObstacle(pod, limits, now);
          return why === undefined ? [] : [{ why, until: protectionEnd(pod, why, now), what: protectionLimit(pod) }];
        });
      if (isCut && blocked.length === 0) return [];
      const forever = blocked.find((obstacle) => obstacle.until === Infinity);
      const { why, until, what } = forever ??
        blocked[0] ?? { why: 'its pods do not terminate', until: Infinity, what: PROTECTION_ENDS };
      const stuck = { what: `node ${node.name}`, why };
      if (terminationDeadline !== undefined)
        return [{ ...stuck, remedy: extendHorizon(terminationDeadline, 'its terminationGracePeriod ends') }];
      if (until < Infinity) return [{ ...stuck, remedy: extendHorizon(until, what) }];
      return [{ ...stuck, remedy: unhealthyPdbRemedy(why, cluster) ?? drainRemedy(why, node) }];
    });
}

/** Nodes that drift or repair could not disrupt. */
export function stuckCandidates(
  cluster: SimulatedCluster,
  { methods, remaining }: DisruptionController,
): StuckObject[] {
  const { overLimit, launchFailures, refusals } = remaining;
  const isPresent = (name: string) => cluster.nodes.get(name)?.phase === 'initialized';
  const isMandatory = methods.some((method) => MANDATORY_METHODS.includes(method));
  const withoutReplacement = isMandatory
    ? [...new Set([...overLimit, ...launchFailures.keys()])].filter(isPresent)
    : [];
  const refused = refusals.filter(
    ({ nodes: [name, ...others], method }) =>
      others.length === 0 && isPresent(name) && !launchFailures.has(name) && MANDATORY_METHODS.includes(method),
  );
  const refusedCandidates = new RefusedCandidates(cluster);
  return [
    ...withoutReplacement.map((name) => stuckWithoutReplacement(cluster, name, launchFailures.get(name), methods[0])),
    ...refused.map((refusal) => refusedCandidates.stuck(refusal)),
  ];
}

function stuckWithoutReplacement(
  cluster: SimulatedCluster,
  name: string,
  failure: LaunchFailure | undefined,
  method: DisruptionMethod,
): StuckObject {
  const what = `node ${name}`;
  const exceeded = exceededLimitOf(cluster, cluster.nodes.get(name)?.node.labels[Label.NODE_POOL] ?? '');
  if (exceeded)
    return { what, why: exceeded.why, remedy: `raise the limits of NodePool "${exceeded.nodePool}" to what it uses` };
  if (failure?.why?.includes('minValues')) return { what, why: failure.why, remedy: lowerMinValues(failure.nodePool) };
  return { what, why: NOTHING_LEFT, remedy: `make capacity available, or ${openTerminateFirstGate(method)}` };
}

/** Finds remedies for refused nodes. */
class RefusedCandidates {
  /** By method and NodePool, which may have thousands of nodes. */
  private readonly budgetRemedies = new Map<string, string>();

  public constructor(private readonly cluster: SimulatedCluster) {}

  public stuck({ nodes: [name], why, limitedByBudgetsOf, method }: DisruptionPass['refusals'][number]): StuckObject {
    const { cluster } = this;
    const { node } = cluster.nodes.get(name)!;
    const what = `node ${name}`;
    if (limitedByBudgetsOf !== undefined) return { what, why, remedy: this.budgetRemedy(limitedByBudgetsOf, method) };
    const pod = cluster.pods.snapshotsOn(name).find((candidate) => why.includes(`(Pod=${podKey(candidate)})`));
    const until = pod ? protectionEnd(pod, why, cluster.now) : Infinity;
    if (pod && until < Infinity) return { what, why, remedy: extendHorizon(until, protectionLimit(pod)) };
    if (pod?.daemon && node.claim?.name !== undefined)
      return { what, why, remedy: 'set the annotation of the DaemonSet to a duration instead of true' };
    return { what, why, remedy: unhealthyPdbRemedy(why, cluster) ?? refusalRemedy(why, method, node) };
  }

  private budgetRemedy(pool: string, method: DisruptionMethod): string {
    const key = `${method} ${pool}`;
    const remedy = this.budgetRemedies.get(key) ?? budgetRemedy(this.cluster, pool, method);
    this.budgetRemedies.set(key, remedy);
    return remedy;
  }
}

/** Budgets may allow disruptions that are used up by nodes that are deleting or not ready. */
function budgetRemedy(cluster: SimulatedCluster, pool: string, method: DisruptionMethod): string {
  const { now, session } = cluster;
  const snapshot = cluster.snapshot();
  const reason = REASON_BY_METHOD[method];
  const { nodes, disruptedNodes } = budgetNodeCounts(snapshot, pool, reason);
  const allowedAt = nextAllowedDisruption(
    snapshot.pools.get(pool)?.budgets ?? [],
    { nodes, disrupted: 0 },
    reason,
    now,
    session.budgetWindows,
  );
  if (allowedAt === Infinity)
    return `allow disruptions at some time: give the budget that allows none a schedule and a duration, or reasons without ${reason}`;
  if (allowedAt > now) return extendHorizon(allowedAt, 'its disruption budgets allow a disruption');
  const names = disruptedNodes.map(({ name }) => name);
  if (names.length === 0) return 'resolve the stuck nodes above: budgets allow no more disruptions at a time';
  return `resolve node ${shortListText(names, 1)}: nodes that are deleting or not ready use up the disruption budgets`;
}

/**
 * When the do-not-disrupt annotation of a pod stops to block; infinite if something else blocks, or if it never stops.
 */
function protectionEnd(pod: ClusterPod, why: string, now: Instant): Instant {
  const until = why.includes('do-not-disrupt') ? protectedUntil(pod) : undefined;
  return until !== undefined && until > now ? until : Infinity;
}

/** What ends the protection of a pod. */
function protectionLimit(pod: ClusterPod): string {
  return pod.jobDeadline !== undefined && protectedUntil(pod) === pod.jobDeadline ? JOB_ENDS : PROTECTION_ENDS;
}
