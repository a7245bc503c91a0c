import { summarisePods } from '../pod-names';
import { costOfGroup, groupEqualNodeClaims } from '../text/nodes';
import { NodeClaimVerdict, Verdict } from '../verdict';
import { formatUsd, moreText } from '../wording';
import { code, prose, table } from './inline';
import { truncated } from './size-limit';

const HEAD = ['Nodes', 'NodePool', 'Instance type', 'Capacity', '$/h each', 'Pods'];

/** The launched nodes. Equal nodes share a row, the most expensive first. */
export function nodesPart({ nodeClaims }: Pick<Verdict, 'nodeClaims'>, room: number): string[] {
  if (nodeClaims.length === 0) return [];
  const groups = groupEqualNodeClaims(nodeClaims).sort((left, right) => costOfGroup(right) - costOfGroup(left))
    .map((group) => ({ row: rowOf(group), count: group.length }));
  const { kept, left } = truncated(groups, room, ({ row }) => row.join('').length + 24);
  const hidden = groups.slice(groups.length - left).reduce((sum, { count }) => sum + count, 0);
  return [[
    '### Nodes',
    table(HEAD, kept.map(({ row }) => row)),
    ...hidden === 0 ? [] : [prose(moreText(hidden, 'node'))],
  ].join('\n\n')];
}

function rowOf(group: readonly NodeClaimVerdict[]): string[] {
  const [{ nodePool, launch, launchFailure, pods }] = group;
  const runs = pods.length === 0 ? '' : prose(summarisePods(pods, group.length === 1));
  if (!launch) return [String(group.length), code(nodePool), prose(`cannot be launched: ${launchFailure}`), '', '', runs];
  const { instanceType, capacityType, zone, usdPerHour, reservation } = launch.cheapest;
  const otherTypes = launch.instanceTypes.length - 1;
  const choice = otherTypes === 0 || reservation !== undefined ? '' : `, or ${otherTypes} more`;
  const capacity = reservation === undefined ? capacityType : `reservation ${reservation}`;
  return [String(group.length), code(nodePool), `${code(instanceType)}${choice}`, prose(`${capacity}, ${zone}`), formatUsd(usdPerHour), runs];
}
