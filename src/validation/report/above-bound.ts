import { apartText, podsApart } from './pods-apart';
import { countText, listText, monthlyPriceText, moreText, numberText, percentText } from '../../model';
import { CheaperTypes, NodeVerdict, Verdict } from '../vocabulary/verdict';

/** The most groups of nodes that are named. */
const MAX_GROUPS = 3;
/** Of equal nodes, the first so many are named. */
const MAX_NAMES = 2;
/** A node with a larger requested share is packed as well as Karpenter packs. */
const MAX_REQUESTED = 0.5;
/** The unused part of smaller groups costs too little to be worth a sentence. */
const MIN_UNUSED_SHARE_OF_BILL = 0.05;
/** A larger reserved share decides the size of a node. By default, only the smallest nodes have one. */
const MAX_RESERVED = 0.5;
/** Smaller DaemonSets do not decide the size of a node. */
const MIN_DAEMON_SHARE = 0.2;
const MEASURED = ['cpu', 'memory'] as const;
const NOUNS = { cpu: 'CPUs', memory: 'memory' } as const;

/** What the reasons are read from. */
type Fleet = Pick<Verdict, 'nodes' | 'summary' | 'workloads' | 'nodePools'>;

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
 * The nodes that make most of the difference between the price and its lower bound, or the price without topology: the
 * pods request little of their CPU and memory. At most three groups, the most expensive unused part first.
 */
export function nodesAboveBound(fleet: Fleet): NodesAboveBound[] {
  const {
    nodes,
    summary: { cost },
  } = fleet;
  const { usdPerHour, lowerBoundUsdPerHour, topology } = cost;
  if (usdPerHour === null || lowerBoundUsdPerHour === null) return [];
  // The bound keeps required spread, but the reader may give it up.
  if (usdPerHour <= Math.min(lowerBoundUsdPerHour, topology?.withoutUsdPerHour ?? Infinity)) return [];
  const bill = nodes.filter(({ existing }) => !existing).reduce((sum, { price }) => sum + (price?.perHour ?? 0), 0);
  return groupsOf(nodes)
    .map((group) => ({ group, figures: figuresOf(group, bill) }))
    .filter(
      ({ figures: { requestedShare, unusedPerHour } }) =>
        requestedShare < MAX_REQUESTED && unusedPerHour >= MIN_UNUSED_SHARE_OF_BILL * bill,
    )
    .sort((left, right) => right.figures.unusedPerHour - left.figures.unusedPerHour)
    .slice(0, MAX_GROUPS)
    .map(({ group, figures }) => ({ ...figures, sentence: sentenceOf(figures, reasonOf(group, fleet)) }));
}

/**
 * New nodes with a price, by NodePool, instance type, capacity type, whether they run pods, and what cheaper instance
 * types lack.
 */
function groupsOf(nodes: readonly NodeVerdict[]): NodeVerdict[][] {
  const groups = new Map<string, NodeVerdict[]>();
  for (const node of nodes) {
    if (node.existing || node.price === null || node.instanceType === null) continue;
    const { nodePool, instanceType, capacityType, cheaperTypes } = node;
    const key = JSON.stringify([
      nodePool,
      instanceType,
      capacityType,
      isEmpty(node),
      cheaperTypes && Object.keys(lacksOfAll(cheaperTypes)),
    ]);
    groups.set(key, [...(groups.get(key) ?? []), node]);
  }
  return [...groups.values()];
}

function figuresOf(group: readonly NodeVerdict[], bill: number): Omit<NodesAboveBound, 'sentence'> {
  const [{ nodePool, instanceType }] = group;
  const [cpu, memory] = [requestedShareOf(group, 'cpu'), requestedShareOf(group, 'memory')];
  const [resource, requestedShare] = memory > cpu ? (['memory', memory] as const) : (['cpu', cpu] as const);
  const perHour = group.reduce((sum, { price }) => sum + price!.perHour, 0);
  return {
    nodes: group.map(({ name }) => name),
    nodePool: nodePool!,
    instanceType: instanceType!,
    shareOfBill: perHour / bill,
    resource,
    requestedShare,
    unusedPerHour: perHour * (1 - requestedShare),
  };
}

function sentenceOf(
  { nodes, shareOfBill, resource, requestedShare }: Omit<NodesAboveBound, 'sentence'>,
  reason: string,
): string {
  const [verb, pronoun] = nodes.length === 1 ? ['is', 'its'] : ['are', 'their'];
  return (
    `${listed(nodes)} ${verb} ${percentText(shareOfBill)} of the bill with ${percentText(requestedShare)} of ${pronoun} ` +
    `${NOUNS[resource]} requested: ${reason}`
  );
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

/** Why there are so many nodes, and why no cheaper instance type is launched, as clauses. */
function reasonOf(
  group: readonly NodeVerdict[],
  {
    workloads,
    nodePools,
    summary: {
      cost: { currency },
    },
  }: Fleet,
): string {
  const [{ nodePool }] = group;
  const replicas = nodePools.find(({ name }) => name === nodePool)?.replicas;
  if (replicas !== undefined) return staticReason(group, replicas, currency);
  if (isEmpty(group[0])) return emptyReason(group);
  const { enough, reasons } = podsApart(group, workloads);
  const clauses = [...reservedClauses(group), ...daemonSetClauses(group), ...podPlaceClauses(group)];
  if (enough === group.length) return [...clauses, typeReason(group[0])].join('; ');
  const fit = `the requests of their pods fit on ${countText(enough, 'node')}`;
  return [
    ...clauses,
    reasons.length === 0 ? fit : `${fit}, but ${apartText(reasons)} them apart`,
    // Nodes that stay largely empty even when packed are too large as well.
    ...((largestShare(group) * group.length) / enough < MAX_REQUESTED ? [typeReason(group[0])] : []),
  ].join('; ');
}

/** Why Karpenter keeps the nodes of a static NodePool. */
function staticReason(group: readonly NodeVerdict[], replicas: number, currency: string): string {
  const [{ nodePool }] = group;
  const empty = group.filter(({ workloads }) => workloads.length === 0);
  const price = monthlyPriceText(
    empty.reduce((sum, node) => sum + node.price!.perHour, 0),
    currency,
  );
  const run = empty.length === 1 ? 'runs' : 'run';
  const idle = empty.length === 0 ? '' : `; ${numberText(empty.length)} ${run} no pod, for ${price}`;
  return `NodePool ${nodePool} is static, and keeps replicas: ${replicas} whatever the pods need${idle}`;
}

function isEmpty({ requests: { pods } }: NodeVerdict): boolean {
  return Object.values(pods).every((amount) => amount === 0);
}

/** Pods bind to the nodes that are ready first, so that some of those launched for them stay without. */
function emptyReason({ length }: readonly NodeVerdict[]): string {
  const [they, them] = length === 1 ? ['it runs', 'it'] : ['they run', 'them'];
  return `${they} no pods, because those that Karpenter launched ${them} for fit on nodes that were ready earlier`;
}

/** The larger requested share of CPU and memory. */
function largestShare(group: readonly NodeVerdict[]): number {
  return Math.max(...MEASURED.map((resource) => requestedShareOf(group, resource)));
}

/** Resources that are mostly reserved for the kubelet and the system. */
function reservedClauses([{ capacity, allocatable, instanceType }]: readonly NodeVerdict[]): string[] {
  return MEASURED.flatMap((resource) => {
    const reserved = 1 - (allocatable[resource] ?? 0) / (capacity[resource] ?? NaN);
    return reserved > MAX_RESERVED
      ? [`the kubelet and the system reserve ${percentText(reserved)} of the ${NOUNS[resource]} of ${instanceType}`]
      : [];
  });
}

/** DaemonSets that request more than the pods do. */
function daemonSetClauses(group: readonly NodeVerdict[]): string[] {
  const share = (requests: 'pods' | 'daemonSets', resource: string) =>
    group.reduce((sum, node) => sum + (node.requests[requests][resource] ?? 0), 0) /
    group.reduce((sum, { allocatable }) => sum + (allocatable[resource] ?? 0), 0);
  return MEASURED.flatMap((resource) => {
    const own = share('daemonSets', resource);
    return own >= MIN_DAEMON_SHARE && own > share('pods', resource)
      ? [`DaemonSets request ${percentText(own)} of the ${NOUNS[resource]}`]
      : [];
  });
}

/** The places for pods, if more of them are taken than of CPUs and memory. */
function podPlaceClauses(group: readonly NodeVerdict[]): string[] {
  const taken = requestedShareOf(group, 'pods');
  const places = Math.min(...group.map(({ allocatable }) => allocatable.pods ?? 0));
  return taken >= MAX_REQUESTED && taken > largestShare(group)
    ? [`each node has room for ${countText(places, 'pod')}, DaemonSets included`]
    : [];
}

/** Why no cheaper instance type is launched. */
function typeReason({ nodePool, instanceType, cheaperTypes }: NodeVerdict): string {
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
