import { explainPod } from '../../scheduling';
import { ManifestModel, READING_RULES } from '../manifest';
import { FittingChange, smallestFittingChanges } from './fitting-changes';
import { PlacementHistory, placementReport, pricedPlacements, withSettledNodes } from './placement-reports';
import { nearestWorkloads, SelectedPods, selectPods, whyWithoutPods } from './pod-selection';
import { CheckSession, RuleContext } from '../context/check-session';
import { objectsNotEvaluated } from '../context/not-evaluated';
import { stockNodeClassAssumptions } from '../context/stock-node-class';
import { systemDaemonSetAssumptions } from '../context/system-daemon-sets';
import { AcknowledgedFinding, Finding, PodPlacementReport } from '../vocabulary/verdict';

/** Limits the output to a readable length. */
const MAX_REPORTS = 20;

/** A requested name that matches no pod. */
export interface UnknownPod {
  readonly pod: string;
  /** Similar names, the most similar first. */
  readonly nearest: readonly string[];
  /** Why the workload of that name has no pods. @default - there is no such workload */
  readonly why?: string;
}

export interface Explanations {
  readonly placements: readonly PodPlacementReport[];
  /** How many more pods were requested than are reported. */
  readonly omittedPods: number;
  readonly unknownPods: ReadonlyArray<UnknownPod>;
  /** Accepted findings about the explained pods. */
  readonly acknowledged: readonly AcknowledgedFinding[];
  /** Sentences about EC2NodeClasses that are not in the input. */
  readonly assumptions: readonly string[];
  /** Sentences about objects that could not be evaluated. */
  readonly notEvaluated: readonly string[];
  /** The sentence on the account's catalogue, if one is used. */
  readonly origin?: string;
  /** Input that could not be read. */
  readonly problems: readonly Finding[];
}

/**
 * Explains how pods get their nodes, or why they have none.
 *
 * @param names of pods (`namespace/name`) or workloads, or patterns with `*`
 * @param context of the session's rules
 */
export function explainPlacements(
  session: CheckSession,
  names: readonly string[],
  context: RuleContext,
): Omit<Explanations, 'acknowledged'> {
  const { model, options, catalog, input } = session;
  const selections = names.map((name) => ({ name, selected: selectPods(input.pods, name) }));
  const known = {
    assumptions: [...stockNodeClassAssumptions(model), ...systemDaemonSetAssumptions(model, options)],
    unknownPods: selections
      .filter(({ selected }) => selected.length === 0)
      .map(({ name }) => ({
        pod: name,
        nearest: nearestWorkloads(input.pods, name),
        why: whyWithoutPods(model.workloads, name),
      })),
    ...(catalog.origin === undefined ? {} : { origin: catalog.origin }),
    problems: model.problems.filter(
      ({ rule, severity }) => rule === READING_RULES.unreadable.rule && severity === 'error',
    ),
  };
  const { sentences } = objectsNotEvaluated(model);
  // In a repository, most roots have none of the pods, so nothing is scheduled for them.
  if (known.unknownPods.length === names.length)
    return { ...known, placements: [], omittedPods: 0, notEvaluated: sentences };
  const history = new PlacementHistory(session.passes);
  const groups = distinct(selections.flatMap(({ selected }) => selected)).flatMap((selected) =>
    history.similarPods(selected),
  );
  const explained = groups.slice(0, MAX_REPORTS).map((similar) => ({
    group: similar.group,
    similar,
    explanation: explainPod(similar.pass.solved, similar.group, similar.pods[0]),
  }));
  const hasUnplaced = explained.some(({ explanation }) => !explanation.node);
  // The changes of all pods are found, so that they are the same as those of `check`.
  const changes: ReadonlyMap<number, FittingChange> = hasUnplaced ? smallestFittingChanges(context) : new Map();
  const placements = explained.map(({ group, similar, explanation }) =>
    history.withEarlierPasses(
      placementReport(explanation, similar, explanation.node ? undefined : changes.get(group)),
      similar.pass,
    ),
  );
  return {
    ...known,
    placements: pricedPlacements(withSettledNodes(placements, context), catalog),
    omittedPods: groups.slice(MAX_REPORTS).reduce((sum, { pods }) => sum + pods.length, 0),
    notEvaluated: [...sentences, ...(placements.some(({ node }) => node === null) ? rejections(model) : [])],
  };
}

/** Why Karpenter would reject NodePools and classes, and what to write instead. */
function rejections({ problems }: ManifestModel): string[] {
  return problems
    .filter(
      ({ rule, severity, subject }) =>
        rule === READING_RULES.rejected.rule &&
        severity === 'error' &&
        ['NodePool', 'EC2NodeClass'].includes(subject.kind),
    )
    .map(({ subject: { kind, name }, message, remedy }) => `${kind} ${name}: ${message}; ${remedy}`);
}

/** Each pod once, even if several names select it. */
function distinct(selections: readonly SelectedPods[]): SelectedPods[] {
  const groups = new Map<number, Set<string>>();
  for (const { group, pods } of selections) {
    const selected = groups.get(group) ?? new Set();
    for (const pod of pods) selected.add(pod);
    groups.set(group, selected);
  }
  return [...groups].sort(([left], [right]) => left - right).map(([group, pods]) => ({ group, pods: [...pods] }));
}
