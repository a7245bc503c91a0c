import { explainPod, provisioningRounds, smallestChanges } from '../scheduling';
import { READING_RULES, SourceFile } from './manifest';
import { CheckOptions } from './options';
import { alikePods, storyVerdict } from './placement-stories';
import { nearestNames, SelectedPods, selectPods, whyWithoutPods } from './pod-selection';
import { PodStoryVerdict } from './report/explanation';
import { Finding } from './report/verdict';
import { readScene } from './scene';
import { unjudgedObjects } from './unjudged';

/** More stories than these nobody reads. */
const MOST_STORIES = 20;

export interface UnknownPod {
  readonly pod: string;
  readonly nearest: readonly string[];
  /** What is to say of the workload of that name, where there is one. */
  readonly why?: string;
}

export interface Explanations {
  readonly stories: readonly PodStoryVerdict[];
  /** Pods beyond those that are told. */
  readonly untold: number;
  /** Names that mean no pod, each with those that were likely meant. */
  readonly unknown: ReadonlyArray<UnknownPod>;
  /** NodePools, classes and workloads that could not be judged, each with the reason. */
  readonly notJudged: readonly string[];
  /** What of the input could not be used. */
  readonly problems: readonly Finding[];
}

/**
 * How pods come to their nodes, or why they have none.
 *
 * @param wanted names of pods (`namespace/name`), of workloads, or patterns with `*`
 * @throws Error if an option has a value that it cannot have
 */
export function explain(sources: readonly SourceFile[], wanted: readonly string[], given: CheckOptions = {}): Explanations {
  const { model, catalog, input } = readScene(sources, given);
  const found = wanted.map((name) => ({ name, selected: selectPods(input.pods, name) }));
  const rounds = provisioningRounds(input, catalog);
  const tellers = distinct(found.flatMap(({ selected }) => selected)).flatMap((selected) => alikePods(rounds, selected));
  const told = tellers.slice(0, MOST_STORIES);
  const stories = told.map((alike) => ({ group: alike.group, alike, explanation: explainPod(alike.round.solved, alike.group, alike.pods[0]) }));
  const lastInput = rounds[rounds.length - 1].input;
  const changes = smallestChanges(lastInput, catalog, new Set(stories.filter(({ explanation }) => !explanation.node).map(({ group }) => group)));
  return {
    stories: stories.map(({ group, alike, explanation }) => storyVerdict(explanation, alike, explanation.node ? undefined : changes.get(group))),
    untold: tellers.slice(MOST_STORIES).reduce((sum, { pods }) => sum + pods.length, 0),
    unknown: found.filter(({ selected }) => selected.length === 0)
      .map(({ name }) => ({ pod: name, nearest: nearestNames(input.pods, name), why: whyWithoutPods(model.workloads, name) })),
    notJudged: unjudgedObjects(model).sentences,
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
