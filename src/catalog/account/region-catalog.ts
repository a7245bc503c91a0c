import { AccountCatalog } from './account-catalog';
import { PublicCatalog } from '../public';

/** A file of `catalog update`: one region as an account sees it, or with prices that AWS publishes. */
export type RegionCatalog = AccountCatalog | PublicCatalog;

/** Whether the catalogue has the instance types and zones of an account. */
export function isOfAccount(catalog: RegionCatalog): catalog is AccountCatalog {
  return !('source' in catalog);
}

/** The catalogue, if it is one of an account. */
export function accountCatalogOf(catalog: RegionCatalog | undefined): AccountCatalog | undefined {
  return catalog !== undefined && isOfAccount(catalog) ? catalog : undefined;
}
