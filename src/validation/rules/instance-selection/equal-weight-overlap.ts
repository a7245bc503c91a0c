import { countText, Label, listText } from '../../../model';
import { isStatic, PodShape } from '../../../scheduling';
import { WorkloadManifest } from '../../manifest/model';
import { placementsOf } from '../common/placements';
import { blockingTaints, canHold, commonRequirements } from '../common/pod-constraints';
import { Pool, poolsOf } from '../common/pool';
import { defineRule, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { launchingPools, LaunchingPool } from '../subjects';

/** Workloads that are named in the message. */
const MOST_NAMED = 3;

/**
 * Karpenter tries NodePools of the same weight in the reverse order of their names.
 *
 * @see https://karpenter.sh/docs/concepts/nodepools/#specweight
 */
export const equalWeightOverlap = defineRule({
  id: 'KARP-262',
  name: 'equal-weight-overlap',
  severity: 'warning',
  summary:
    'A spot and an on-demand NodePool have the same weight and accept the same pods: only their names decide which one launches.',
  subjects: launchingPools({ where: ({ spec }) => spec !== undefined && !isStatic(spec) }),
  judge(pool, context): SubjectFinding | undefined {
    const rival = poolsOf(context).find((other): other is LaunchingPool => isRival(pool, other));
    if (rival === undefined) return undefined;
    const shared = context.model.workloads.flatMap((workload) => sharedPods(context, workload, pool, rival));
    if (shared.length === 0) return undefined;
    const names = shared.slice(0, MOST_NAMED).map(({ workload }) => `${workload.kind} ${workload.name}`);
    const more = shared.length > MOST_NAMED ? [countText(shared.length - MOST_NAMED, 'other')] : [];
    const weight = pool.spec.weight;
    const pods = shared.reduce((sum, { count }) => sum + count, 0);
    return {
      path: ['spec', 'weight'],
      message:
        `launches ${capacityText(pool)} with the same weight (${weight}) as NodePool ${rival.name}, which launches ${capacityText(rival)}: ` +
        `${countText(pods, 'pod')} of ${listText([...names, ...more])}, which both NodePools accept, ${pods === 1 ? 'gets' : 'get'} ${capacityText(pool)} only because this name comes later`,
      remedy: `write a higher weight in the NodePool that is meant first, such as weight: ${Math.min(100, weight + 10)} here, or let the pods select karpenter.sh/capacity-type`,
      evidence: { rival: rival.name, weight, pods, workloads: shared.length },
    };
  },
});

/** Whether the other NodePool has the same weight, comes later, and launches nodes of another capacity type only. */
function isRival(pool: LaunchingPool, other: Pool): boolean {
  if (other.spec === undefined || other.launch === undefined || isStatic(other.spec)) return false;
  if (other.spec.weight !== pool.spec.weight || other.name >= pool.name) return false;
  const [own, others] = [capacityTypesOf(pool), capacityTypesOf(other)];
  return own.length > 0 && others.length > 0 && own.every((type) => !others.includes(type));
}

/** `reserved` is on-demand capacity that is paid already. */
function capacityTypesOf({ requirements }: Pool): string[] {
  const requirement = requirements?.get(Label.CAPACITY_TYPE);
  return requirement?.operator() === 'In'
    ? [...requirement.values].map((type) => (type === 'reserved' ? 'on-demand' : type))
    : [];
}

function capacityText(pool: Pool): string {
  return capacityTypesOf(pool).includes('spot') ? 'spot nodes' : 'on-demand nodes';
}

/** Pods on planned nodes of the NodePool that the rival would take as well. */
export function sharedPods(
  context: RuleContext,
  workload: WorkloadManifest,
  pool: LaunchingPool,
  rival: LaunchingPool,
): Array<{ readonly workload: WorkloadManifest; readonly count: number }> {
  const { shape, kind } = workload;
  if (shape === undefined || kind === 'DaemonSet') return [];
  const placements = placementsOf(context, workload).filter(
    ({ claim, nodePool }) => claim !== undefined && nodePool === pool.name,
  );
  const count = placements.reduce((sum, { pods, running }) => sum + pods - running, 0);
  const isAccepted =
    count > 0 &&
    !choosesBetween(shape, pool, rival) &&
    blockingTaints(shape, rival.spec.taints).length === 0 &&
    commonRequirements(shape, rival).length > 0 &&
    canHold(rival, shape);
  return isAccepted ? [{ workload, count }] : [];
}

/**
 * Whether a spread or an affinity of the pods decides between the NodePools, because its domains are values that only
 * one of them has.
 */
function choosesBetween(shape: PodShape, pool: LaunchingPool, rival: LaunchingPool): boolean {
  const affinities = [shape.podAffinity, shape.podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.required ?? []),
    ...(affinity?.preferred ?? []).map(({ term }) => term),
  ]);
  const keys = [
    ...[...(shape.topologySpread ?? []), ...affinities].map(({ topologyKey }) => topologyKey),
    ...shape.preferredNodeAffinity.flatMap(({ term }) => term.matchExpressions.map(({ key }) => key)),
  ];
  return keys.some((key) => {
    const [own, other] = [pool, rival].map(({ requirements }) => requirements?.get(key));
    return own?.operator() === 'In' && other?.operator() === 'In' && ![...own.values].some((value) => other.has(value));
  });
}
