import { carrierOf, InstanceTypeTable, LabelColumn, OfferingPlane } from '../../catalog';
import { Requirement, Requirements, Label } from '../../model';

/**
 * Which instance types meet the requirements, evaluated type by type and label by label. The kernel does the same on
 * bit sets; this code explains and checks its results.
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

/** Whether a type meets a requirement on the label, by one of its values or by not having the label. */
export function admission(column: LabelColumn, requirement: Requirement): (type: number) => boolean {
  const admitted = column.values.map((value) => requirement.has(value));
  const absence = toleratesAbsence(requirement);
  const { sets, codes, values } = column;
  if (sets === undefined) return (type) => (codes[type] < 0 ? absence : admitted[codes[type]]);
  const carries = carrierOf(column);
  const allCodes = [...values.keys()];
  const allowedCodes = allCodes.filter((code) => admitted[code]);
  return (type) =>
    allowedCodes.some((code) => carries(type, code)) || (absence && !allCodes.some((code) => carries(type, code)));
}

function toleratesAbsence(requirement: Requirement): boolean {
  const operator = requirement.operator();
  return operator === 'NotIn' || operator === 'DoesNotExist';
}

/** The offerings that the requirements allow. */
export function compatibleOfferings(table: InstanceTypeTable, requirements: Requirements): OfferingPlane[] {
  return table.offerings.filter((plane) =>
    offeringLabels(plane).every(
      ([key, value]) =>
        !requirements.has(key) ||
        (value === undefined ? toleratesAbsence(requirements.get(key)) : requirements.get(key).has(value)),
    ),
  );
}

export function isOffered(planes: readonly OfferingPlane[], type: number): boolean {
  return planes.some((plane) => !Number.isNaN(plane.usdPerHour[type]));
}

/**
 * The types that meet the requirements and have an allowed offering. Resources are not considered.
 *
 * @param among indices to filter. @default - all types
 */
export function matchingTypes(
  table: InstanceTypeTable,
  requirements: Requirements,
  among?: readonly number[],
): number[] {
  const compatible = compatibleTypes(table, requirements);
  const planes = compatibleOfferings(table, requirements);
  return (among ?? table.names.map((_, type) => type)).filter((type) => compatible[type] && isOffered(planes, type));
}

/** The types that Karpenter considers for a node without pods: it ignores daemonsets in this case. */
export function typesWithoutPods(table: InstanceTypeTable, requirements: Requirements): (type: number) => boolean {
  const types = new Set(
    matchingTypes(table, requirements).filter((type) => table.allocatable.every((column) => column[type] >= 0)),
  );
  return (type) => types.has(type);
}

/** Price of the type's cheapest allowed offering in USD per hour; Infinity if it has none. */
export function cheapestPrice(table: InstanceTypeTable, requirements: Requirements, type: number): number {
  const prices = compatibleOfferings(table, requirements).map((plane) => plane.usdPerHour[type]);
  return Math.min(...prices.filter((price) => !Number.isNaN(price)));
}

/** Labels that only offerings of capacity reservations have. */
export const RESERVATION_LABELS = [
  Label.CAPACITY_RESERVATION_ID,
  Label.CAPACITY_RESERVATION_TYPE,
  Label.CAPACITY_RESERVATION_INTERRUPTIBLE,
] as const;

/** The labels of an offering. A value is undefined if the offering does not have the label. */
export function offeringLabels({
  zone,
  zoneId,
  capacityType,
  reservation,
  partition,
}: Omit<OfferingPlane, 'usdPerHour'>): ReadonlyArray<readonly [string, string | undefined]> {
  const [id, type, interruptible] = RESERVATION_LABELS;
  return [
    [Label.ZONE, zone],
    ...(zoneId === undefined ? [] : [[Label.ZONE_ID, zoneId] as const]),
    [Label.CAPACITY_TYPE, capacityType],
    ...(partition === undefined ? [] : [[Label.PLACEMENT_GROUP_PARTITION, partition] as const]),
    [id, reservation?.id],
    [type, reservation?.type],
    [interruptible, reservation && String(reservation.interruptible)],
  ];
}
