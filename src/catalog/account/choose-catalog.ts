import { CatalogProblem } from './problem';
import { RegionCatalog } from './region-catalog';

/**
 * The catalogue of the region. Undefined without catalogues.
 *
 * @param region undefined if nothing says where the cluster is: a single catalogue then does
 * @throws CatalogProblem if all catalogues are of other regions
 */
export function chooseCatalog(
  catalogs: readonly RegionCatalog[],
  region: string | undefined,
): RegionCatalog | undefined {
  if (catalogs.length === 0) return undefined;
  const regions = catalogs.map((catalog) => catalog.region).join(', ');
  if (region === undefined) {
    if (catalogs.length === 1) return catalogs[0];
    throw new CatalogProblem(
      `there are catalogues of ${regions}, and nothing says in which of these regions the cluster is; name its region`,
    );
  }
  const chosen = catalogs.find((catalog) => catalog.region === region);
  if (chosen !== undefined) return chosen;
  throw new CatalogProblem(
    `the catalogue is of ${regions}, but the cluster is in ${region}; make one with karpenter-constructs catalog update --region ${region}`,
  );
}
