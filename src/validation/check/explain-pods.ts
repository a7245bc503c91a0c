import { checkSession } from './check';
import { annotatedAcknowledgements } from '../acknowledge/annotations';
import { CheckOptions } from '../check-options';
import { withAwaitedFindings } from './details/awaited-findings';
import { remedyTrialsOf } from './remedies/remedy-trials';
import { CheckSession, readSession } from '../context/check-session';
import { Explanations, explainPlacements } from '../explain/explain';
import { SourceFile } from '../manifest';
import { AcknowledgedFinding, PodPlacementReport } from '../vocabulary/verdict';

/**
 * Explains how pods get their nodes, or why they have none.
 *
 * @param names of pods (`namespace/name`) or workloads, or patterns with `*`
 * @throws Error if an option has an invalid value
 */
export function explain(
  sources: readonly SourceFile[],
  names: readonly string[],
  given: CheckOptions = {},
): Explanations {
  return explainPods(readSession(sources, given), names);
}

/** Like `explain`, for manifests that are already read. */
export function explainPods(session: CheckSession, names: readonly string[]): Explanations {
  const explanations = explainPlacements(session, names, remedyTrialsOf(session).context);
  const { placements } = explanations;
  // The rules are run only if there is something to find: what pods wait for, or what is accepted.
  const isWaiting = placements.some(({ node }) => node === null);
  return {
    ...explanations,
    placements: isWaiting ? withAwaitedFindings(placements, checkSession(session).unschedulable) : placements,
    acknowledged: acknowledgedFor(placements, session),
  };
}

/** The findings about the pods' workloads that the options or annotations accept. */
function acknowledgedFor(
  placements: readonly PodPlacementReport[],
  session: CheckSession,
): readonly AcknowledgedFinding[] {
  const { entries = [], baseline } = session.options.acknowledge ?? {};
  if (placements.length === 0) return [];
  if (entries.length === 0 && baseline === undefined && annotatedAcknowledgements(session.model.objects).length === 0)
    return [];
  const pods = placements.flatMap(({ pod, alike }) => [pod, ...alike]);
  return (checkSession(session).acknowledged ?? []).filter(({ subject: { namespace, name } }) => {
    const workload = `${namespace === '' ? 'default' : namespace}/${name}`;
    return pods.some(
      (pod) => pod === workload || (pod.startsWith(`${workload}-`) && /^\d+$/.test(pod.slice(workload.length + 1))),
    );
  });
}
