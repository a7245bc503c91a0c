/**
 * Names of AWS that are more likely a typing error than newer than this release: a region whose number, or a family
 * whose generation, is far above those known. A name that AWS may give next passes.
 */
import { isUnresolved } from './unresolved';
import { KNOWN_REGIONS } from '../../contract';
import { nearestName } from '../../model';

/** How far above the highest known number a new name may be. */
const NEW_REGIONS = 1;
const NEW_GENERATIONS = 4;
/** `m7i`, `m7i-flex`, `x2iedn`, `u7in-16tb`, `p4de`; category, generation and attributes. */
const FAMILY = /^([a-z]+)(\d{1,2})([a-z]*)(?:-[a-z0-9]+)?$/;
/** `u-6tb1` and `mac2-m1ultra` have forms of their own. */
const OTHER_FAMILY = /^(?:u-\d+tb\d+|mac\d(?:-[a-z0-9]+)?)$/;
/** `large`, `2xlarge`, `metal-24xl`. */
const SIZE = /^(?:nano|micro|small|medium|large|xlarge|\d{1,3}xlarge|metal(?:-\d{1,3}xl)?)$/;

/** @throws Error if the region of a zone is not known, and cannot be a new one */
export function requirePlausibleRegion(name: string, zone: string): void {
  const region = /^([a-z]+(?:-[a-z]+)+-)(\d+)/.exec(zone);
  if (region === null || isUnresolved(zone)) return;
  const [full, prefix, number] = region;
  const numbers = KNOWN_REGIONS.filter((known) => known.startsWith(prefix)).map((known) =>
    Number(known.slice(prefix.length)),
  );
  // A direction that no region of the area has yet may be the first one.
  if (Number(number) <= Math.max(0, ...numbers) + NEW_REGIONS) return;
  throw new Error(
    `${name}: must be in a region of AWS, got ${JSON.stringify(zone)}, and no region ${full} is known; ${suggested(full, KNOWN_REGIONS)}`,
  );
}

/** @throws Error if the text is no name of an instance family, or its generation is far above the known ones */
export function requirePlausibleFamily(value: string, known: readonly string[]): void {
  if (isUnresolved(value) || known.includes(value) || OTHER_FAMILY.test(value)) return;
  const [, , generation, attributes] = FAMILY.exec(value) ?? [];
  const newest = Math.max(...known.map((family) => Number(FAMILY.exec(family)?.[2] ?? 0)));
  const isPlausible =
    generation !== undefined &&
    Number(generation) <= newest + NEW_GENERATIONS &&
    new Set(attributes).size === attributes.length;
  if (isPlausible) return;
  throw new Error(
    `InstanceFamily.of: must be the part of an instance type before the dot, got ${JSON.stringify(value)}; ${suggested(value, known)}`,
  );
}

/** @throws Error if the text is no name of a size */
export function requirePlausibleSize(value: string, known: readonly string[]): void {
  if (isUnresolved(value) || known.includes(value) || SIZE.test(value)) return;
  throw new Error(
    `InstanceSize.of: must be the part of an instance type after the dot, got ${JSON.stringify(value)}; ${suggested(value, known)}`,
  );
}

function suggested(value: string, known: readonly string[]): string {
  const nearest = nearestName(value, known);
  return nearest === undefined ? `write for example ${known[0]}` : `did you mean ${nearest}?`;
}
