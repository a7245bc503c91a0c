import { InstanceTypeTable, labelsOfType } from '../../catalog';
import { columnAmount, Label, Requirement, ResourceList, WELL_KNOWN_LABELS } from '../../model';
import { ExistingNode } from '../input/schedule-input';
import { NodeLabels, PoolTemplate } from '../launch/pool-template';
import { offeringLabels, RESERVATION_LABELS } from '../launch/type-filter';
import { Offer } from '../schedule-plan';

/**
 * Karpenter draws a random number for a custom label without a fixed value. This number stands for it: no pod selects
 * it.
 */
const ARBITRARY_NUMBER = 2n ** 53n - 1n;

const EFA = 'vpc.amazonaws.com/efa';

/** The parts of a NodeClaim that decide the labels that the pool leaves open, and the network interfaces. */
export interface LaunchedFor {
  /** The claim's requests, daemonsets included. @default - none */
  readonly requests?: ResourceList;
  /** The claim's requirements. */
  readonly requirements: readonly Requirement[];
}

/**
 * The node of a launch as Karpenter sees it from the launch on, without pods. The node has EFA interfaces only if its
 * node class configures them or a pod of its claim requests them.
 *
 * @param ordinal different for every node of the pool, so that arbitrary label values differ
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instance/instance.go getEFACountForInstance
 */
export function launchedNode(
  template: PoolTemplate,
  offer: Offer,
  launchedFor: LaunchedFor,
  ordinal: number,
): Omit<ExistingNode, 'name'> {
  const { pool, table } = template;
  const type = table.names.indexOf(offer.instanceType);
  const hasEfa = table.namesInterfaces || launchedFor.requests?.has(EFA);
  const amounts = (columns: readonly Float64Array[]): ResourceList =>
    new Map(
      table.resources.flatMap((resource, index) =>
        resource !== EFA || hasEfa ? [[resource, columnAmount(resource, columns[index][type])]] : [],
      ),
    );
  return {
    labels: nodeLabels(template, type, offer, launchedFor.requirements, ordinal),
    taints: pool.taints,
    allocatable: amounts(table.allocatable),
    capacity: amounts(table.capacity),
    initialized: true,
    pods: [],
  };
}

/** The node of a claim that is launched, but whose node is not registered yet. */
export function unregisteredNode(
  name: string,
  template: PoolTemplate,
  offer: Offer,
  launchedFor: LaunchedFor,
  ordinal: number,
): ExistingNode {
  const { labels, ...launched } = launchedNode(template, offer, launchedFor, ordinal);
  const { [Label.REGISTERED]: _, [Label.INITIALIZED]: __, ...claimLabels } = labels;
  return { name, ...launched, labels: claimLabels, initialized: false, claimOnly: true };
}

/** If a label can have several values, the node gets the first one. */
function nodeLabels(
  template: PoolTemplate,
  type: number,
  offer: Offer,
  requirements: LaunchedFor['requirements'],
  ordinal: number,
): NodeLabels {
  const partition = launchedPartition(
    requirements.find(({ key }) => key === Label.PLACEMENT_GROUP_PARTITION),
    offer.partition,
  );
  const custom = requirements
    .filter(({ key }) => !WELL_KNOWN_LABELS.has(key))
    .flatMap((requirement): Array<[string, string]> => {
      const value = requirement.complement ? arbitraryNumber(requirement, ordinal) : [...requirement.values].sort()[0];
      return value === undefined ? [] : [[requirement.key, value]];
    });
  const common = commonLabels(template, type, { ...offer, partition });
  return custom.length === 0 ? common : { ...Object.fromEntries(custom), ...common };
}

/**
 * Labels that all nodes have that the pool launches with this offer. They are shared, because results are memoized by
 * label object.
 */
function commonLabels(template: PoolTemplate, type: number, offer: Offer): NodeLabels {
  const { zone, capacityType, reservation, partition } = offer;
  const key = JSON.stringify([type, zone, capacityType, reservation, partition]);
  let labels = template.launchedLabels.get(key);
  if (labels === undefined) {
    labels = computeCommonLabels(template, type, offer);
    template.launchedLabels.set(key, labels);
  }
  return labels;
}

function computeCommonLabels({ pool, table, requirements }: PoolTemplate, type: number, offer: Offer): NodeLabels {
  return {
    ...withoutReservation(labelsOfType(table, type)),
    [Label.INSTANCE_TENANCY]: requirements.get(Label.INSTANCE_TENANCY).has('default') ? 'default' : 'dedicated',
    ...pool.labels,
    [Label.NODE_POOL]: pool.name,
    [Label.NODE_CLASS]: pool.nodeClass,
    [Label.REGISTERED]: 'true',
    [Label.INITIALIZED]: 'true',
    ...Object.fromEntries(labelsOfOffer(table, offer)),
  };
}

/** The reservation labels come from the offering. */
function withoutReservation(labels: NodeLabels): NodeLabels {
  return Object.fromEntries(
    Object.entries(labels).filter(([key]) => !RESERVATION_LABELS.some((label) => label === key)),
  );
}

/** A type may have several zone ids and reservations; the node has those of its offering. */
function labelsOfOffer(
  { offerings }: InstanceTypeTable,
  { zone, capacityType, reservation, partition }: Offer,
): Array<[string, string]> {
  const plane = offerings.find(
    (candidate) =>
      candidate.zone === zone && candidate.capacityType === capacityType && candidate.reservation?.id === reservation,
  );
  const labels = offeringLabels({ ...(plane ?? { zone, capacityType }), partition });
  return labels.flatMap(([key, value]): Array<[string, string]> => (value === undefined ? [] : [[key, value]]));
}

function arbitraryNumber({ values, gte = 0n, lte }: Requirement, ordinal: number): string {
  const highest = lte ?? (gte > ARBITRARY_NUMBER ? gte : ARBITRARY_NUMBER);
  // If the bounds allow fewer numbers than there are nodes, several nodes share the highest one.
  let number = highest - BigInt(ordinal) < gte ? highest : highest - BigInt(ordinal);
  while (values.has(String(number))) number -= 1n;
  return String(number);
}

/**
 * The partition of its placement group that a node is launched into. Karpenter takes the first value of the claim's
 * requirement without looking at the operator: with NotIn it launches into an excluded partition.
 *
 * @param wanted the claim's requirement on the partition, if it has one
 * @param offered the first partition that the claim allows
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/launchtemplate/launchtemplate.go EnsureAll
 */
function launchedPartition(wanted: Requirement | undefined, offered: string | undefined): string | undefined {
  const [excluded] = wanted?.complement ? [...wanted.values].sort() : [];
  return offered === undefined ? undefined : (excluded ?? offered);
}
