/** What EBS volumes cost, to compare types of volumes. Bills of nodes do not include volumes. */
import { Quantity } from '../../model';

/** USD a month in us-east-1 (https://aws.amazon.com/ebs/pricing/, 2025-11). Other regions cost up to twice as much. */
const PER_GIB: Readonly<Record<string, number>> = {
  gp2: 0.1,
  gp3: 0.08,
  io1: 0.125,
  io2: 0.125,
  st1: 0.045,
  sc1: 0.015,
  standard: 0.05,
};
/** The price for each of the IOPS above a number of them. */
const PER_IOPS: Readonly<Record<string, ReadonlyArray<readonly [above: number, usd: number]>>> = {
  gp3: [[3_000, 0.005]],
  io1: [[0, 0.065]],
  io2: [
    [0, 0.065],
    [32_000, 0.046],
    [64_000, 0.032],
  ],
};
const GP3_FREE_THROUGHPUT = 125;
const GP3_PER_THROUGHPUT = 0.04;
/** The API of Karpenter allows no more for gp3. */
const GP3_MOST_IOPS = 80_000;
const GP3_IOPS_PER_GIB = 500;
const GIB = 2 ** 30;

/** Undefined if the type or the size is not known. */
export function volumeUsdPerMonth(ebs: Readonly<Record<string, unknown>>): number | undefined {
  const { volumeType: type, iops, throughput, volumeSize } = ebs;
  const size = Quantity.tryParse(volumeSize);
  if (typeof type !== 'string' || !Object.hasOwn(PER_GIB, type) || size === undefined) return undefined;
  const gib = Math.ceil(Number(size.value()) / GIB);
  const tiers = Object.hasOwn(PER_IOPS, type) && typeof iops === 'number' ? PER_IOPS[type] : [];
  const perIops = tiers.map(([above, usd], index) => {
    const end = tiers.at(index + 1)?.[0] ?? Infinity;
    return Math.max(0, Math.min(iops as number, end) - above) * usd;
  });
  const more = type === 'gp3' && typeof throughput === 'number' ? Math.max(0, throughput - GP3_FREE_THROUGHPUT) : 0;
  return gib * PER_GIB[type] + perIops.reduce((sum, usd) => sum + usd, 0) + more * GP3_PER_THROUGHPUT;
}

/** A gp3 volume with the IOPS of an io1 or io2 volume, as far as gp3 has them. Undefined for other types. */
export function gp3Instead(
  ebs: Readonly<Record<string, unknown>>,
): { readonly volumeType: 'gp3'; readonly iops: number } | undefined {
  const { volumeType, iops, volumeSize } = ebs;
  const size = Quantity.tryParse(volumeSize);
  if ((volumeType !== 'io1' && volumeType !== 'io2') || typeof iops !== 'number' || size === undefined)
    return undefined;
  const most = Math.min(GP3_MOST_IOPS, Math.ceil(Number(size.value()) / GIB) * GP3_IOPS_PER_GIB);
  return { volumeType: 'gp3', iops: Math.max(3_000, Math.min(iops, most)) };
}
