import { CatalogFile, catalogFile } from './catalog-file';
import { Label, WELL_KNOWN_VALUES } from '../model';

/** Labels whose values are names. Any number may be the figure of a newer type. */
const NAMES: ReadonlySet<string> = new Set([
  Label.INSTANCE_FAMILY,
  Label.INSTANCE_SIZE,
  Label.INSTANCE_CATEGORY,
  Label.INSTANCE_HYPERVISOR,
  Label.INSTANCE_CPU_MANUFACTURER,
  Label.INSTANCE_GPU_NAME,
  Label.INSTANCE_GPU_MANUFACTURER,
  Label.INSTANCE_ACCELERATOR_NAME,
  Label.INSTANCE_ACCELERATOR_MANUFACTURER,
]);
const FLAG: ReadonlySet<string> = new Set(['false', 'true']);
/** Labels whose values are the same in every catalogue. */
const FIXED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...WELL_KNOWN_VALUES,
  [Label.ARCH, new Set(['amd64', 'arm64'])],
  [Label.OS, new Set(['linux', 'windows'])],
  [Label.INSTANCE_CAPABILITY_FLEX, FLAG],
  [Label.INSTANCE_ENCRYPTION_IN_TRANSIT_SUPPORTED, FLAG],
]);

/** A family name as EC2 makes them: letters, the generation, options, and a suffix such as -flex. */
const FAMILY = /^([a-z]+)(?:-\d+tb)?(\d+)([a-z]*)(?:-[a-z0-9]+)?$/;
/** A size name as EC2 makes them. */
const SIZE = /^(nano|micro|small|medium|large|\d*xlarge|metal(-\d+xl)?)$/;
/** Letters of families that EC2 has, or had, and that the catalogue does not have. */
const OTHER_CATEGORIES = ['cc', 'cg', 'cr', 'hi', 'hs', 'mac'];

/**
 * The values that a label has on the instance types of the package and of `file`. Undefined for a label that may have
 * any value.
 */
export function knownLabelValues(key: string, file: CatalogFile): ReadonlySet<string> | undefined {
  if (FIXED.has(key)) return FIXED.get(key);
  const files = [catalogFile(), file];
  if (key === Label.INSTANCE_TYPE) return new Set(files.flatMap(({ names }) => names));
  if (!NAMES.has(key)) return undefined;
  return new Set(
    files.flatMap(({ labels }) => labels.filter((label) => label.key === key).flatMap(({ values }) => values)),
  );
}

/**
 * Whether a value that the catalogue does not have is likely misspelt, although EC2 could have it: generations with two
 * successors get no more families and sizes.
 *
 * @param meant the only value of the catalogue that it resembles
 */
export function isLikelyMisspelt(key: string, value: string, meant: string | undefined): boolean {
  const [family] = value.split('.');
  switch (key) {
    case Label.INSTANCE_TYPE:
      return isClosed(family) && valuesOf(Label.INSTANCE_FAMILY).includes(family);
    case Label.INSTANCE_FAMILY:
      return meant !== undefined && isClosed(family);
    case Label.INSTANCE_CATEGORY:
      return meant !== undefined && !OTHER_CATEGORIES.includes(value);
    case Label.INSTANCE_GPU_NAME:
    case Label.INSTANCE_ACCELERATOR_NAME:
      return meant !== undefined && meant.replace(/\D/g, '') === value.replace(/\D/g, '');
    default:
      return false;
  }
}

function isClosed(family: string): boolean {
  const [, letters, generation] = FAMILY.exec(family) ?? [];
  const generations = valuesOf(Label.INSTANCE_FAMILY).flatMap((name) => {
    const [, others, number] = FAMILY.exec(name) ?? [];
    return others === letters ? [Number(number)] : [];
  });
  return Number(generation) <= Math.max(...generations) - 2;
}

/** Whether a value may belong to an instance type that the catalogue does not have. */
export function isPossibleLabelValue(key: string, value: string): boolean {
  switch (key) {
    case Label.INSTANCE_TYPE: {
      const [family, size, ...more] = value.split('.');
      return more.length === 0 && isFamily(family) && SIZE.test(size ?? '');
    }
    case Label.INSTANCE_FAMILY:
      return isFamily(value);
    case Label.INSTANCE_SIZE:
      return SIZE.test(value);
    case Label.INSTANCE_CATEGORY:
    case Label.INSTANCE_GPU_NAME:
    case Label.INSTANCE_ACCELERATOR_NAME:
      return /^[a-z][a-z0-9-]*$/.test(value);
    default:
      return false;
  }
}

function isFamily(name: string): boolean {
  const [, letters, generation, options] = FAMILY.exec(name) ?? [];
  if (letters === undefined || /(.).*\1/.test(options)) return false;
  // No two families differ in the order of their options only.
  const isInOtherOrder = (known: string) => known.startsWith(letters + generation) && sorted(known) === sorted(name);
  if (valuesOf(Label.INSTANCE_FAMILY).some((known) => known !== name && isInOtherOrder(known))) return false;
  const categories = [...valuesOf(Label.INSTANCE_CATEGORY), ...OTHER_CATEGORIES];
  const newest = Math.max(...valuesOf(Label.INSTANCE_GENERATION).map(Number));
  return categories.includes(letters) && Number(generation) <= newest + 1;
}

function sorted(text: string): string {
  return [...text].sort().join('');
}

function valuesOf(key: string): readonly string[] {
  return catalogFile().labels.find((label) => label.key === key)!.values;
}
