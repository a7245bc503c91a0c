import { countText, listText, moreText, numberText, percentText } from '../../model';
import { CheaperTypes, NodeVerdict, Verdict } from '../vocabulary/verdict';

/** The most groups of nodes that are named. */
const MAX_GROUPS = 3;
/** Of equal nodes, the first so many are named. */
const MAX_NAMES = 2;
/** A node with a larger requested share is packed as well as Karpenter packs. */
const MAX_REQUESTED = 0.5;
/** The unused part of smaller groups costs too little to be worth a sentence. */
const MIN_UNUSED_SHARE_OF_BILL = 0.05;

/** New nodes of one NodePool with the same instance type. Their pods request less than half of them. */
export interface NodesAboveBound {
  /** Names of the nodes, in the order of the verdict. */
  readonly nodes: readonly string[];
  readonly nodePool: string;
  readonly instanceType: string;
  /** Their share of the price of all new nodes, from 0 to 1. */
  readonly shareOfBill: number;
  /** The resource with the largest requested share, CPU or memory. */
  readonly resource: 'cpu' | 'memory';
  /** The requested share of `resource`, DaemonSets included, from 0 to 1. */
  readonly requestedShare: number;
  /** The price of the nodes times the share that is not requested. */
  readonly unusedPerHour: number;
  /** Names the nodes, their share and the reason. Without a full stop. */
  readonly sentence: string;
}

/**
 * The nodes that make most of the difference between the price and its lower bound: the pods request little of their
 * CPU and memory. At most three groups, the most expensive unused part first.
 */
export function nodesAboveBound({ nodes, summary: { cost } }: Pick<Verdict, 'nodes' | 'summary'>): NodesAboveBound[] {
  if (cost.usdPerHour === null || cost.lowerBoundUsdPerHour === null || cost.usdPerHour <= cost.lowerBoundUsdPerHour)
    return [];
  const bill = nodes.filter(({ existing }) => !existing).reduce((sum, { price }) => sum + (price?.perHour ?? 0), 0);
  return groupsOf(nodes)
    .map((group) => describe(group, bill))
    .filter(
      ({ requestedShare, unusedPerHour }) =>
        requestedShare < MAX_REQUESTED && unusedPerHour >= MIN_UNUSED_SHARE_OF_BILL * bill,
    )
    .sort((left, right) => right.unusedPerHour - left.unusedPerHour)
    .slice(0, MAX_GROUPS);
}

/** New nodes with a price, by NodePool, instance type, capacity type and what cheaper instance types lack. */
function groupsOf(nodes: readonly NodeVerdict[]): NodeVerdict[][] {
  const groups = new Map<string, NodeVerdict[]>();
  for (const node of nodes) {
    if (node.existing || node.price === null || node.instanceType === null) continue;
    const { nodePool, instanceType, capacityType, cheaperTypes } = node;
    const key = JSON.stringify([
      nodePool,
      instanceType,
      capacityType,
      cheaperTypes && Object.keys(lacksOfAll(cheaperTypes)),
    ]);
    groups.set(key, [...(groups.get(key) ?? []), node]);
  }
  return [...groups.values()];
}

function describe(group: readonly NodeVerdict[], bill: number): NodesAboveBound {
  const [{ nodePool, instanceType }] = group;
  const [cpu, memory] = [requestedShareOf(group, 'cpu'), requestedShareOf(group, 'memory')];
  const [resource, requestedShare] = memory > cpu ? (['memory', memory] as const) : (['cpu', cpu] as const);
  const perHour = group.reduce((sum, { price }) => sum + price!.perHour, 0);
  const names = group.map(({ name }) => name);
  const [verb, pronoun] = names.length === 1 ? ['is', 'its'] : ['are', 'their'];
  return {
    nodes: names,
    nodePool: nodePool!,
    instanceType: instanceType!,
    shareOfBill: perHour / bill,
    resource,
    requestedShare,
    unusedPerHour: perHour * (1 - requestedShare),
    sentence:
      `${listed(names)} ${verb} ${percentText(perHour / bill)} of the bill with ${percentText(requestedShare)} of ${pronoun} ` +
      `${resource === 'cpu' ? 'CPUs' : 'memory'} requested: ${reasonOf(group)}`,
  };
}

function requestedShareOf(group: readonly NodeVerdict[], resource: string): number {
  const allocatable = group.reduce((sum, node) => sum + (node.allocatable[resource] ?? 0), 0);
  const requested = group.reduce(
    (sum, { requests: { pods, daemonSets } }) => sum + (pods[resource] ?? 0) + (daemonSets[resource] ?? 0),
    0,
  );
  return allocatable === 0 ? 0 : requested / allocatable;
}

function listed(names: readonly string[]): string {
  return names.length <= MAX_NAMES ? listText(names) : `${names[0]} and ${moreText(names.length - 1)} like it`;
}

/** Why there are so many nodes, or why no cheaper instance type is launched, as a clause. */
function reasonOf(group: readonly NodeVerdict[]): string {
  const [{ nodePool, instanceType, cheaperTypes }] = group;
  const enough = enoughNodes(group);
  if (enough < group.length) {
    return `the requests of their pods fit on ${countText(enough, 'node')}, but topology, affinity or other constraints keep the pods apart`;
  }
  const pool = `NodePool ${nodePool}`;
  if (cheaperTypes === null) return `${instanceType} is the cheapest instance type of ${pool} there`;
  const { count, lack } = cheaperTypes;
  const types =
    count === 1
      ? `the only cheaper instance type of ${pool}`
      : `the ${numberText(count)} cheaper instance types of ${pool}`;
  const ofAll = Object.keys(lacksOfAll(cheaperTypes));
  if (ofAll.length > 0) return `${types} ${count === 1 ? 'has' : 'have'} ${listText(ofAll.map(tooLittle))}`;
  const most = Object.entries(lack).sort(([, left], [, right]) => right - left)[0];
  if (most === undefined) return `requirements of the pods or limits of the NodePool exclude ${types}`;
  return `of ${types}, ${numberText(most[1])} have ${tooLittle(most[0])}; requests and requirements of the pods, or limits of the NodePool, exclude the others`;
}

/** How many of these nodes would have the requested amounts of all. */
function enoughNodes(group: readonly NodeVerdict[]): number {
  const resources = [...new Set(group.flatMap(({ requests }) => Object.keys(requests.pods)))];
  return Math.max(
    1,
    ...resources.map((resource) => {
      const rooms = group.map(
        ({ allocatable, requests }) => (allocatable[resource] ?? 0) - (requests.daemonSets[resource] ?? 0),
      );
      const requested = group.reduce((sum, { requests }) => sum + (requests.pods[resource] ?? 0), 0);
      return Math.min(group.length, Math.ceil(requested / Math.max(0, Math.min(...rooms))));
    }),
  );
}

/** The resources that all cheaper instance types lack. */
function lacksOfAll({ count, lack }: CheaperTypes): CheaperTypes['lack'] {
  return Object.fromEntries(Object.entries(lack).filter(([, lacking]) => lacking === count));
}

function tooLittle(resource: string): string {
  switch (resource) {
    case 'cpu':
      return 'too few CPUs';
    case 'memory':
      return 'too little memory';
    case 'pods':
      return 'room for too few pods';
    case 'ephemeral-storage':
      return 'too little ephemeral storage';
    default:
      return `too few ${resource}`;
  }
}
