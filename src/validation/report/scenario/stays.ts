import { NodeStay, Stays } from '../../../disruption';
import { countText, moreText, monthlyAmountText, monthlyPriceText, shortListText } from '../../../model';

/** The most groups of nodes that are printed. */
const MAX_GROUPS = 12;
/** The most of them that no change frees. */
const MAX_OTHER_GROUPS = 5;
/** The most changes in the first line. */
const MAX_CHANGES = 3;
const MAX_NAMES = 3;

/** Nodes that stay for the same reason, and that the same change frees. */
export interface StayGroup {
  readonly nodes: readonly NodeStay[];
  readonly savesUsdPerHour: number;
}

/** Groups whose change saves most first, then those without a change by price; nodes that are simply in use last. */
export function groupStays({ nodes, changes }: Stays): StayGroup[] {
  const groups = new Map<string, NodeStay[]>();
  for (const node of nodes) {
    const { reason, why, change, until, instanceType, capacityType } = node;
    const key = isInUse(node) ? 'in use' : JSON.stringify([reason, why, change, until, instanceType, capacityType]);
    groups.set(key, [...(groups.get(key) ?? []), node]);
  }
  const savings = new Map(changes.map(({ change, savesUsdPerHour }) => [change, savesUsdPerHour]));
  const rank = ({ nodes: group, savesUsdPerHour }: StayGroup) => [
    savings.get(group[0].change ?? '') ?? 0,
    savesUsdPerHour,
    isInUse(group[0]) ? 0 : 1,
    group.reduce((sum, { usdPerHour }) => sum + usdPerHour, 0),
  ];
  return [...groups.values()]
    .map((stays) => ({
      nodes: stays,
      savesUsdPerHour: stays.reduce((sum, { savesUsdPerHour }) => sum + savesUsdPerHour, 0),
    }))
    .sort((left, right) => {
      const [leftRank, rightRank] = [rank(left), rank(right)];
      const index = leftRank.findIndex((amount, position) => amount !== rightRank[position]);
      return index < 0 ? 0 : rightRank[index] - leftRank[index];
    });
}

/** Whether the node is needed as it is: no other node has room, no cheaper one would do, and no change helps. */
function isInUse({ change, reason, changesNotTried }: NodeStay): boolean {
  return change === undefined && reason === 'not-cheaper' && changesNotTried.length === 0;
}

/** The reason of all nodes of a group. */
export function groupWhy({ nodes }: StayGroup): string {
  return nodes.length > 1 && isInUse(nodes[0])
    ? 'no other node has room for their pods, and no cheaper node that may be launched has'
    : nodes[0].why;
}

/** The groups to print: those with a change first, and few of the others. */
export function printedGroups(stays: Stays): { readonly printed: readonly StayGroup[]; readonly left: number } {
  const groups = groupStays(stays);
  const freed = groups.filter(({ nodes: [{ change }] }) => change !== undefined);
  const printed = groups.slice(0, Math.min(MAX_GROUPS, freed.length + MAX_OTHER_GROUPS));
  return { printed, left: groups.slice(printed.length).reduce((sum, { nodes }) => sum + nodes.length, 0) };
}

/** The savings that are possible, and the changes that save most. Empty if there is no node. */
export function staysHeadline({ nodes, changes, savesUsdPerHour }: Stays, currency: string | null = 'USD'): string {
  if (nodes.length === 0) return '';
  const notTried = nodes.reduce((sum, { changesNotTried }) => sum + changesNotTried.length, 0);
  const rest =
    notTried === 0
      ? ''
      : `; ${countText(notTried, 'change was', 'changes were')} not tried, because there are too many to simulate`;
  if (changes.length === 0)
    return nodes.every(isInUse)
      ? `nothing stays on the table: ${nodes.length === 1 ? 'the node is' : `all ${nodes.length} nodes are`} in use`
      : `no change is known that frees a node and saves money${rest}`;
  if (currency === null)
    return `${countText(changes.length, 'change saves', 'changes save')} money here: ${shortListText(
      changes.map(({ change }) => change),
      MAX_CHANGES,
    )}${rest}`;
  const parts = changes
    .slice(0, MAX_CHANGES)
    .map(({ change, savesUsdPerHour: saves }) => `${monthlyAmountText(saves, currency)} if you ${change}`);
  const more = changes.length > MAX_CHANGES ? ` and ${moreText(changes.length - MAX_CHANGES, 'change')}` : '';
  return `${monthlyPriceText(savesUsdPerHour, currency)} stays on the table${changes.length === 1 ? '' : `, with ${changes.length === 2 ? 'both' : `all ${changes.length}`} changes`}: ${parts.join('; ')}${more}${rest}`;
}

/** Why nodes stay: the possible savings, and each group of nodes with its reason and change. */
export function describeStays(stays: Stays, currency: string | null = 'USD'): string[] {
  if (stays.nodes.length === 0) return [];
  const { printed, left } = printedGroups(stays);
  return [
    staysHeadline(stays, currency),
    ...printed.flatMap((group) => describeGroup(group, stays, currency)),
    ...(left > 0 ? [leftText(left)] : []),
  ];
}

/** About nodes that are not printed. */
export function leftText(left: number): string {
  return `and ${moreText(left, 'node')} (explain --node explains one, --format json has all)`;
}

function describeGroup(group: StayGroup, stays: Stays, currency: string | null): string[] {
  const { nodes, savesUsdPerHour } = group;
  const [first] = nodes;
  const names = shortListText(
    nodes.map(({ node }) => node),
    MAX_NAMES,
  );
  return [
    `${names} ${nodes.length === 1 ? 'stays' : 'stay'} (${nodeText(nodes, currency)}): ${groupWhy(group)}`,
    `  ${eventText(first)}`,
    ...(first.until === undefined ? [] : [`  until ${first.until}`]),
    ...changeLines(first, stays, savesUsdPerHour, currency).map((line) => `  ${line}`),
  ];
}

/** `m7i.4xlarge on-demand, $589/month`. */
export function nodeText(nodes: readonly NodeStay[], currency: string | null): string {
  const [first] = nodes;
  const isOne = (key: 'instanceType' | 'capacityType') => nodes.every((node) => node[key] === first[key]);
  const price = nodes.reduce((sum, { usdPerHour }) => sum + usdPerHour, 0);
  const type = (['instanceType', 'capacityType'] as const)
    .flatMap((key) => (isOne(key) ? (first[key] ?? []) : []))
    .join(' ');
  return [
    ...(nodes.length === 1 ? [] : [`${nodes.length} nodes`]),
    ...(type === '' ? [] : [type]),
    ...(currency === null || price === 0 ? [] : [monthlyPriceText(price, currency)]),
  ].join(', ');
}

/** What Karpenter says about the node. */
export function eventText({ event, nodePool }: NodeStay): string {
  if (event === undefined) return 'Karpenter publishes no event about it';
  const object = event.object === 'NodePool' ? ` on NodePool ${nodePool}` : '';
  return `Karpenter: ${event.reason}${object}: ${event.message}`;
}

/** What frees the node, or what was tried. */
export function changeLines(
  { change: text, changesTried, changesNotTried, stillThen }: NodeStay,
  stays: Stays,
  saves: number,
  currency: string | null,
): string[] {
  const change = stays.changes.find((candidate) => candidate.change === text);
  if (change) {
    const { nodes, loses = [] } = change;
    const savings = currency === null ? '' : `: saves ${monthlyPriceText(saves, currency)}`;
    const others = nodes.length === 1 ? '' : `, ${countText(nodes.length, 'node')} in all`;
    return [
      `→ ${change.change}${savings} (simulated${others})`,
      ...(loses.length === 0
        ? []
        : [`  then ${shortListText(loses, MAX_NAMES)} is lost: nothing recreates a pod without a controller`]),
    ];
  }
  return [
    ...triedLines(changesTried, stays, stillThen),
    ...changesNotTried.slice(0, 1).map((notTried) => `not tried, because there is too much to simulate: ${notTried}`),
  ];
}

/** What became of changes that do not free the node. */
function triedLines(tried: readonly string[], { changes }: Stays, stillThen: string | undefined): string[] {
  if (tried.length === 0) return [];
  if (stillThen !== undefined) return [`even if you ${tried[0]}: ${stillThen}`];
  const useful = tried.find((text) => changes.some(({ change }) => change === text));
  return useful === undefined
    ? [`no change that was tried saves money here: ${shortListText(tried, 1)}`]
    : [`${useful}: this frees other nodes, and keeps this one`];
}
