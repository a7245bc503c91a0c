import { ListedInstanceType } from './listed-type';
import { listTypes, ListOptions } from './pool-instance-types';
import { Catalog, CatalogOptions, DEFAULT_NODE_CLASS } from '../../catalog';
import { EliminationVerdict } from '../vocabulary/verdict';

export interface CatalogTypes {
  readonly types: readonly ListedInstanceType[];
  /** How many types are left after each requirement, starting with all types. */
  readonly elimination: readonly EliminationVerdict[];
  /** Sentences about the assumptions behind prices and zones. */
  readonly assumptions: readonly string[];
}

/**
 * All instance types, as Karpenter sees them with an AL2023 node class.
 *
 * @throws Error if an option has an invalid value
 */
export function catalogInstanceTypes(options: CatalogOptions, list: ListOptions): CatalogTypes {
  const catalog = Catalog.load(options);
  const table = catalog.resolve(DEFAULT_NODE_CLASS);
  return { ...listTypes(catalog, table, [...table.names.keys()], list), assumptions: catalog.assumptions };
}
