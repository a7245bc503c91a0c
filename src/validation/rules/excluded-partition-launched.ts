import { PlacementGroupFacts } from '../../catalog';
import { Label, Requirement } from '../../model';
import { WorkloadManifest } from '../manifest/model';
import { placementGroups, UNKNOWN_GROUP } from '../placement-groups';
import { constraintPath } from './private/constraint-path';
import { fail, notEvaluated, pass } from './private/outcome';
import { alternatives, commonRequirements } from './private/pod-constraints';
import { Pool, poolsOf } from './private/pool';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext, RuleFinding } from './rule';

const KEY = Label.PLACEMENT_GROUP_PARTITION;

/**
 * Karpenter takes the first of the values that a claim names for the partition to launch into, and does not ask whether it names them as those
 * that it does not want.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/launchtemplate/launchtemplate.go EnsureAll
 */
export class ExcludedPartitionLaunched implements Rule {
  public readonly id = 'KARP-214';
  public readonly name = 'excluded-partition-launched';
  public readonly severity = 'error';
  public readonly summary = 'Only partitions of a placement group that are not wanted are named: Karpenter launches into the first of just these.';

  public check(context: RuleContext): Outcome[] {
    const groups = placementGroups(context.model);
    const pools = poolsOf(context).flatMap((pool) => {
      const group = groups.get(pool.spec?.nodeClass ?? '');
      return group === undefined || (group !== UNKNOWN_GROUP && group.strategy !== 'partition') ? [] : [{ pool, group }];
    });
    return pools.length === 0 ? [] : [
      ...pools.flatMap(({ pool, group }) => checkPool(pool, group)),
      ...context.model.workloads.flatMap((workload) => workload.kind === 'DaemonSet' ? [] : checkWorkload(workload, pools)),
    ];
  }
}

interface Grouped {
  readonly pool: Pool;
  readonly group: PlacementGroupFacts | typeof UNKNOWN_GROUP;
}

function checkPool(pool: Pool, group: Grouped['group']): Outcome[] {
  const asked = pool.requirements;
  if (!asked?.has(KEY)) return [];
  const at = pool.spec!.requirements.findIndex(({ key }) => key === KEY);
  return [outcome(pool.object, ['spec', 'template', 'spec', 'requirements', Math.max(at, 0)], asked.get(KEY), group,
    'its nodes are not in partitions that it allows, drift, and are replaced by others there')];
}

/** A NodePool that excludes partitions itself is told so itself. */
function checkWorkload(workload: WorkloadManifest, pools: readonly Grouped[]): Outcome[] {
  const { shape, object } = workload;
  if (!shape || !alternatives(shape).flat().some(({ key }) => key === KEY)) return [];
  const outcomes = pools.filter(({ pool }) => !namesOnlyOthers(pool.requirements?.get(KEY))).flatMap(({ pool, group }) =>
    commonRequirements(shape, pool).slice(0, 1).map((common) => outcome(object, constraintPath(workload, shape, KEY), common.get(KEY), group,
      'the scheduler puts none of its pods on the node, and Karpenter launches the next one there')));
  const worst = outcomes.find(({ state }) => state === 'fail') ?? outcomes.find(({ state }) => state === 'not-evaluated') ?? outcomes[0];
  return worst ? [worst] : [];
}

function outcome(object: RuleFinding['object'], path: RuleFinding['path'], requirement: Requirement, group: Grouped['group'], effect: string): Outcome {
  if (!namesOnlyOthers(requirement)) return pass(object);
  if (group === UNKNOWN_GROUP) return notEvaluated(object, 'which strategy its placement group has is not in the input');
  const excluded = [...requirement.values].sort();
  const wanted = Array.from({ length: group.partitions }, (_, at) => String(at + 1)).filter((partition) => requirement.has(partition));
  const into = excluded.length > 0 ? `partition ${excluded[0]}, the first that it names` : 'whichever partition EC2 takes';
  return fail({
    object,
    path,
    message: `does not say which partitions of placement group ${group.id} it wants, but which not (${requirement}): `
      + `Karpenter launches into ${into}; ${effect}`,
    remedy: `write operator: In with the partitions that it wants${wanted.length > 0 ? `: ${joinNames(wanted)}` : ''}`,
    evidence: { placementGroup: group.id, excluded, wanted },
  });
}

/** `NotIn` and bounds: no value that is wanted. */
function namesOnlyOthers(requirement: Requirement | undefined): boolean {
  if (!requirement?.complement) return false;
  return requirement.values.size > 0 || requirement.gte !== undefined || requirement.lte !== undefined;
}
