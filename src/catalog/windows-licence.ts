/** USD per vCPU and hour that EC2 adds for Windows, in all regions alike. */
const PER_VCPU = 0.046;
const FLEX_PER_VCPU = 0.0437;
/** Flexible types with more vCPUs have the ordinary licence. */
const MAX_FLEX_VCPUS = 32;

/** Burstable types, in USD per hour. */
const BURSTABLE: ReadonlyMap<string, number> = new Map([
  ['nano', 0.0046],
  ['micro', 0.0092],
  ['small', 0.0184],
  ['medium', 0.0184],
  ['large', 0.0276],
  ['xlarge', 0.0736],
  ['2xlarge', 0.1472],
]);

/**
 * Families whose licence differs between regions or is not recorded, and families that EC2 does not offer with Windows.
 */
const UNKNOWN = /^(c1|c3|c4|d2|dl2q|f2|hpc.*|i2|inf\d|m1|m2|m3|mac.*|p[4-6].*|r3|t1|t2|trn.*|vt1)$/;

/** The date of the prices that the licence is derived from: those of Windows minus those of Linux. */
export const WINDOWS_LICENCE_OF = '2025-05-28';

/** USD per hour that EC2 adds to the price of Linux for the licence of Windows; undefined if it is unknown. */
export function windowsLicence(instanceType: string, vcpus: number): number | undefined {
  const [family, size] = instanceType.split('.');
  if (UNKNOWN.test(family)) return undefined;
  if (family === 't3' || family === 't3a') return BURSTABLE.get(size);
  return vcpus * (family.endsWith('-flex') && vcpus <= MAX_FLEX_VCPUS ? FLEX_PER_VCPU : PER_VCPU);
}
