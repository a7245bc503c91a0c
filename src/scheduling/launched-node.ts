import { InstanceTypeTable, labelsOfType } from '../catalog';
import { Label, Requirement, ResourceList, WELL_KNOWN_LABELS } from '../model';
import { launchedPartition } from './launched-partition';
import { ExistingNode } from './schedule-input';
import { Offer } from './schedule-plan';
import { PoolTemplate } from './templates';
import { offeringLabels, RESERVATION_LABELS } from './view-encoder';

/** Stands for the number that Karpenter draws for each node, where a label may be anything: one that nobody asks for. */
const DRAWN = 2n ** 53n - 1n;

const EFA = 'vpc.amazonaws.com/efa';

/** What decides on labels that the pool leaves open, and on network interfaces. */
export interface LaunchedFor {
  /** Of its claim, daemons included. @default - none */
  readonly requests?: ResourceList;
  /** Of its claim. */
  readonly requirements: readonly Requirement[];
}

/**
 * The node that a launch brings, as Karpenter takes it from the launch on: empty yet. It has interfaces of EFA only where its class names them,
 * or something that it was launched for requests them.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instance/instance.go getEFACountForInstance
 */
export function launchedNode(template: PoolTemplate, offer: Offer, launchedFor: LaunchedFor, nth: number): Omit<ExistingNode, 'name'> {
  const { pool, table } = template;
  const type = table.names.indexOf(offer.instanceType);
  const hasEfa = table.namesInterfaces || launchedFor.requests?.has(EFA);
  const amounts = (columns: readonly Float64Array[]): ResourceList =>
    new Map(table.resources.flatMap((resource, at) => resource !== EFA || hasEfa ? [[resource, BigInt(Math.floor(columns[at][type]))]] : []));
  return {
    labels: nodeLabels(template, type, offer, launchedFor.requirements, nth),
    taints: pool.taints,
    allocatable: amounts(table.allocatable),
    capacity: amounts(table.capacity),
    initialized: true,
    pods: [],
  };
}

/** Of a label that is left several values the first stands for any. */
function nodeLabels(
  template: PoolTemplate, type: number, offer: Offer, requirements: LaunchedFor['requirements'], nth: number,
): Readonly<Record<string, string>> {
  const partition = launchedPartition(requirements.find(({ key }) => key === Label.PLACEMENT_GROUP_PARTITION), offer.partition);
  const custom = requirements
    .filter(({ key }) => !WELL_KNOWN_LABELS.has(key))
    .flatMap((requirement): Array<[string, string]> => {
      const value = requirement.complement ? numberFor(requirement, nth) : [...requirement.values].sort()[0];
      return value === undefined ? [] : [[requirement.key, value]];
    });
  const inCommon = labelsInCommon(template, type, offer, partition);
  return custom.length === 0 ? inCommon : { ...Object.fromEntries(custom), ...inCommon };
}

/** What all nodes have that the pool launches of an offer: the same object each time. */
function labelsInCommon(template: PoolTemplate, type: number, offer: Offer, partition: Offer['partition']): Readonly<Record<string, string>> {
  const { zone, capacityType, reservation } = offer;
  const key = JSON.stringify([type, zone, capacityType, reservation, partition]);
  const known = IN_COMMON.get(template.requirements) ?? new Map<string, Readonly<Record<string, string>>>();
  IN_COMMON.set(template.requirements, known);
  const found = known.get(key) ?? labelsAnew(template, type, { ...offer, partition });
  known.set(key, found);
  return found;
}

/** By the requirements of templates, each of which has its own. */
const IN_COMMON = new WeakMap<PoolTemplate['requirements'], Map<string, Readonly<Record<string, string>>>>();

function labelsAnew({ pool, table, requirements: ofPool }: PoolTemplate, type: number, offer: Offer): Readonly<Record<string, string>> {
  return {
    ...withoutReservation(labelsOfType(table, type)),
    [Label.INSTANCE_TENANCY]: ofPool.get(Label.INSTANCE_TENANCY).has('default') ? 'default' : 'dedicated',
    ...pool.labels,
    [Label.NODE_POOL]: pool.name,
    [Label.NODE_CLASS]: pool.nodeClass,
    [Label.REGISTERED]: 'true',
    [Label.INITIALIZED]: 'true',
    ...Object.fromEntries(labelsOf(table, offer)),
  };
}

/** Those of its offering count. */
function withoutReservation(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !RESERVATION_LABELS.some((label) => label === key)));
}

/** A type may have several zone ids and reservations; a node has those of its offering, where it has any. */
function labelsOf({ offerings }: InstanceTypeTable, { zone, capacityType, reservation, partition }: Offer): Array<[string, string]> {
  const plane = offerings.find((each) => each.zone === zone && each.capacityType === capacityType && each.reservation?.id === reservation);
  const labels = offeringLabels({ ...plane ?? { zone, capacityType }, partition });
  return labels.flatMap(([key, value]): Array<[string, string]> => value === undefined ? [] : [[key, value]]);
}

function numberFor({ values, gte = 0n, lte }: Requirement, nth: number): string {
  const highest = lte ?? (gte > DRAWN ? gte : DRAWN);
  // Where the bounds leave too few for each to have its own.
  let number = highest - BigInt(nth) < gte ? highest : highest - BigInt(nth);
  while (values.has(String(number))) number -= 1n;
  return String(number);
}
