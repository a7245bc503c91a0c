import { blockingTaints, requirementAlternatives } from './pod-constraints';
import { Pool, poolsOf } from './pool';
import { formatTaint, normalizeLabelKey, Requirement } from '../../../model';
import { PodShape, PoolRefusal } from '../../../scheduling';
import { FittingChange, pinnedPools } from '../../explain/fitting-changes';
import { ManifestObject } from '../../manifest/model';
import { RelatedField, RuleContext } from '../rule';

/** Why a NodePool does not take a pod, as a field of the NodePool. */
export interface BlockingField {
  readonly field: RelatedField;
  /** The label that the pod requires with another value. */
  readonly label?: string;
}

/**
 * The field with which a NodePool refuses the pod. It is known if the change edits a NodePool, or if
 * a single NodePool is meant: the only one that refuses the pod, or the only one that the pod selects.
 */
export function blockingField(
  context: RuleContext,
  shape: PodShape,
  reasons: readonly PoolRefusal[],
  change: FittingChange | undefined,
): BlockingField | undefined {
  const changed = change?.edits?.find(({ object }) => object.kind === 'NodePool');
  const raised = change?.raise?.nodePool;
  const named = changed?.object.name ?? raised;
  const names = new Set(reasons.map(({ nodePool }) => nodePool));
  const pinned = pinnedPools(shape)?.filter((name) => names.has(name));
  const [meant, ...others] = named === undefined ? (pinned ?? [...names]) : [named];
  const pool = others.length > 0 ? undefined : poolsOf(context).find(({ name }) => name === meant);
  if (pool === undefined) return undefined;
  const { object, name } = pool;
  if (raised !== undefined)
    return { field: { object, path: ['spec', 'limits'], label: `the limits of NodePool ${name}` } };
  const blocking = taintField(pool, shape) ?? labelField(pool, shape);
  const edit = changed?.fix.edits[0];
  return blocking ?? (edit && { field: { object, path: edit.path, label: `NodePool ${name} does not allow it` } });
}

/** The first taint of the NodePool that the pods do not tolerate. */
export function taintField({ object, name, spec }: Pool, shape: PodShape): BlockingField | undefined {
  const taint = blockingTaints(shape, spec?.taints ?? [])[0];
  const index = listOf(templateOf(object)?.spec?.taints).findIndex(
    ({ key, effect }) => key === taint?.key && effect === taint?.effect,
  );
  if (taint === undefined || index < 0) return undefined;
  const label = `the pods do not tolerate ${formatTaint(taint)} of NodePool ${name}`;
  return { field: { object, path: ['spec', 'template', 'spec', 'taints', index], label } };
}

/** The requirement or label of the NodePool that excludes what the pod requires. */
function labelField(pool: Pool, shape: PodShape): BlockingField | undefined {
  const { object, name } = pool;
  const template = templateOf(object);
  const [wanted = [], ...alternatives] = requirementAlternatives(shape);
  const conflict =
    alternatives.length > 0
      ? undefined
      : wanted.map((part) => Requirement.from(part)).find((requirement) => isDisjoint(pool, requirement));
  if (conflict === undefined) return undefined;
  const { key } = conflict;
  const index = listOf(template?.spec?.requirements).findIndex(
    (requirement) => normalizeLabelKey(String(requirement?.key)) === key,
  );
  const label = index < 0 ? `the nodes of NodePool ${name} have another value` : `NodePool ${name} allows other values`;
  const path =
    index < 0 ? ['spec', 'template', 'metadata', 'labels', key] : ['spec', 'template', 'spec', 'requirements', index];
  return { field: { object, path, label }, label: key };
}

function templateOf({ raw }: ManifestObject): any {
  return (raw as any)?.spec?.template;
}

function isDisjoint({ requirements }: Pool, incoming: Requirement): boolean {
  return (
    requirements !== undefined &&
    requirements.has(incoming.key) &&
    !requirements.get(incoming.key).hasIntersection(incoming)
  );
}

function listOf(value: unknown): any[] {
  return Array.isArray(value) ? value : [];
}
