import { normalizeLabelKey, RequirementSpec } from '../../model';
import { PodShape } from '../../scheduling';
import { ManifestModel } from '../manifest';
import { ReadableTemplate, readableTemplate } from './readable-requirements';

/** The values of a label that NodePools and pods require. */
export function namedValues({ nodePools, workloads }: ManifestModel, label: string): string[] {
  return [
    // A rejected NodePool says in which zones the cluster is, too.
    ...nodePools.flatMap(({ spec, object }) => valuesOfPool(spec ?? readableTemplate(object.raw), label)),
    ...workloads
      .flatMap(({ shape, ordinals = [] }) =>
        [...(shape ? [shape] : []), ...ordinals.map((range) => range.shape)].flatMap(requiredOf),
      )
      .flatMap((spec) => valuesOf(spec, label)),
  ];
}

/** The values of a label that a NodePool requires. */
export function valuesOfPool({ requirements, labels }: ReadableTemplate, label: string): string[] {
  return [...requirements, ...asRequirements(labels)].flatMap((spec) => valuesOf(spec, label));
}

function valuesOf({ key, operator, values = [] }: RequirementSpec, label: string): readonly string[] {
  return normalizeLabelKey(key) === label && operator === 'In' ? values : [];
}

function requiredOf({ nodeSelector, requiredNodeAffinity, volumeTopology = [] }: PodShape): RequirementSpec[] {
  return [
    ...asRequirements(nodeSelector),
    ...requiredNodeAffinity.flatMap(({ matchExpressions }) => matchExpressions),
    ...volumeTopology.flat(),
  ];
}

function asRequirements(labels: Readonly<Record<string, string>>): RequirementSpec[] {
  return Object.entries(labels).map(([key, value]) => ({ key, operator: 'In', values: [value] }));
}
