import { setField, unsafeFix } from '../../../contract';
import { amountText, formatAmount, memoizeByIdentity } from '../../../model';
import { ManifestModel, WorkloadManifest } from '../../manifest/model';
import { Autoscalers } from '../../manifest/workload/autoscalers';
import { placementsOf } from '../common/placements';
import { blockingTaint, commonRequirements } from '../common/pod-constraints';
import { Pool, poolsOf } from '../common/pool';
import { defineRule, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { pools } from '../subjects';

const RESOURCES = ['cpu', 'memory'];

/**
 * Counts requests only, which are less than the nodes that hold them: with these limits the pods never fit.
 *
 * @see https://karpenter.sh/docs/concepts/nodepools/#speclimits
 */
export const peakReplicasExceedLimits = defineRule({
  id: 'KARP-313',
  name: 'peak-replicas-exceed-limits',
  severity: 'warning',
  supersededBy: ['KARP-310', 'KARP-322'],
  summary: 'The most pods that autoscalers may run request more than the limits of their only NodePool.',
  subjects: pools({
    where: ({ spec, name }, context) =>
      spec !== undefined && spec.replicas === undefined && spec.limits.size > 0 && scaledOnly(name, context).length > 0,
  }),
  judge(pool, context) {
    const workloads = scaledOnly(pool.name, context);
    for (const resource of RESOURCES) {
      const finding = findingOf(pool, resource, workloads, context);
      if (finding !== undefined) return finding;
    }
    return undefined;
  },
});

function findingOf(
  { name, spec }: Pool,
  resource: string,
  workloads: readonly WorkloadManifest[],
  { model }: RuleContext,
): SubjectFinding | undefined {
  const limit = spec!.limits.get(resource);
  if (limit === undefined) return undefined;
  const peaks = workloads.map((workload) => ({ workload, pods: peakOf(model, workload) }));
  const total = peaks.reduce(
    (sum, { workload, pods }) => sum + (workload.shape!.requests.get(resource) ?? 0n) * BigInt(pods),
    0n,
  );
  if (total <= limit) return undefined;
  const [largest] = [...peaks].sort((left, right) => right.pods - left.pods);
  const others = peaks.length === 1 ? '' : ` and ${peaks.length - 1} more`;
  const enough = formatAmount(resource, total);
  const named = largest.workload.object.madeBy ?? largest.workload.object;
  return {
    path: ['spec', 'limits', resource],
    message:
      `limits.${resource} is ${formatAmount(resource, limit)}, but ${named.kind} ${named.name} with up to ${largest.pods} pods${others}, ` +
      `which only NodePool ${name} takes, may request ${amountText(resource, total)}: at their peak, pods stay Pending`,
    remedy: `raise limits.${resource} above ${enough}, to leave room for DaemonSets and unused parts of nodes, or lower the most replicas of the autoscaler`,
    evidence: {
      limit: formatAmount(resource, limit),
      requests: enough,
      workloads: peaks.map(({ workload, pods }) => ({ name: workload.name, pods })),
    },
    fix: unsafeFix(setField(['spec', 'limits', resource], formatAmount(resource, total + total / 5n))),
  };
}

/** Workloads with an autoscaler whose pods are all planned on the NodePool, and fit in no other one. */
function scaledOnly(nodePool: string, context: RuleContext): WorkloadManifest[] {
  return context.model.workloads.filter((workload) => {
    const { kind, namespace, name, shape, replicas } = workload;
    if (shape === undefined || replicas === 0) return false;
    if (autoscalersOf(context.model).peakOf(kind, namespace, name) === undefined) return false;
    const placements = placementsOf(context, workload);
    return (
      placements.length > 0 &&
      placements.every((placement) => placement.nodePool === nodePool) &&
      poolsOf(context).every((pool) => pool.name === nodePool || !mayTake(pool, workload))
    );
  });
}

function mayTake(pool: Pool, { shape }: WorkloadManifest): boolean {
  return (
    pool.spec === undefined ||
    (blockingTaint(shape!, pool.spec.taints) === undefined && commonRequirements(shape!, pool).length > 0)
  );
}

function peakOf(model: ManifestModel, { kind, namespace, name }: WorkloadManifest): number {
  return autoscalersOf(model).peakOf(kind, namespace, name)!;
}

const autoscalersOf = memoizeByIdentity(({ objects }: ManifestModel) => new Autoscalers(objects));
