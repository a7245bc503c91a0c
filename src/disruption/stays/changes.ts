import { DO_NOT_DISRUPT } from '../../contract';
import { Label } from '../../model';
import { hasPreferences } from '../../scheduling';
import { isBudgetActive } from '../budgets/budget-windows';
import { allowedDisruptions, budgetNodeCounts } from '../budgets/disruption-budgets';
import { Cluster, ClusterNode, ClusterPod, PodDisruptionBudget, PoolDisruption, workloadKey } from '../cluster';
import { reschedulablePods } from '../pods';
import { podSubject } from './describe';
import { EndState } from './end-state';
import { moreSpotTypes, oneCheaperType } from './instance-type-changes';
import { Obstacle } from './obstacles';
import { Change } from './what-if';

/** The consolidateAfter that is tried, in milliseconds. */
const SHORT_WAIT = 60_000;

/** Changes that may remove the obstacle, the smallest first. */
export function changesFor(node: ClusterNode, obstacle: Obstacle, end: EndState): Change[] {
  const pool = node.labels[Label.NODE_POOL] ?? '';
  switch (obstacle.reason) {
    case 'node-annotation':
      return [withoutNodeAnnotation(node, pool)];
    case 'protected-pod':
      return [withoutPodAnnotation(obstacle.pod!)];
    case 'pod-disruption-budget':
      return pdbChanges(
        obstacle.pdbs!.map(({ key }) => key),
        end,
      );
    case 'consolidation-disabled':
      return [poolChange(pool, `set consolidateAfter: 1m in NodePool ${pool}`, { consolidateAfter: SHORT_WAIT })];
    case 'consolidate-after':
      return [poolChange(pool, `lower consolidateAfter to 1m in NodePool ${pool}`, { consolidateAfter: SHORT_WAIT })];
    case 'when-empty':
    case 'balanced-score':
      return [
        poolChange(pool, `set consolidationPolicy: WhenEmptyOrUnderutilized in NodePool ${pool}`, {
          consolidationPolicy: 'WhenEmptyOrUnderutilized',
        }),
      ];
    case 'budget':
      return budgetChanges(pool, obstacle, end);
    case 'spot-to-spot-disabled':
      return [
        {
          text: 'enable the feature gate SpotToSpotConsolidation',
          apply: (cluster) => ({ ...cluster, settings: { ...cluster.settings, spotToSpotConsolidation: true } }),
        },
      ];
    case 'too-few-spot-types':
      return moreSpotTypes(obstacle.claims?.[0]?.nodePool ?? pool, end);
    case 'several-nodes':
    case 'not-cheaper':
      return [
        ...preferenceChanges(node, end),
        ...oneCheaperType(obstacle.claims?.[0]?.nodePool ?? pool, node, end, obstacle.reason === 'several-nodes'),
      ];
    case 'unschedulable-pod':
      return preferenceChanges(node, end);
    default:
      return [];
  }
}

function withoutNodeAnnotation({ name, claim }: ClusterNode, pool: string): Change {
  const isExisting = claim?.name !== undefined;
  return {
    text: isExisting
      ? `remove the annotation ${DO_NOT_DISRUPT} from node ${name}`
      : `remove the annotation ${DO_NOT_DISRUPT} from spec.template.metadata of NodePool ${pool}`,
    apply: (cluster) => ({
      ...cluster,
      nodes: cluster.nodes.map((node) =>
        isExisting ? (node.name === name ? unprotected(node) : node) : ofPool(node, pool) ? unprotected(node) : node,
      ),
      ...(isExisting ? {} : { pools: changedPool(cluster, pool, (settings) => unprotected(settings)) }),
    }),
  };
}

function ofPool({ labels }: ClusterNode, pool: string): boolean {
  return labels[Label.NODE_POOL] === pool;
}

/** Removes the annotation from all pods of the workload: they come from one template. */
function withoutPodAnnotation(pod: ClusterPod): Change {
  const { namespace, name, owner } = pod;
  const workload = owner && workloadKey(namespace, owner);
  const isMeant = (candidate: ClusterPod) =>
    workload === undefined
      ? candidate.namespace === namespace && candidate.name === name
      : candidate.owner !== undefined && workloadKey(candidate.namespace, candidate.owner) === workload;
  return {
    text: `remove the annotation ${DO_NOT_DISRUPT} from ${podSubject(pod)}`,
    apply: (cluster) => ({
      ...cluster,
      nodes: cluster.nodes.map((node) =>
        node.pods.some(isMeant)
          ? { ...node, pods: node.pods.map((candidate) => (isMeant(candidate) ? unprotected(candidate) : candidate)) }
          : node,
      ),
      ...(pod.daemon
        ? { daemons: cluster.daemons?.map((daemon) => (isMeant(daemon) ? unprotected(daemon) : daemon)) }
        : {}),
    }),
  };
}

function unprotected<Annotated extends { readonly annotations?: Readonly<Record<string, string>> }>(
  object: Annotated,
): Annotated {
  const { [DO_NOT_DISRUPT]: _, ...annotations } = object.annotations ?? {};
  return { ...object, annotations };
}

function pdbChanges(keys: readonly string[], end: EndState): Change[] {
  const pdbs = end.cluster.pdbs.filter((pdb) => keys.includes(keyOf(pdb)));
  if (pdbs.length > 1)
    return pdbs.map((kept) => ({
      text: `keep only PodDisruptionBudget ${keyOf(kept)} for its pods, not ${pdbs
        .filter((pdb) => pdb !== kept)
        .map(keyOf)
        .join(' and ')}`,
      apply: (cluster) => ({
        ...cluster,
        pdbs: cluster.pdbs.filter((pdb) => keyOf(pdb) === keyOf(kept) || !keys.includes(keyOf(pdb))),
      }),
    }));
  return pdbs.map((pdb) => ({
    text: `write maxUnavailable: 1 in PodDisruptionBudget ${keyOf(pdb)}`,
    apply: (cluster) => ({
      ...cluster,
      pdbs: cluster.pdbs.map((candidate) =>
        keyOf(candidate) === keyOf(pdb) ? { ...candidate, minAvailable: undefined, maxUnavailable: 1 } : candidate,
      ),
    }),
  }));
}

function keyOf({ namespace, name }: PodDisruptionBudget): string {
  return `${namespace}/${name}`;
}

/** Lets the budgets that block allow one node more than are disrupted now. */
function budgetChanges(pool: string, { budgetReason: reason }: Obstacle, { cluster, context }: EndState): Change[] {
  const { nodes, disrupted } = budgetNodeCounts(cluster, pool, reason!);
  const { budgets } = cluster.pools.get(pool)!;
  const isBlocking = (budget: PoolDisruption['budgets'][number]) =>
    allowedDisruptions([budget], nodes, reason!, context.now) <= disrupted;
  const blocking = budgets.filter(isBlocking);
  if (blocking.length === 0) return [];
  const allowed = String(disrupted + 1);
  const written = blocking.map(({ nodes: count, schedule }) =>
    schedule === undefined ? `"${count}"` : `"${count}" with the schedule "${schedule}"`,
  );
  return [
    poolChange(
      pool,
      `write nodes: "${allowed}" instead of ${written.join(' and ')} in the disruption budgets of NodePool ${pool}`,
      {
        budgets: budgets.map((budget) => {
          if (!isBlocking(budget)) return budget;
          const { schedule, duration, ...rest } = budget;
          // Karpenter forbids everything because of a schedule that it cannot parse.
          const hasSchedule = isBudgetActive(budget, context.now) !== undefined;
          return { ...rest, nodes: allowed, ...(hasSchedule ? { schedule, duration } : {}) };
        }),
      },
    ),
  ];
}

function poolChange(pool: string, text: string, settings: Partial<PoolDisruption>): Change {
  return {
    text,
    apply: (cluster) => ({
      ...cluster,
      pools: changedPool(cluster, pool, (current) => ({ ...current, ...settings })),
    }),
  };
}

function changedPool(
  { pools }: Cluster,
  pool: string,
  change: (settings: PoolDisruption) => PoolDisruption,
): Cluster['pools'] {
  return new Map([...pools].map(([name, settings]) => [name, name === pool ? change(settings) : settings]));
}

/** Karpenter treats preferences of pods as requirements as long as it can. */
function preferenceChanges({ pods }: ClusterNode, { cluster }: EndState): Change[] {
  if (cluster.scheduling.settings.preferencePolicy === 'Ignore') return [];
  if (!reschedulablePods(pods).some(({ shape }) => hasPreferences(shape))) return [];
  return [
    {
      text: 'run Karpenter with preferencePolicy: Ignore',
      apply: ({ scheduling, ...rest }) => ({
        ...rest,
        scheduling: { ...scheduling, settings: { ...scheduling.settings, preferencePolicy: 'Ignore' } },
      }),
    },
  ];
}
