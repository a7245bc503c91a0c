import { PlacementGroupFacts } from '../../../catalog';
import { setField, unsafeFix } from '../../../contract';
import { Label, listText, Requirement, valueText } from '../../../model';
import { placementGroupsByClass, UNKNOWN_GROUP } from '../../context/placement-groups';
import { WorkloadManifest } from '../../manifest/model';
import { requirementAlternatives, commonRequirements, constraintPath } from '../common/pod-constraints';
import { Pool, poolsOf } from '../common/pool';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext, RuleFinding } from '../rule';

const KEY = Label.PLACEMENT_GROUP_PARTITION;

/**
 * Karpenter launches into the first partition that a NodeClaim's requirement lists, even if the requirement
 * excludes the listed partitions.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/launchtemplate/launchtemplate.go
 * EnsureAll
 */
export const excludedPartitionLaunched: Rule = {
  id: 'KARP-214',
  name: 'excluded-partition-launched',
  severity: 'error',
  summary:
    'A requirement only excludes partitions of a placement group: Karpenter launches into the first excluded partition.',
  check(context: RuleContext): Outcome[] {
    const groups = placementGroupsByClass(context.model);
    const pools = poolsOf(context).flatMap((pool) => {
      const group = groups.get(pool.spec?.nodeClass ?? '');
      return group === undefined || (group !== UNKNOWN_GROUP && group.strategy !== 'partition')
        ? []
        : [{ pool, group }];
    });
    return pools.length === 0
      ? []
      : [
          ...pools.flatMap(({ pool, group }) => checkPool(pool, group)),
          ...context.model.workloads.flatMap((workload) =>
            workload.kind === 'DaemonSet' ? [] : checkWorkload(workload, pools),
          ),
        ];
  },
};

interface PoolInGroup {
  readonly pool: Pool;
  readonly group: PlacementGroupFacts | typeof UNKNOWN_GROUP;
}

function checkPool(pool: Pool, group: PoolInGroup['group']): Outcome[] {
  const { requirements } = pool;
  if (!requirements?.has(KEY)) return [];
  const index = pool.spec!.requirements.findIndex(({ key }) => key === KEY);
  return [
    outcome(
      pool.object,
      ['spec', 'template', 'spec', 'requirements', Math.max(index, 0)],
      requirements.get(KEY),
      group,
      'its nodes are never in an allowed partition, so they drift and are replaced again and again',
    ),
  ];
}

/** NodePools that exclude partitions themselves are left out, because they have their own finding. */
function checkWorkload(workload: WorkloadManifest, pools: readonly PoolInGroup[]): Outcome[] {
  const { shape, object } = workload;
  if (
    !shape ||
    !requirementAlternatives(shape)
      .flat()
      .some(({ key }) => key === KEY)
  )
    return [];
  const outcomes = pools
    .filter(({ pool }) => !onlyExcludes(pool.requirements?.get(KEY)))
    .flatMap(({ pool, group }) =>
      commonRequirements(shape, pool)
        .slice(0, 1)
        .map((common) =>
          outcome(
            object,
            constraintPath(workload, shape, KEY),
            common.get(KEY),
            group,
            'the pods cannot be scheduled on that node, so Karpenter launches the next one in the same partition',
          ),
        ),
    );
  const worst =
    outcomes.find(({ state }) => state === 'fail') ??
    outcomes.find(({ state }) => state === 'not-evaluated') ??
    outcomes[0];
  return worst ? [worst] : [];
}

function outcome(
  object: RuleFinding['object'],
  path: RuleFinding['path'],
  requirement: Requirement,
  group: PoolInGroup['group'],
  consequence: string,
): Outcome {
  if (!onlyExcludes(requirement)) return pass(object);
  if (group === UNKNOWN_GROUP)
    return notEvaluated(object, 'the input does not contain the strategy of its placement group');
  const excluded = [...requirement.values].sort();
  const wanted = Array.from({ length: group.partitions }, (_, index) => valueText(index + 1)).filter((partition) =>
    requirement.has(partition),
  );
  const into =
    excluded.length > 0
      ? `partition ${excluded[0]}, the first that the requirement lists`
      : 'a partition that EC2 chooses';
  return fail({
    object,
    path,
    message: `${requirement} only excludes partitions of placement group ${group.id}: Karpenter launches into ${into}; ${consequence}`,
    remedy: `use operator In with the partitions that you want${wanted.length > 0 ? `: ${listText(wanted)}` : ''}`,
    evidence: { placementGroup: group.id, excluded, wanted },
    fix:
      object.kind === 'NodePool' && wanted.length > 0
        ? unsafeFix(setField([...path, 'operator'], 'In'), setField([...path, 'values'], wanted))
        : undefined,
  });
}

/** `NotIn`, and bounds: the requirement lists no wanted value. */
function onlyExcludes(requirement: Requirement | undefined): boolean {
  if (!requirement?.complement) return false;
  return requirement.values.size > 0 || requirement.gte !== undefined || requirement.lte !== undefined;
}
