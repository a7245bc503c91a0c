import { nodeClaimExplanation, existingNodeExplanation } from './node-explanation';
import { PodExplanation, NodePoolExplanation } from './pod-explanation';
import { PlacedPod, replay } from './replay';
import { PackerRefusal } from '../../../kernel';
import { listText, Requirement, Requirements } from '../../../model';
import { allNames } from '../../pods/pod-name';
import { PodVariant } from '../../pods/relaxation';
import { messageOf } from '../../provisioning/refusals';
import { SolvedInput } from '../../provisioning/solve';
import { attemptOf, SolvedWorkload } from '../../refusals/attempt';
import { attemptFunnel } from '../../refusals/attempt-funnel';
import { diagnose } from '../../refusals/diagnosis';

/**
 * Explains why a pod is scheduled onto its node, or why it is unschedulable.
 *
 * @param inputGroup index into `ScheduleInput.pods`
 * @param pod the pod's `namespace/name`
 */
export function explainPod(solvedInput: SolvedInput, inputGroup: number, pod: string): PodExplanation {
  const { solved, workload, indices, ignored, notEvaluated } = solvedInput;
  const group = indices.indexOf(inputGroup);
  const placedPods = (solved?.solution.placements.length ?? 0) / 2;
  const reason =
    ignored.find((candidate) => candidate.pod === pod)?.reasons[0]?.message ??
    notEvaluated.find((candidate) => candidate.group === inputGroup)?.causes.join('; ');
  if (group < 0 || solved === undefined) {
    return {
      pod,
      placedPods,
      givenUp: [],
      openNodeClaims: 0,
      nodePools: [],
      notTried: reason ?? 'no NodePool could be evaluated',
    };
  }
  const index = placementOf(solved, group, allNames(workload.groups[group]).indexOf(pod));
  return index === undefined
    ? explainUnschedulable(solvedInput, solved, group, pod)
    : explainPlaced(solvedInput, solved, { group, index }, pod);
}

function placementOf({ solution: { placements } }: SolvedWorkload, group: number, ordinal: number): number | undefined {
  let seen = 0;
  for (let index = 0; index * 2 < placements.length; index++) {
    if (placements[index * 2] === group && seen++ === ordinal) return index;
  }
  return undefined;
}

function explainUnschedulable(
  { workload }: SolvedInput,
  solved: SolvedWorkload,
  group: number,
  pod: string,
): PodExplanation {
  const podClass = workload.pods.classOf[group];
  return {
    pod,
    placedPods: solved.solution.placements.length / 2,
    givenUp: relaxedConstraints(
      workload.pods.classes[podClass].variants.slice(0, solved.solution.lastVariants[podClass] + 1),
    ),
    openNodeClaims: solved.solution.claimCount,
    nodePools: nodePoolExplanations(solved, podClass, { refusals: solved.solution.refusals }),
  };
}

function explainPlaced(
  { workload, final }: SolvedInput,
  solved: SolvedWorkload,
  placement: PlacedPod,
  pod: string,
): PodExplanation {
  const { variants } = workload.pods.classes[workload.pods.classOf[placement.group]];
  let tried = 1;
  let after = replay(workload, solved, placement, tried, true);
  while (after.target === undefined && tried < variants.length)
    after = replay(workload, solved, placement, ++tried, true);
  const explanation = {
    pod,
    position: placement.index + 1,
    placedPods: solved.solution.placements.length / 2,
    givenUp: relaxedConstraints(variants.slice(0, tried)),
    openNodeClaims: after.openClaims,
  };
  if (after.target === undefined || after.target < 0) {
    return {
      ...explanation,
      nodePools: [],
      node: after.target === undefined ? undefined : existingNodeExplanation(workload, after),
    };
  }
  const planned = final.claims.find((claim) => claim.pods.includes(pod));
  const refused = final.refused.find((candidate) => candidate.pod === pod);
  const { refusals, claims } = after.solution;
  const isNew = claims[after.target * 3 + 2] === 1;
  const before = replay(workload, solved, placement, tried, false);
  return {
    ...explanation,
    nodePools: isNew
      ? nodePoolExplanations(before, after.podClass, { refusals, chosen: claims[after.target * 3] })
      : [],
    node: planned && nodeClaimExplanation(workload, before, after, planned),
    notTried:
      refused &&
      `NodePool ${refused.reasons[0].nodePool} plans a node for the pod, but Karpenter drops it at the end: ${refused.reasons[0].message}`,
  };
}

/** The constraint that each step of relaxation dropped. */
function relaxedConstraints(variants: readonly PodVariant[]): string[] {
  return variants.slice(1).map((variant, index) => difference(variants[index], variant));
}

function difference(before: PodVariant, after: PodVariant): string {
  if (after.nodeFilters.length < before.nodeFilters.length)
    return `the required node affinity term ${lost(before.requirements, after.requirements)} (another term remains)`;
  const [affinity] = before.affinity.filter((term) => !after.affinity.includes(term));
  if (affinity !== undefined) return `the preferred pod affinity over ${affinity.topologyKey}`;
  const [antiAffinity] = before.antiAffinity.filter((term) => !after.antiAffinity.includes(term));
  if (antiAffinity !== undefined) return `the preferred pod anti-affinity over ${antiAffinity.topologyKey}`;
  const [spread] = before.spread.filter((constraint) => !after.spread.includes(constraint));
  if (spread !== undefined) return `the topology spread over ${spread.topologyKey} (ScheduleAnyway)`;
  if (after.tolerations.length > before.tolerations.length) return 'avoiding PreferNoSchedule taints';
  return `the preferred node affinity ${lost(before.requirements, after.requirements)}`;
}

function lost(before: Requirements, after: Requirements): string {
  const isLost = (requirement: Requirement) =>
    !after.has(requirement.key) || String(after.get(requirement.key)) !== String(requirement);
  return listText(before.values().filter(isLost).map(String));
}

/** The kernel's answers for a pod class. */
interface Answers {
  readonly refusals: Int32Array;
  /** The template that accepts the pod, if one does; later templates are not tried. */
  readonly chosen?: number;
}

/** The outcome of each pool for a pod class, in the state of `solved`. */
function nodePoolExplanations(
  solved: SolvedWorkload,
  podClass: number,
  { refusals, chosen }: Answers,
): NodePoolExplanation[] {
  const { templates, groups } = solved;
  return templates.map((template, index): NodePoolExplanation => {
    const { name: nodePool, weight } = template.pool;
    if (groups[index].length === 0)
      return {
        nodePool,
        weight,
        outcome: 'no instance types',
        elimination: attemptFunnel(attemptOf(solved, podClass, index)),
      };
    if (chosen !== undefined && index > chosen) return { nodePool, weight, outcome: 'not tried', elimination: [] };
    const attempt = attemptOf(
      solved,
      podClass,
      index,
      index === chosen ? PackerRefusal.NONE : refusals[podClass * templates.length + index],
    );
    const elimination = attemptFunnel(attempt);
    if (index === chosen) return { nodePool, weight, outcome: 'takes it', elimination };
    return {
      nodePool,
      weight,
      outcome: 'refuses',
      message: messageOf(attempt, solved),
      diagnosis: diagnose(attempt, solved),
      elimination,
    };
  });
}
