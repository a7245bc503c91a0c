import { describeInstanceType, InstanceTypeTable } from '../catalog';
import { Label, Requirement, Requirements, ResourceList, WELL_KNOWN_LABELS } from '../model';
import { PodShape } from './pod-shape';
import { ExistingNode } from './schedule-input';
import { Offer } from './schedule-plan';
import { PoolTemplate } from './templates';

/** That a type may be had of a reservation does not say that a node is. */
const OF_RESERVATIONS: ReadonlySet<string> = new Set([
  Label.CAPACITY_RESERVATION_ID, Label.CAPACITY_RESERVATION_TYPE, Label.CAPACITY_RESERVATION_INTERRUPTIBLE,
]);

/** Stands for the number that Karpenter draws, where a label may be anything: one that nobody asks for. */
const DRAWN = 2n ** 53n - 1n;

/**
 * The node that a launch brings, as Karpenter takes it from the launch on: empty yet.
 *
 * @param pods that it was launched for: what they select decides on labels that the pool leaves open
 */
export function launchedNode(template: PoolTemplate, offer: Offer, pods: readonly PodShape[] = []): Omit<ExistingNode, 'name'> {
  const { pool, table } = template;
  const type = table.names.indexOf(offer.instanceType);
  const amounts = (columns: readonly Float64Array[]): ResourceList =>
    new Map(table.resources.map((resource, at) => [resource, BigInt(Math.floor(columns[at][type]))]));
  return {
    labels: nodeLabels(template, type, offer, pods),
    taints: pool.taints,
    allocatable: amounts(table.allocatable),
    capacity: amounts(table.capacity),
    initialized: true,
    pods: [],
  };
}

/** Of a label that the pool and its pods leave several values the first stands for any. */
function nodeLabels(
  { pool, table, requirements }: PoolTemplate, type: number, offer: Offer, pods: readonly PodShape[],
): Record<string, string> {
  const narrowed = Requirements.from(pool.requirements);
  for (const { nodeSelector, requiredNodeAffinity: [first] } of pods) {
    narrowed.add(...Requirements.fromLabels(nodeSelector).values(), ...Requirements.from(first?.matchExpressions ?? []).values());
  }
  const custom = narrowed.values()
    .filter(({ key }) => !WELL_KNOWN_LABELS.has(key))
    .flatMap((requirement): Array<[string, string]> => {
      const value = requirement.complement ? numberFor(requirement) : [...requirement.values].sort()[0];
      return value === undefined ? [] : [[requirement.key, value]];
    });
  return {
    ...Object.fromEntries(custom),
    ...Object.fromEntries(Object.entries(describeInstanceType(table, type).labels).filter(([key]) => !OF_RESERVATIONS.has(key))),
    [Label.INSTANCE_TENANCY]: requirements.get(Label.INSTANCE_TENANCY).has('default') ? 'default' : 'dedicated',
    ...pool.labels,
    [Label.NODE_POOL]: pool.name,
    [Label.NODE_CLASS]: pool.nodeClass,
    [Label.REGISTERED]: 'true',
    [Label.INITIALIZED]: 'true',
    [Label.ZONE]: offer.zone,
    [Label.CAPACITY_TYPE]: offer.capacityType,
    ...offeringLabels(table, offer),
  };
}

/** A type may have several zone ids and reservations; a node has those of its offering, where it has one. */
function offeringLabels({ offerings }: InstanceTypeTable, { zone, reservation: id }: Offer): Record<string, string> {
  const zoneId = offerings.find((plane) => plane.zone === zone)?.zoneId;
  const reservation = offerings.find((plane) => id !== undefined && plane.reservation?.id === id)?.reservation;
  return {
    ...(zoneId === undefined ? {} : { [Label.ZONE_ID]: zoneId }),
    ...(reservation === undefined ? {} : {
      [Label.CAPACITY_RESERVATION_ID]: reservation.id,
      [Label.CAPACITY_RESERVATION_TYPE]: reservation.type,
      [Label.CAPACITY_RESERVATION_INTERRUPTIBLE]: String(reservation.interruptible),
    }),
  };
}

function numberFor({ values, gte = 0n, lte }: Requirement): string {
  let number = lte ?? (gte > DRAWN ? gte : DRAWN);
  while (values.has(String(number))) number -= 1n;
  return String(number);
}
