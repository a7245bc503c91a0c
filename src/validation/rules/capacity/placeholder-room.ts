import { setField, unsafeFix } from '../../../contract';
import { Label, listText, shortListText } from '../../../model';
import { WorkloadManifest } from '../../manifest/model';
import { poolNamesOf } from '../common/placements';
import { blockingTaints, canHold, commonRequirements, podSpecOf } from '../common/pod-constraints';
import { Pool, poolsOf } from '../common/pool';
import { SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';

/**
 * A finding if no other pods may use the room on the nodes of the placeholder.
 *
 * @param users - workloads that room may be held for
 */
export function unusableRoom(
  context: RuleContext,
  placeholder: WorkloadManifest,
  users: readonly WorkloadManifest[],
): SubjectFinding | undefined {
  const pools = poolsOf(context);
  const held = poolNamesOf(context, placeholder);
  if (held.length === 0 || placeholder.shape === undefined) return undefined;
  const usable = users.map((user) => ({
    user,
    names: pools.filter((pool) => mayUse(pool, user)).map(({ name }) => name),
  }));
  const placed = usable.filter(({ names }) => names.length > 0);
  if (placed.length === 0 || placed.some(({ names }) => names.some((name) => held.includes(name)))) return undefined;
  const names = [...new Set(placed.flatMap((each) => each.names))].sort();
  const meant = names.length === 1 ? pools.find(({ name }) => name === names[0]) : undefined;
  const taints = meant?.spec ? blockingTaints(placeholder.shape, meant.spec.taints) : [];
  const { nodeSelector = {}, tolerations = [] } = podSpecOf(placeholder) ?? {};
  const added = taints.map(({ key, effect }) => ({ key, operator: 'Exists', effect }));
  const path = placeholder.podPath;
  return {
    object: placeholder.object,
    path,
    message:
      `holds room in NodePool ${listText(held)}, where ${shortListText(
        placed.map(({ user }) => `${user.kind} ${user.name}`),
        3,
      )} cannot run: ` + `the room is paid and never used`,
    remedy: `select nodes with ${Label.NODE_POOL}: ${listText(names, 'or')}${
      taints.length === 0 ? '' : `, and tolerate ${listText(taints.map(({ key, effect }) => `${key}:${effect}`))}`
    }: the room then costs a node of that NodePool`,
    evidence: { nodePools: held, usedNodePools: names },
    ...(meant === undefined
      ? {}
      : {
          fix: unsafeFix(
            setField([...path, 'nodeSelector'], { ...nodeSelector, [Label.NODE_POOL]: meant.name }),
            ...(added.length === 0 ? [] : [setField([...path, 'tolerations'], [...tolerations, ...added])]),
          ),
        }),
  };
}

/** NodePools with unknown instance types count, too. */
function mayUse(pool: Pool, { shape }: WorkloadManifest): boolean {
  if (shape === undefined || pool.spec === undefined) return true;
  return (
    commonRequirements(shape, pool).length > 0 &&
    blockingTaints(shape, pool.spec.taints).length === 0 &&
    canHold(pool, shape)
  );
}
