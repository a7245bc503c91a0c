import { explainPod, PodExplanation, Round, SmallestChange, SolvedInput } from '../scheduling';
import { allPods, SelectedPods } from './pod-selection';
import { NodeStoryVerdict, PodStoryVerdict } from './report/explanation';

/** Pods of one group whose stories are the same, and the pass in which they got their node, or were given up. */
export interface AlikePods extends SelectedPods {
  readonly round: Round;
}

/** Pods that met with the same: one story each. */
export function alikePods(rounds: readonly Round[], selected: SelectedPods): AlikePods[] {
  const wanted = new Set(selected.pods);
  const waitingFor = (round: Round | undefined) => new Set(round ? allPods(round.input.pods[selected.group]) : []);
  return rounds.flatMap((round, at) => {
    const later = waitingFor(rounds[at + 1]);
    const pods = [...waitingFor(round)].filter((pod) => wanted.has(pod) && !later.has(pod));
    return pods.length === 0 ? [] : kinds(round.solved, { ...selected, pods }).map((kind) => ({ ...kind, round }));
  });
}

function kinds({ final: { claims } }: SolvedInput, { group, pods }: SelectedPods): SelectedPods[] {
  const wanted = new Set(pods);
  const outcomes = new Map<string, string>();
  for (const { nodePool, pods: placed } of claims) {
    placed.forEach((pod, at) => { if (wanted.has(pod)) outcomes.set(pod, `${nodePool} ${at === 0 ? 'opens' : 'joins'}`); });
  }
  const byOutcome = new Map<string, string[]>();
  for (const pod of pods) {
    const outcome = outcomes.get(pod) ?? '';
    byOutcome.set(outcome, [...byOutcome.get(outcome) ?? [], pod]);
  }
  return [...byOutcome.values()].map((members) => ({ group, pods: members }));
}

export function storyVerdict(explanation: PodExplanation, alike: readonly string[], change?: SmallestChange): PodStoryVerdict {
  const { pod, position, placedPods, openNodeClaims, givenUp, nodePools, notTried } = explanation;
  return {
    pod,
    alike,
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
  for (const { round, group, pods: [pod, ...alike] } of pods.flatMap((selected) => alikePods(rounds, selected))) {
    if (stories.length === MOST_STORIES) break;
    const explanation = explainPod(round.solved, group, pod);
    if (explanation.node) stories.push(storyVerdict(explanation, alike));
  }
  return stories;
}
