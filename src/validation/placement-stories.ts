import { explainPod, PodExplanation, Round, SmallestChange } from '../scheduling';
import { allPods, SelectedPods } from './pod-selection';
import { NodeStoryVerdict, PodStoryVerdict } from './report/explanation';

/** Pods of one group whose stories are the same, and the pass in which they got their node, or were given up. */
export interface AlikePods extends SelectedPods {
  readonly round: Round;
  /** How many of the pods have another node than the first one. */
  readonly elsewhere: number;
}

/** Pods that met with the same: one story each. */
export function alikePods(rounds: readonly Round[], selected: SelectedPods): AlikePods[] {
  const ofRound = new Map<Round, string[]>();
  for (const pod of selected.pods) {
    const round = tellingRound(rounds, selected.group, pod);
    if (round) ofRound.set(round, [...ofRound.get(round) ?? [], pod]);
  }
  return rounds.flatMap((round) => ofRound.has(round)
    ? kinds(round, { ...selected, pods: ofRound.get(round)! }) : []);
}

/**
 * Where a pod is placed anew while its node is not up, the first pass that gave it this node tells how it came there; of a pod that has none,
 * the last pass that launched anything.
 */
function tellingRound(rounds: readonly Round[], group: number, pod: string): Round | undefined {
  const waits = rounds.filter((round) => waitingIn(round, group).has(pod));
  const last = waits[waits.length - 1];
  const node = last && hostsIn(last).get(pod);
  if (node === undefined) return [...waits].reverse().find(({ plan }) => plan.nodeClaims.length > 0) ?? last;
  return waits.find((round) => hostsIn(round).get(pod) === node);
}

const WAITING = new WeakMap<Round, Map<number, ReadonlySet<string>>>();
const HOSTS = new WeakMap<Round, ReadonlyMap<string, string>>();

function waitingIn(round: Round, group: number): ReadonlySet<string> {
  const known = WAITING.get(round) ?? new Map<number, ReadonlySet<string>>();
  WAITING.set(round, known);
  const found = known.get(group) ?? new Set(allPods(round.input.pods[group]));
  known.set(group, found);
  return found;
}

/** By pod: the name of its node. */
function hostsIn(round: Round): ReadonlyMap<string, string> {
  const known = HOSTS.get(round);
  if (known) return known;
  const { plan: { nodeClaims, filledNodes } } = round;
  const placed = [...nodeClaims.map(({ id, pods }) => [id, pods] as const), ...filledNodes.map(({ node, pods }) => [node, pods] as const)];
  const found = new Map(placed.flatMap(([node, pods]) => pods.map((pod) => [pod, node] as const)));
  HOSTS.set(round, found);
  return found;
}

function kinds(round: Round, { group, pods }: SelectedPods): AlikePods[] {
  const wanted = new Set(pods);
  const hosts = hostsIn(round);
  const outcomes = new Map<string, string>();
  for (const { nodePool, pods: placed } of round.solved.final.claims) {
    placed.forEach((pod, at) => { if (wanted.has(pod)) outcomes.set(pod, `${nodePool} ${at === 0 ? 'opens' : 'joins'}`); });
  }
  const byOutcome = new Map<string, string[]>();
  for (const pod of pods) {
    const outcome = outcomes.get(pod) ?? (hosts.has(pod) ? 'has a node that is there' : 'has none');
    byOutcome.set(outcome, [...byOutcome.get(outcome) ?? [], pod]);
  }
  return [...byOutcome.values()].map((members) =>
    ({ group, pods: members, round, elsewhere: members.filter((pod) => hosts.get(pod) !== hosts.get(members[0])).length }));
}

export function storyVerdict(
  explanation: PodExplanation, { pods: [, ...alike], elsewhere }: Pick<AlikePods, 'pods' | 'elsewhere'>, change?: SmallestChange,
): PodStoryVerdict {
  const { pod, position, placedPods, openNodeClaims, givenUp, nodePools, notTried } = explanation;
  return {
    pod,
    alike,
    alikeElsewhere: elsewhere,
    outcome: outcomeOf(explanation),
    position: position ?? null,
    placedPods,
    openNodeClaims,
    givenUp,
    node: nodeVerdict(explanation),
    nodePools: nodePools.map(({ nodePool, weight, outcome, message, diagnosis, elimination }) =>
      ({ nodePool, weight, outcome, message: message ?? null, diagnosis: diagnosis ?? null, elimination })),
    notTried: notTried ?? null,
    smallestChange: change?.description ?? null,
    changesTried: change?.tried ?? 0,
  };
}

function outcomeOf({ node, nodePools }: PodExplanation): PodStoryVerdict['outcome'] {
  if (node === undefined) return nodePools.length === 0 ? 'not-tried' : 'unschedulable';
  return ({ 'new NodeClaim': 'new-node-claim', 'open NodeClaim': 'open-node-claim', 'existing node': 'existing-node' } as const)[node.kind];
}

function nodeVerdict({ node }: PodExplanation): NodeStoryVerdict | null {
  if (node === undefined) return null;
  const { name, nodePool, podsBefore, instanceTypesBefore, instanceTypes, instanceTypesInTheEnd, elimination, cheapest } = node;
  return {
    name,
    nodePool: nodePool ?? null,
    podsBefore,
    instanceTypes: { before: instanceTypesBefore ?? null, withThisPod: instanceTypes ?? null, inTheEnd: instanceTypesInTheEnd ?? null },
    elimination,
    cheapest: cheapest ?? null,
  };
}

/** Stories that a verdict has at most. */
const MOST_STORIES = 50;

/** How the pods that have a node came to it, workload by workload. */
export function placementStories(rounds: readonly Round[]): PodStoryVerdict[] {
  const stories: PodStoryVerdict[] = [];
  const pods = rounds[0].input.pods.map((group, index) => ({ group: index, pods: allPods(group) }));
  for (const told of pods.flatMap((selected) => alikePods(rounds, selected))) {
    if (stories.length === MOST_STORIES) break;
    const explanation = explainPod(told.round.solved, told.group, told.pods[0]);
    if (explanation.node) stories.push(storyVerdict(explanation, told));
  }
  return stories;
}
