import { isOfAccount, RegionCatalog } from './account/region-catalog';
import { catalogFile } from './catalog-file';

/** A part of the on-demand price of an instance family that is not charged, as with Savings Plans. */
export interface FamilyDiscount {
  /** `m7g`, or `*` for all families. */
  readonly family: string;
  /** Between 0 and 1. */
  readonly share: number;
}

export const ALL_FAMILIES = '*';
const MILLIONTHS = 1e6;

/** The price after the discount of the family; without one, after that of all families. */
export function discounted(pricePerHour: number, instanceType: string, discounts: readonly FamilyDiscount[]): number {
  const family = familyOf(instanceType);
  const discount =
    discounts.find((candidate) => candidate.family === family) ??
    discounts.find((candidate) => candidate.family === ALL_FAMILIES);
  return discount === undefined
    ? pricePerHour
    : Math.round(pricePerHour * (1 - discount.share) * MILLIONTHS) / MILLIONTHS;
}

/** @throws Error if a share is not between 0 and 1 */
export function requireShares(discounts: readonly FamilyDiscount[]): void {
  const wrong = discounts.find(({ share }) => !(share > 0 && share < 1));
  if (wrong !== undefined)
    throw new Error(`discounts: not a share between 0 and 1, got ${wrong.share}; write for example 0.28`);
}

/** The first family of the discounts that no instance type has, in the embedded data and in catalogues of accounts. */
export function unknownFamily(
  discounts: readonly FamilyDiscount[],
  catalogs: readonly RegionCatalog[] = [],
): string | undefined {
  const names = [catalogFile(), ...catalogs.filter(isOfAccount).map(({ types }) => types)].flatMap(
    (file) => file.names,
  );
  const families = new Set([ALL_FAMILIES, ...names.map(familyOf)]);
  return discounts.find(({ family }) => !families.has(family))?.family;
}

/** One sentence for all discounts; none without them. */
export function discountAssumptions(discounts: readonly FamilyDiscount[]): string[] {
  if (discounts.length === 0) return [];
  const parts = discounts.map(
    ({ family, share }) =>
      `${family === ALL_FAMILIES ? 'all other families' : family} ${Number((share * 100).toPrecision(12))}%`,
  );
  return [
    `on-demand prices are charged with discounts: ${parts.join(', ')}; Karpenter does not know them, and compares the full prices`,
  ];
}

function familyOf(instanceType: string): string {
  return instanceType.slice(0, instanceType.indexOf('.'));
}
