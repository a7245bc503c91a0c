import { carrierOf, InstanceTypeTable, LabelColumn, OfferingPlane } from '../catalog';
import { Requirement, Requirements } from '../model';
import { offeringLabels } from './view-encoder';

/**
 * Which instance types meet requirements, one type at a time and label by label: plain code that explains and checks what the
 * kernel does on bitsets.
 */
export function compatibleTypes(table: InstanceTypeTable, requirements: Requirements): boolean[] {
  const result = new Array<boolean>(table.names.length).fill(true);
  for (const column of table.labels) {
    if (!requirements.has(column.key)) continue;
    const admits = admission(column, requirements.get(column.key));
    for (let type = 0; type < result.length; type++) result[type] &&= admits(type);
  }
  return result;
}

/** Whether a type passes a requirement on the label: with one of its values, or without any where that will do. */
export function admission(column: LabelColumn, requirement: Requirement): (type: number) => boolean {
  const admitted = column.values.map((value) => requirement.has(value));
  const absence = toleratesAbsence(requirement);
  const { sets, codes, values } = column;
  if (sets === undefined) return (type) => codes[type] < 0 ? absence : admitted[codes[type]];
  const [carries, all] = [carrierOf(column), [...values.keys()]];
  const allowed = all.filter((code) => admitted[code]);
  return (type) => allowed.some((code) => carries(type, code)) || (absence && !all.some((code) => carries(type, code)));
}

function toleratesAbsence(requirement: Requirement): boolean {
  const operator = requirement.operator();
  return operator === 'NotIn' || operator === 'DoesNotExist';
}

/** The zones, capacity types and reservations that the requirements leave. */
export function compatibleOfferings(table: InstanceTypeTable, requirements: Requirements): OfferingPlane[] {
  return table.offerings.filter((plane) => offeringLabels(plane).every(([key, value]) =>
    !requirements.has(key) || (value === undefined ? toleratesAbsence(requirements.get(key)) : requirements.get(key).has(value))));
}

export function isOffered(planes: readonly OfferingPlane[], type: number): boolean {
  return planes.some((plane) => !Number.isNaN(plane.usdPerHour[type]));
}

/**
 * The types that a node could be of, by labels and offerings alone.
 *
 * @param among indices to choose from; all by default
 */
export function matchingTypes(table: InstanceTypeTable, requirements: Requirements, among?: readonly number[]): number[] {
  const compatible = compatibleTypes(table, requirements);
  const planes = compatibleOfferings(table, requirements);
  return (among ?? table.names.map((_, type) => type)).filter((type) => compatible[type] && isOffered(planes, type));
}

/** Those that Karpenter launches without a pod in mind: then it does not ask which daemonsets run there either. */
export function typesWithoutPods(table: InstanceTypeTable, requirements: Requirements): (type: number) => boolean {
  const types = new Set(matchingTypes(table, requirements).filter((type) => table.allocatable.every((column) => column[type] >= 0)));
  return (type) => types.has(type);
}

/** The cheapest offering of a type that the requirements allow, in USD per hour; infinite where there is none. */
export function cheapestPrice(table: InstanceTypeTable, requirements: Requirements, type: number): number {
  const prices = compatibleOfferings(table, requirements).map((plane) => plane.usdPerHour[type]);
  return Math.min(...prices.filter((price) => !Number.isNaN(price)));
}
