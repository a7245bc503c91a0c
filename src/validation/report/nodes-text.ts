import { eliminationText } from './explanation-text';
import { summarisePods } from './pod-names';
import { offerText, plural, Section } from './section';
import { NodeClaimVerdict, NodePoolVerdict, Verdict } from './verdict';

/** Equal nodes are one line: a report with more lines than this is for machines. */
const MOST_LINES = 40;

export function describeNodePools({ nodePools }: Verdict): Section {
  return { title: 'NodePools', lines: nodePools.flatMap(describeNodePool) };
}

function describeNodePool({ name, instanceTypes, zones, capacityTypes, elimination }: NodePoolVerdict): string[] {
  const steps = elimination.length === 0 ? [] : [`    ${eliminationText(elimination)}`];
  if (instanceTypes.length === 0) return [`  ${name}: can launch nothing`, ...steps];
  const cheapest = instanceTypes.length === 1 ? instanceTypes[0] : `${plural(instanceTypes.length, 'instance type')}, the cheapest ${instanceTypes[0]}`;
  return [`  ${name}: can launch ${cheapest}; ${capacityTypes.join(' and ')}; in ${zones.join(', ')}`, ...steps];
}

export function describeFilledNodes({ filledNodes }: Verdict): Section {
  const lines = filledNodes.slice(0, MOST_LINES).map(({ node, nodePool, pods }) =>
    `  ${node}${nodePool === null ? '' : ` of NodePool ${nodePool}`}: takes ${summarisePods(pods)}`);
  const hidden = filledNodes.length - lines.length;
  return { title: 'Nodes of the cluster', lines: hidden > 0 ? [...lines, `  and ${plural(hidden, 'node')} more: --format json lists them all`] : lines };
}

export function describeNodeClaims({ nodeClaims }: Verdict): Section {
  const alike = new Map<string, NodeClaimVerdict[]>();
  for (const claim of nodeClaims) {
    const key = JSON.stringify([claim.nodePool, summarisePods(claim.pods, false), claim.requests, claim.launch, claim.launchFailure]);
    const known = alike.get(key);
    if (known) known.push(claim); else alike.set(key, [claim]);
  }
  const groups = [...alike.values()];
  const hidden = groups.slice(MOST_LINES).reduce((sum, group) => sum + group.length, 0);
  const lines = groups.slice(0, MOST_LINES).flatMap(describeGroup);
  return { title: 'Nodes', lines: hidden > 0 ? [...lines, `  and ${plural(hidden, 'node')} more: --format json lists them all`] : lines };
}

function describeGroup(group: readonly NodeClaimVerdict[]): string[] {
  const [first] = group;
  const id = group.length === 1 ? first.id : `${first.id} and ${group.length - 1} more like it`;
  const requests = Object.entries(first.requests).map(([resource, amount]) => `${resource} ${amount}`).join(', ');
  return [
    `  ${id}: ${describeLaunch(first)}`,
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
