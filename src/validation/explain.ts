import { Catalog } from '../catalog';
import { explainPod, PodExplanation, SmallestChange, smallestChanges, solveInput, SolvedInput } from '../scheduling';
import { readManifests, READING_RULES, SourceFile } from './manifest';
import { CheckOptions } from './options';
import { nearestNames, SelectedPods, selectPods } from './pod-selection';
import { Explanations, NodeStoryVerdict, PodStoryVerdict } from './report/explanation';
import { scheduleInput } from './schedule-input';

/** More stories than these nobody reads. */
const MOST_STORIES = 20;

/**
 * How pods come to their nodes, or why they have none.
 *
 * @param wanted names of pods (`namespace/name`), of workloads, or patterns with `*`
 * @throws Error if an option has a value that it cannot have
 */
export function explain(sources: readonly SourceFile[], wanted: readonly string[], options: CheckOptions = {}): Explanations {
  const model = readManifests(sources, options);
  const catalog = Catalog.load(options);
  const input = scheduleInput(model, options);
  const found = wanted.map((name) => ({ name, selected: selectPods(input.pods, name) }));
  const solved = solveInput(input, catalog);
  const tellers = distinct(found.flatMap(({ selected }) => selected)).flatMap((selected) => kinds(solved, selected));
  const told = tellers.slice(0, MOST_STORIES);
  const stories = told.map(({ group, pods: [pod, ...alike] }) => ({ group, alike, explanation: explainPod(solved, group, pod) }));
  const changes = smallestChanges(input, catalog, new Set(stories.filter(({ explanation }) => !explanation.node).map(({ group }) => group)));
  return {
    stories: stories.map(({ group, alike, explanation }) => storyVerdict(explanation, alike, explanation.node ? undefined : changes.get(group))),
    untold: tellers.slice(MOST_STORIES).reduce((sum, { pods }) => sum + pods.length, 0),
    unknown: found.filter(({ selected }) => selected.length === 0).map(({ name }) => ({ pod: name, nearest: nearestNames(input.pods, name) })),
    problems: model.problems.filter(({ rule, severity }) => rule === READING_RULES.unreadable.rule && severity === 'error'),
  };
}

/** Each pod once, however many names mean it. */
function distinct(selections: readonly SelectedPods[]): SelectedPods[] {
  const groups = new Map<number, Set<string>>();
  for (const { group, pods } of selections) {
    const known = groups.get(group) ?? new Set();
    for (const pod of pods) known.add(pod);
    groups.set(group, known);
  }
  return [...groups].sort(([left], [right]) => left - right).map(([group, pods]) => ({ group, pods: [...pods] }));
}

/** Pods of a workload that met with the same: one story each. */
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

function storyVerdict(explanation: PodExplanation, alike: readonly string[], change?: SmallestChange): PodStoryVerdict {
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
