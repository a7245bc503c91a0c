import { summarisePods, workloadsKey } from '../pod-names';
import { groupSimilar, similarPoolsText } from '../similar';
import { CapacityBufferVerdict, FilledNodeVerdict, NodeClaimVerdict, NodePoolVerdict, Verdict } from '../verdict';
import { formatCount, moreText, offerText, plural, Section } from '../wording';
import { eliminationText } from './placements';

/** The most groups of equal nodes in one section. */
const MAX_GROUPS = 40;

export function describeNodePools({ nodePools }: Verdict): Section {
  const groups = groupSimilar(nodePools, ({ name: _, ...launchable }) => JSON.stringify(launchable));
  return { title: 'NodePools', lines: groups.flatMap(describePools) };
}

function describePools([{ name, instanceTypes, zones, capacityTypes, elimination }, ...others]: readonly NodePoolVerdict[]): string[] {
  const details = [
    ...elimination.length === 0 ? [] : [`    ${eliminationText(elimination)}`],
    ...similarPoolsText(others.map((other) => other.name)).map((line) => `    ${line}`),
  ];
  if (instanceTypes.length === 0) return [`  ${name}: can launch nothing`, ...details];
  const types = instanceTypes.length === 1 ? instanceTypes[0] : `${formatCount(instanceTypes.length)} instance types (cheapest ${instanceTypes[0]})`;
  return [`  ${name}: can launch ${types}, ${capacityTypes.join(' and ')}, in ${zones.join(', ')}`, ...details];
}

export function describeFilledNodes({ filledNodes }: Verdict): Section {
  const groups = groupBy(filledNodes, ({ nodePool, pods }) => JSON.stringify([nodePool, workloadsKey(pods)]));
  return { title: 'Nodes of the cluster', lines: firstLines(groups, (group) => [describeFilled(group)]) };
}

function describeFilled(group: readonly FilledNodeVerdict[]): string {
  const [{ node, nodePool, pods }] = group;
  return `  ${withCount(`${node}${nodePool === null ? '' : ` of NodePool ${nodePool}`}`, group)}: takes ${summarisePods(pods, group.length === 1)}`;
}

export function describeNodeClaims({ nodeClaims, summary: { cost: { currency } } }: Verdict): Section {
  return { title: 'Nodes', lines: firstLines(groupEqualNodeClaims(nodeClaims), (group) => describeGroup(group, currency)) };
}

/** Groups NodeClaims with the same launch and the same number of pods of the same workloads. */
export function groupEqualNodeClaims(nodeClaims: readonly NodeClaimVerdict[]): NodeClaimVerdict[][] {
  return groupBy(nodeClaims, ({ nodePool, pods, requests, launch, launchFailure }) =>
    JSON.stringify([nodePool, workloadsKey(pods), requests, launch, launchFailure]));
}

/** USD per hour of a group of equal NodeClaims. */
export function costOfGroup(group: readonly NodeClaimVerdict[]): number {
  return group.length * (group[0].launch?.cheapest.usdPerHour ?? 0);
}

function groupBy<Node>(nodes: readonly Node[], keyOf: (node: Node) => string): Node[][] {
  const groups = new Map<string, Node[]>();
  for (const node of nodes) {
    const key = keyOf(node);
    const group = groups.get(key);
    if (group) group.push(node); else groups.set(key, [node]);
  }
  return [...groups.values()];
}

function firstLines<Node>(groups: readonly Node[][], describe: (group: readonly Node[]) => string[]): string[] {
  const hidden = groups.slice(MAX_GROUPS).reduce((sum, group) => sum + group.length, 0);
  const lines = groups.slice(0, MAX_GROUPS).flatMap(describe);
  return hidden > 0 ? [...lines, `  ${moreText(hidden, 'node')}`] : lines;
}

function withCount(first: string, { length }: readonly unknown[]): string {
  return length === 1 ? first : `${first} and ${length - 1} more like it`;
}

function describeGroup(group: readonly NodeClaimVerdict[], currency: string): string[] {
  const [first] = group;
  const requests = Object.entries(first.requests).map(([resource, amount]) => `${resource} ${amount}`).join(', ');
  return [
    `  ${withCount(first.id, group)}: ${describeLaunch(first, currency)}`,
    `    runs ${first.pods.length === 0 ? 'no pod' : summarisePods(first.pods, group.length === 1)}`,
    ...requests === '' ? [] : [`    requests, including DaemonSets: ${requests}`],
  ];
}

function describeLaunch({ launch, launchFailure }: NodeClaimVerdict, currency: string): string {
  if (!launch) return `cannot be launched: ${launchFailure}`;
  const { capacityType, reservation } = launch.cheapest;
  const offer = offerText(launch.cheapest, currency);
  const otherTypes = launch.instanceTypes.length - 1;
  if (otherTypes === 0 || reservation !== undefined) return offer;
  return capacityType === 'spot'
    ? `${offer}, or ${plural(otherTypes, 'other instance type')}: EC2 chooses by spare capacity`
    : `${offer}, the cheapest of ${otherTypes + 1} instance types`;
}

export function describeCapacityBuffers({ capacityBuffers }: Verdict): Section {
  return { title: 'Capacity buffers', lines: capacityBuffers.map(describeBuffer) };
}

function describeBuffer({ name, pods, scheduledPods }: CapacityBufferVerdict): string {
  return `  ${name}: room for ${scheduledPods === pods ? plural(pods, 'pod') : `${scheduledPods} of ${plural(pods, 'pod')}`}, included in the nodes above`;
}
