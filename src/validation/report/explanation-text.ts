import { alikePoolsText, foldPools } from './alike-pools';
import { EliminationVerdict, NodeStoryVerdict, PodStoryVerdict, PoolStoryVerdict } from './explanation';
import { summarisePods } from './pod-names';
import { Colors, offerText, plural } from './section';
/** Stories for people: what came of it first, then how. */
export function describeStories(stories: readonly PodStoryVerdict[], colors: Colors): string[][] {
  return stories.map((story) => describeStory(story, colors));
}

/** What was really narrowed down, in one sentence. */
export function eliminationText([catalogue, ...steps]: readonly EliminationVerdict[]): string {
  const narrowing = steps.filter(({ left }, at) => left < (at === 0 ? catalogue.left : steps[at - 1].left));
  if (narrowing.length === 0) return `all ${catalogue.left} instance types are left`;
  return `of ${catalogue.left} instance types ${narrowing.map(({ constraint, left }, at) => `${left}${at === 0 ? ' are left' : ''} by ${constraint}`).join(', ')}`;
}

function describeStory(story: PodStoryVerdict, colors: Colors): string[] {
  const { alike, givenUp, node, nodePools, smallestChange, changesTried } = story;
  return [
    colors.bold(`${story.pod} ${outcomeText(story)}`),
    ...describePosition(story),
    ...alike.length === 0 ? [] : [`  likewise ${summarisePods(alike)}${elsewhereText(story)}`],
    ...givenUp.map((what) => `  given up for it: ${what}`),
    ...node === null || node.elimination.length === 0 ? [] : ['  what each constraint leaves of the instance types', ...describeElimination(node.elimination)],
    ...foldPools(nodePools).flatMap(([pool, ...others]) =>
      [...describePool(pool, node), ...alikePoolsText(others.map((other) => other.nodePool)).map((line) => `    ${line}`)]),
    ...node === null ? [] : describeEnd(node),
    ...smallestChange === null ? [] : [`  → ${smallestChange}: with it every pod of the workload fits (${plural(changesTried, 'change')} tried)`],
    ...smallestChange === null && changesTried > 0 ? [`  none of the ${changesTried} changes tried helps`] : [],
  ];
}

function outcomeText({ outcome, node, notTried }: PodStoryVerdict): string {
  switch (outcome) {
    case 'new-node-claim': return `opens ${node!.name}, a new node of NodePool ${node!.nodePool}`;
    case 'open-node-claim': return `joins ${node!.name}, a planned node of NodePool ${node!.nodePool} with ${plural(node!.podsBefore, 'pod')}`;
    case 'existing-node': return `goes to node ${node!.name}, which is there already`;
    case 'unschedulable': return notTried === null ? 'fits nowhere' : `gets no node: ${notTried}`;
    default: return `is not tried: ${notTried ?? ''}`;
  }
}

/** Pods that open nodes open one each. */
function elsewhereText({ alike, alikeElsewhere, outcome }: PodStoryVerdict): string {
  if (outcome === 'new-node-claim' || alikeElsewhere === 0) return '';
  const on = alikeElsewhere === 1 ? 'on another node' : 'on other nodes';
  return `, ${alikeElsewhere === alike.length ? '' : `${alikeElsewhere} of them `}${on}`;
}

function describePosition({ position, placedPods, openNodeClaims, outcome }: PodStoryVerdict): string[] {
  if (outcome === 'not-tried') return [];
  const open = openNodeClaims === 0 ? 'no planned node was there to join' : `${plural(openNodeClaims, 'planned node')} ${openNodeClaims === 1 ? 'was' : 'were'} there to join`;
  const taken = openNodeClaims === 0 || outcome === 'open-node-claim' || outcome === 'existing-node' ? '' : `, and ${openNodeClaims === 1 ? 'does' : 'do'} not take it`;
  if (position === null) return [`  after ${plural(placedPods, 'pod')} that ${placedPods === 1 ? 'is' : 'are'} placed; ${open}${taken}`];
  return [`  as number ${position} of ${plural(placedPods, 'pod')}; ${open}${taken}`];
}

function describeEnd({ name, instanceTypes: { inTheEnd }, cheapest }: NodeStoryVerdict): string[] {
  if (inTheEnd === null || cheapest === null) return [];
  const types = inTheEnd === 1 ? 'of 1 instance type' : `of ${inTheEnd} instance types`;
  return [`  with all of its pods, ${name} can be ${types}, the cheapest ${offerText(cheapest)}`];
}

function describePool({ nodePool, weight, outcome, message, diagnosis, elimination }: PoolStoryVerdict, node: NodeStoryVerdict | null): string[] {
  const name = `  NodePool ${nodePool}${weight === 0 ? '' : ` (weight ${weight})`}`;
  switch (outcome) {
    case 'takes it': return [`${name} takes it${node === null ? '' : ` on ${node.name}`}`, ...describeElimination(elimination)];
    case 'not tried': return [`${name} is not asked any more`];
    case 'no instance types': return [`${name} can launch nothing, and is never asked`, ...describeElimination(elimination)];
    default: return [`${name} refuses it: ${message ?? ''}`, ...diagnosis === null ? [] : [`    ${diagnosis}`], ...describeElimination(elimination)];
  }
}

function describeElimination(steps: readonly EliminationVerdict[]): string[] {
  const width = Math.max(...steps.map(({ left }) => String(left).length), 0);
  return steps.map(({ constraint, left }) => `    ${String(left).padStart(width)}  ${constraint}`);
}
