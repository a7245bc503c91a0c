import { countText, listText, moreText, numberText } from '../../../model';
import { billedPrice } from '../../vocabulary/billed-price';
import {
  CapacityBufferVerdict,
  FilledNodeVerdict,
  NodeClaimVerdict,
  NodePoolVerdict,
  Verdict,
} from '../../vocabulary/verdict';
import { summarisePods, workloadsKey } from '../pod-names';
import { groupSimilar, similarPoolsText } from '../similar';
import { offerText, omittedText, PRINT_ALL, Section } from '../wording';
import { Layout } from './layout';
import { eliminationText } from './placements';

/** The most groups of equal nodes in one section. */
const MAX_GROUPS = 40;
/** The most NodePools of the short report. */
const MAX_POOLS = 10;

export function describeNodePools({ nodePools }: Verdict): Section {
  const groups = groupSimilar(nodePools, ({ name: _, ...launchable }) => JSON.stringify(launchable));
  return { title: 'NodePools', lines: groups.flatMap(describePools) };
}

function describePools([
  { name, instanceTypes, zones, capacityTypes, elimination },
  ...others
]: readonly NodePoolVerdict[]): string[] {
  const details = [
    ...(elimination.length === 0 ? [] : [`    ${eliminationText(elimination)}`]),
    ...similarPoolsText(others.map((other) => other.name)).map((line) => `    ${line}`),
  ];
  return [`  ${launchableText(name, instanceTypes, capacityTypes, zones)}`, ...details];
}

/** What NodePools can launch, a line each. */
export function shortNodePools({ nodePools }: Pick<Verdict, 'nodePools'>, layout: Layout): Section {
  const groups = groupSimilar(nodePools, ({ name: _, elimination: _elimination, ...launchable }) =>
    JSON.stringify(launchable),
  );
  const left = groups.slice(MAX_POOLS).flat().length;
  const lines = groups
    .slice(0, MAX_POOLS)
    .map(([{ name, instanceTypes, capacityTypes, zones }, ...others]) =>
      layout.cut(
        `  ${launchableText(others.length === 0 ? name : `${name} and ${moreText(others.length)} like it`, instanceTypes, capacityTypes, zones)}`,
        layout.width,
      ),
    );
  return {
    title: 'NodePools',
    lines: [...lines, ...(left === 0 ? [] : [`  ${omittedText(left, 'NodePool', PRINT_ALL)}`])],
  };
}

function launchableText(
  name: string,
  instanceTypes: readonly string[],
  capacityTypes: readonly string[],
  zones: readonly string[],
): string {
  if (instanceTypes.length === 0) return `${name}: can launch nothing`;
  const types =
    instanceTypes.length === 1
      ? instanceTypes[0]
      : `${numberText(instanceTypes.length)} instance types (cheapest ${instanceTypes[0]})`;
  return `${name}: can launch ${types}, ${listText(capacityTypes)}, in ${zones.join(', ')}`;
}

export function describeFilledNodes({ filledNodes }: Verdict, max = MAX_GROUPS): Section {
  const groups = groupBy(filledNodes, ({ nodePool, pods }) => JSON.stringify([nodePool, workloadsKey(pods)]));
  return { title: 'Nodes of the cluster', lines: firstLines(groups, max, (group) => [describeFilled(group)]) };
}

function describeFilled(group: readonly FilledNodeVerdict[]): string {
  const [{ node, nodePool, pods }] = group;
  return `  ${withCount(`${node}${nodePool === null ? '' : ` of NodePool ${nodePool}`}`, group)}: takes ${summarisePods(pods, group.length === 1)}`;
}

export function describeNodeClaims(
  {
    nodeClaims,
    summary: {
      cost: { currency },
    },
  }: Verdict,
  max = MAX_GROUPS,
): Section {
  return {
    title: 'Nodes',
    lines: firstLines(groupEqualNodeClaims(nodeClaims), max, (group) => describeGroup(group, currency)),
  };
}

/** Groups NodeClaims with the same launch and the same number of pods of the same workloads. */
export function groupEqualNodeClaims(nodeClaims: readonly NodeClaimVerdict[]): NodeClaimVerdict[][] {
  return groupBy(nodeClaims, ({ nodePool, pods, requests, launch, launchFailure }) =>
    JSON.stringify([nodePool, workloadsKey(pods), requests, launch, launchFailure]),
  );
}

/** Price per hour of a group of equal NodeClaims. */
export function costOfGroup(group: readonly NodeClaimVerdict[]): number {
  return group.length * (group[0].launch ? (billedPrice(group[0].launch.cheapest) ?? 0) : 0);
}

function groupBy<Node>(nodes: readonly Node[], keyOf: (node: Node) => string): Node[][] {
  const groups = new Map<string, Node[]>();
  for (const node of nodes) {
    const key = keyOf(node);
    const group = groups.get(key);
    if (group) group.push(node);
    else groups.set(key, [node]);
  }
  return [...groups.values()];
}

function firstLines<Node>(
  groups: readonly Node[][],
  max: number,
  describe: (group: readonly Node[]) => string[],
): string[] {
  const hidden = groups.slice(max).reduce((sum, group) => sum + group.length, 0);
  const lines = groups.slice(0, max).flatMap(describe);
  return hidden > 0 ? [...lines, `  ${omittedText(hidden, 'node')}`] : lines;
}

function withCount(first: string, { length }: readonly unknown[]): string {
  return length === 1 ? first : `${first} and ${moreText(length - 1)} like it`;
}

function describeGroup(group: readonly NodeClaimVerdict[], currency: string): string[] {
  const [first] = group;
  const requests = Object.entries(first.requests)
    .map(([resource, amount]) => `${resource} ${amount}`)
    .join(', ');
  return [
    `  ${withCount(first.id, group)}: ${describeLaunch(first, currency)}`,
    `    runs ${first.pods.length === 0 ? 'no pod' : summarisePods(first.pods, group.length === 1)}`,
    ...(requests === '' ? [] : [`    requests, including DaemonSets: ${requests}`]),
  ];
}

function describeLaunch({ launch, launchFailure }: NodeClaimVerdict, currency: string): string {
  if (!launch) return `cannot be launched: ${launchFailure}`;
  const { capacityType, reservation } = launch.cheapest;
  const offer = offerText(launch.cheapest, currency);
  const otherTypes = launch.instanceTypes.length - 1;
  if (otherTypes === 0 || reservation !== undefined) return offer;
  return capacityType === 'spot'
    ? `${offer}, or ${countText(otherTypes, 'other instance type')}: EC2 chooses by spare capacity`
    : `${offer}, the cheapest of ${otherTypes + 1} instance types`;
}

export function describeCapacityBuffers({ capacityBuffers }: Verdict): Section {
  return { title: 'Capacity buffers', lines: capacityBuffers.map(describeBuffer) };
}

function describeBuffer({ name, pods, scheduledPods }: CapacityBufferVerdict): string {
  return `  ${name}: room for ${scheduledPods === pods ? countText(pods, 'pod') : `${scheduledPods} of ${countText(pods, 'pod')}`}, included in the nodes above`;
}
