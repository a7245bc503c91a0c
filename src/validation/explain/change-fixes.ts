import { podFix } from './pod-change';
import { asRecord, appendItem, FieldEdit, FieldFix, FieldPath, removeField, setField, unsafeFix } from '../../contract';
import { formatAmount, normalizeLabelKey, RequirementSpec, Taint } from '../../model';
import { ScheduleInput, NodePoolSpec } from '../../scheduling';
import { RuleContext } from '../context/check-session';
import { podGroupIndices } from '../context/schedule-input';
import { valueAt } from '../manifest/edit/edited-value';
import { ObjectFix } from '../manifest/edit/fix-of';
import { ManifestObject } from '../manifest/model';

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

const REQUIREMENTS: FieldPath = ['spec', 'template', 'spec', 'requirements'];
const TAINTS: FieldPath = ['spec', 'template', 'spec', 'taints'];
const STARTUP_TAINTS: FieldPath = ['spec', 'template', 'spec', 'startupTaints'];
const LABELS: FieldPath = ['spec', 'template', 'metadata', 'labels'];

/** The change of a NodePool as an edit of its object; undefined if its fields are written in another way. */
function poolFix(before: NodePoolSpec, after: NodePoolSpec, { raw }: ManifestObject): FieldFix | undefined {
  const ofTaints = startupTaintEdits(before.taints, after.taints, raw);
  const ofRequirements = requirementEdits(before.requirements, after.requirements, raw);
  if (ofRequirements === undefined || ofTaints === undefined) return undefined;
  const edits = [
    ...[...after.limits]
      .filter(([resource, amount]) => before.limits.get(resource) !== amount)
      .map(([resource, amount]) => setField(['spec', 'limits', resource], formatAmount(resource, amount))),
    ...(after.replicas === before.replicas ? [] : [setField(['spec', 'replicas'], after.replicas)]),
    ...Object.entries(after.labels)
      .filter(([key, value]) => before.labels[key] !== value)
      .map(([key, value]) => setField([...LABELS, key], value)),
    ...ofRequirements,
    ...ofTaints,
  ];
  return edits.length === 0 ? undefined : unsafeFix(...edits);
}

/** Taints that are no longer there become startup taints. */
function startupTaintEdits(before: readonly Taint[], after: readonly Taint[], raw: unknown): FieldEdit[] | undefined {
  const removed = before.filter((taint) => !after.includes(taint));
  if (removed.length === 0) return [];
  const written = valueAt(raw, TAINTS);
  if (!Array.isArray(written)) return undefined;
  const indices = removed.map((taint) =>
    written.findIndex((item) => asRecord(item)?.key === taint.key && asRecord(item)?.effect === taint.effect),
  );
  if (indices.includes(-1)) return undefined;
  const removals =
    removed.length === written.length ? [removeField(TAINTS)] : indices.map((index) => removeField([...TAINTS, index]));
  return [...removals, ...indices.map((index) => appendItem(STARTUP_TAINTS, written[index]))];
}

/** Unchanged requirements are the same objects before and after. */
function requirementEdits(
  before: readonly RequirementSpec[],
  after: readonly RequirementSpec[],
  raw: unknown,
): FieldEdit[] | undefined {
  if (before === after) return [];
  const written = valueAt(raw, REQUIREMENTS);
  if (!Array.isArray(written) || written.length !== before.length) return undefined;
  const changed = before.flatMap((spec, index) => (after.includes(spec) ? [] : [index]));
  const replacements = after.filter((spec) => !before.includes(spec));
  if (replacements.length !== 0 && replacements.length !== changed.length) return undefined;
  const edits = changed.map((index, position) => {
    const key = asRecord(written[index])?.key;
    if (typeof key !== 'string' || normalizeLabelKey(key) !== normalizeLabelKey(before[index].key)) return undefined;
    const path = [...REQUIREMENTS, index];
    return replacements.length === 0
      ? [removeField(path)]
      : requirementEdit(before[index], replacements[position], path);
  });
  return edits.some((edit) => edit === undefined) ? undefined : edits.flatMap((edit) => edit!);
}

function requirementEdit(before: RequirementSpec, after: RequirementSpec, path: FieldPath): FieldEdit[] {
  const [old, values] = [before.values ?? [], after.values ?? []];
  const isExtended = values.length === old.length + 1 && old.every((value, index) => values[index] === value);
  const isSame = values.length === old.length && old.every((value, index) => values[index] === value);
  return [
    ...(isSame
      ? []
      : isExtended
        ? [appendItem([...path, 'values'], values[old.length])]
        : [setField([...path, 'values'], [...values])]),
    ...(after.minValues === before.minValues ? [] : [setField([...path, 'minValues'], after.minValues)]),
  ];
}
