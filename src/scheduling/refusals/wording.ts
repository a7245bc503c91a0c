import { Requirement } from '../../model';
import { PoolTemplate } from '../launch/pool-template';

/** 'In [a b]': a requirement in Karpenter's format, without the key. */
export function valuesText(requirement: Requirement): string {
  return String(requirement).slice(requirement.key.length + 1);
}

/** The values of a label that instance types in the catalog, or their offerings, have. */
export function catalogValues({ table }: PoolTemplate, key: string): readonly string[] {
  return table.labels.find((label) => label.key === key)?.values ?? [];
}
