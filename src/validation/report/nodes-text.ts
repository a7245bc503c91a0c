import { alikePoolsText } from './alike-pools';
import { eliminationText } from './explanation-text';
import { foldAlike } from './fold-alike';
import { summarisePods, workloadsKey } from './pod-names';
import { offerText, plural, Section } from './section';
import { FilledNodeVerdict, NodeClaimVerdict, NodePoolVerdict, Verdict } from './verdict';

/** Equal nodes are told once: a report with more than so many different ones is for machines. */
const MOST_LINES = 40;

export function describeNodePools({ nodePools }: Verdict): Section {
  const groups = foldAlike(nodePools, ({ name: _, ...launchable }) => JSON.stringify(launchable));
  return { title: 'NodePools', lines: groups.flatMap(describePools) };
}

function describePools(pools: readonly NodePoolVerdict[]): string[] {
  const [{ name, instanceTypes, zones, capacityTypes, elimination }, ...others] = pools;
  const steps = [
    ...elimination.length === 0 ? [] : [`    ${eliminationText(elimination)}`],
    ...alikePoolsText(others.map((other) => other.name)).map((line) => `    ${line}`),
  ];
  if (instanceTypes.length === 0) return [`  ${name}: can launch nothing`, ...steps];
  const cheapest = instanceTypes.length === 1 ? instanceTypes[0] : `${plural(instanceTypes.length, 'instance type')}, the cheapest ${instanceTypes[0]}`;
  return [`  ${name}: can launch ${cheapest}; ${capacityTypes.join(' and ')}; in ${zones.join(', ')}`, ...steps];
}

export function describeFilledNodes({ filledNodes }: Verdict): Section {
  const groups = alikeBy(filledNodes, ({ nodePool, pods }) => JSON.stringify([nodePool, workloadsKey(pods)]));
  return { title: 'Nodes of the cluster', lines: firstLines(groups, (group) => [describeFilled(group)]) };
}

function describeFilled(group: readonly FilledNodeVerdict[]): string {
  const [{ node, nodePool, pods }] = group;
  return `  ${alikeText(`${node}${nodePool === null ? '' : ` of NodePool ${nodePool}`}`, group)}: takes ${summarisePods(pods, group.length === 1)}`;
}

export function describeNodeClaims({ nodeClaims }: Verdict): Section {
  return { title: 'Nodes', lines: firstLines(alikeNodeClaims(nodeClaims), describeGroup) };
}

/** Nodes that are launched as the same, for as many pods of the same workloads. */
export function alikeNodeClaims(nodeClaims: readonly NodeClaimVerdict[]): NodeClaimVerdict[][] {
  return alikeBy(nodeClaims, ({ nodePool, pods, requests, launch, launchFailure }) =>
    JSON.stringify([nodePool, workloadsKey(pods), requests, launch, launchFailure]));
}

function alikeBy<Node>(nodes: readonly Node[], keyOf: (node: Node) => string): Node[][] {
  const alike = new Map<string, Node[]>();
  for (const node of nodes) {
    const key = keyOf(node);
    const known = alike.get(key);
    if (known) known.push(node); else alike.set(key, [node]);
  }
  return [...alike.values()];
}

function firstLines<Node>(groups: readonly Node[][], describe: (group: readonly Node[]) => string[]): string[] {
  const hidden = groups.slice(MOST_LINES).reduce((sum, group) => sum + group.length, 0);
  const lines = groups.slice(0, MOST_LINES).flatMap(describe);
  return hidden > 0 ? [...lines, `  and ${plural(hidden, 'node')} more: --format json lists them all`] : lines;
}

function alikeText(first: string, { length }: readonly unknown[]): string {
  return length === 1 ? first : `${first} and ${length - 1} more like it`;
}

function describeGroup(group: readonly NodeClaimVerdict[]): string[] {
  const [first] = group;
  const requests = Object.entries(first.requests).map(([resource, amount]) => `${resource} ${amount}`).join(', ');
  return [
    `  ${alikeText(first.id, group)}: ${describeLaunch(first)}`,
    `    runs ${first.pods.length === 0 ? 'no pod' : summarisePods(first.pods, group.length === 1)}`,
    ...requests === '' ? [] : [`    requests, with its daemons, ${requests}`],
  ];
}

function describeLaunch({ launch, launchFailure }: NodeClaimVerdict): string {
  if (!launch) return `cannot be launched: ${launchFailure}`;
  const { capacityType, reservation } = launch.cheapest;
  const offer = offerText(launch.cheapest);
  const others = launch.instanceTypes.length - 1;
  if (others === 0 || reservation !== undefined) return offer;
  return capacityType === 'spot'
    ? `${offer}, or ${plural(others, 'other instance type')}: EC2 chooses by spare capacity`
    : `${offer}, the cheapest of ${others + 1} instance types`;
}
