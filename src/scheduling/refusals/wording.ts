import { Requirement, RequirementSpec, Requirements } from '../../model';
import { PoolTemplate } from '../launch/pool-template';

/** 'In [a b]' or '>=4': a requirement in Karpenter's format, without the key, and without the Exists of bounds. */
export function valuesText(requirement: Requirement): string {
  return String(requirement)
    .slice(requirement.key.length + 1)
    .replace(/^Exists (?=[<>])/, '');
}

/** A requirement in Karpenter's format, with a bound as the manifest has it: 'key Gt 3', not 'key Exists >=4'. */
export function writtenText(spec: RequirementSpec): string {
  const [requirement] = Requirements.from([spec]).values();
  const isBound = /^[GL]te?$/.test(spec.operator);
  return `${requirement.key} ${isBound ? `${spec.operator} ${spec.values?.[0]}` : valuesText(requirement)}`;
}

/** The values of a label that instance types in the catalog, or their offerings, have. */
export function catalogValues({ table }: PoolTemplate, key: string): readonly string[] {
  return table.labels.find((label) => label.key === key)?.values ?? [];
}
