import { alikeNodeClaims } from '../nodes-text';
import { summarisePods } from '../pod-names';
import { formatUsd, plural } from '../section';
import { NodeClaimVerdict, Verdict } from '../verdict';
import { bounded } from './bounded';
import { code, prose, table } from './inline';

const HEAD = ['Nodes', 'NodePool', 'Instance type', 'Capacity', 'USD per hour each', 'Pods'];

/** What is launched: equal nodes in one row, the dearest first. */
export function nodesPart({ nodeClaims }: Pick<Verdict, 'nodeClaims'>, room: number): string[] {
  if (nodeClaims.length === 0) return [];
  const groups = alikeNodeClaims(nodeClaims).sort((left, right) => costOf(right) - costOf(left))
    .map((group) => ({ row: rowOf(group), count: group.length }));
  const { kept, left } = bounded(groups, room, ({ row }) => row.join('').length + 24);
  const hidden = groups.slice(groups.length - left).reduce((sum, { count }) => sum + count, 0);
  return [[
    '### Nodes',
    table(HEAD, kept.map(({ row }) => row)),
    ...hidden === 0 ? [] : [`and ${plural(hidden, 'node')} more: \`--format json\` lists them all`],
  ].join('\n\n')];
}

function costOf(group: readonly NodeClaimVerdict[]): number {
  return group.length * (group[0].launch?.cheapest.usdPerHour ?? 0);
}

function rowOf(group: readonly NodeClaimVerdict[]): string[] {
  const [{ nodePool, launch, launchFailure, pods }] = group;
  const runs = pods.length === 0 ? '' : prose(summarisePods(pods, group.length === 1));
  if (!launch) return [String(group.length), code(nodePool), prose(`cannot be launched: ${launchFailure}`), '', '', runs];
  const { instanceType, capacityType, zone, usdPerHour, reservation } = launch.cheapest;
  const others = launch.instanceTypes.length - 1;
  const choice = others === 0 || reservation !== undefined ? '' : `, or ${others} more`;
  const capacity = reservation === undefined ? capacityType : `reservation ${reservation}`;
  return [String(group.length), code(nodePool), `${code(instanceType)}${choice}`, prose(`${capacity}, ${zone}`), formatUsd(usdPerHour), runs];
}
