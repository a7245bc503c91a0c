import { readInstanceTypes } from '../../data/generate';
import type { RegionFile } from '../../src/catalog';

const figures = new Map<string, RegionFile>();

/**
 * A region as Karpenter's oracle in conformance/ has it: published prices (of us-east-1 if the region has none), one
 * spot share for all types, and every type in every zone.
 */
export function uniformFigures(region = 'us-east-1'): RegionFile {
  const known = figures.get(region);
  if (known) return known;
  const types = readInstanceTypes();
  const priced = types.some(({ onDemandUsdPerHour }) => onDemandUsdPerHour?.[region] !== undefined)
    ? region
    : 'us-east-1';
  const pricePerVcpu = types.map(({ onDemandUsdPerHour, vcpus }) => {
    const price = onDemandUsdPerHour?.[priced];
    return price === undefined ? null : price / vcpus;
  });
  const made: RegionFile = {
    region,
    currency: 'USD',
    pricesOf: '2026-07-20',
    pricePerVcpu,
    priceKinds: pricePerVcpu.map((price) => (price === null ? '.' : 'p')).join(''),
  };
  figures.set(region, made);
  return made;
}
