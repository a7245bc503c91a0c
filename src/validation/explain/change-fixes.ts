import { podFix } from './pod-change';
import { poolFix } from './pool-change';
import { ScheduleInput } from '../../scheduling';
import { RuleContext } from '../context/check-session';
import { podGroupIndices } from '../context/schedule-input';
import { ObjectFix } from '../manifest/edit/fix-of';

/**
 * The change of the scheduler's input as edits of the objects that it is made of. Undefined if a part of it has no
 * manifest, or is written in a way that does not show which field to change.
 */
export function changeFixes(
  { model }: Pick<RuleContext, 'model'>,
  before: ScheduleInput,
  after: ScheduleInput,
): readonly ObjectFix[] | undefined {
  const pools = after.nodePools.flatMap((pool) => {
    const old = before.nodePools.find(({ name }) => name === pool.name);
    if (old === undefined || old === pool) return [];
    const object = model.nodePools.find((manifest) => manifest.object.name === pool.name)?.object;
    const fix = object && poolFix(old, pool, object);
    return [fix && { object, fix }];
  });
  const pods = after.pods.flatMap(({ shape }, group) => {
    const old = before.pods[group].shape;
    if (old === shape) return [];
    const workload = model.workloads.find((candidate) => podGroupIndices(candidate).includes(group));
    const fix = workload && podFix(old, shape, workload.object.raw, workload.podPath);
    return [fix && { object: workload.object, fix }];
  });
  const changes = [...pools, ...pods];
  return changes.length === 0 || changes.some((change) => change === undefined)
    ? undefined
    : changes.map((change) => change!);
}
