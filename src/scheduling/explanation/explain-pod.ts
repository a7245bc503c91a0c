import { Solved } from '../attempt';
import { PodExplanation } from './explanation';
import { allNames } from '../pod-name';
import { SolvedInput } from '../solve';
import { givenUp } from './given-up';
import { claimStory, existingNodeStory } from './node-story';
import { poolStories } from './pool-stories';
import { PlacedPod, replay } from './replay';

/**
 * How a pod came to its node, or why it has none.
 *
 * @param inputGroup index into `ScheduleInput.pods`
 * @param pod its `namespace/name`
 */
export function explainPod(solvedInput: SolvedInput, inputGroup: number, pod: string): PodExplanation {
  const { solved, workload, indices, ignored, notEvaluated } = solvedInput;
  const group = indices.indexOf(inputGroup);
  const placedPods = (solved?.solution.placements.length ?? 0) / 2;
  const passedOver = ignored.find((other) => other.pod === pod)?.reasons[0]?.message ?? notEvaluated.find((other) => other.group === inputGroup)?.what.join('; ');
  if (group < 0 || solved === undefined) {
    return { pod, placedPods, givenUp: [], openNodeClaims: 0, nodePools: [], notTried: passedOver ?? 'there is no NodePool that could be judged' };
  }
  const at = placementOf(solved, group, allNames(workload.groups[group]).indexOf(pod));
  return at === undefined ? leftOver(solvedInput, solved, group, pod) : placed(solvedInput, solved, { group, at }, pod);
}

function placementOf({ solution: { placements } }: Solved, group: number, ordinal: number): number | undefined {
  let seen = 0;
  for (let at = 0; at * 2 < placements.length; at++) {
    if (placements[at * 2] === group && seen++ === ordinal) return at;
  }
  return undefined;
}

function leftOver({ workload }: SolvedInput, solved: Solved, group: number, pod: string): PodExplanation {
  const podClass = workload.pods.classOf[group];
  return {
    pod,
    placedPods: solved.solution.placements.length / 2,
    givenUp: givenUp(workload.pods.classes[podClass].variants.slice(0, solved.solution.lastVariants[podClass] + 1)),
    openNodeClaims: solved.solution.claimCount,
    nodePools: poolStories(solved, podClass, { refusals: solved.solution.refusals }),
  };
}

function placed({ workload, final }: SolvedInput, solved: Solved, placement: PlacedPod, pod: string): PodExplanation {
  const { variants } = workload.pods.classes[workload.pods.classOf[placement.group]];
  let tried = 1;
  let after = replay(workload, solved, placement, tried, true);
  while (after.where === undefined && tried < variants.length) after = replay(workload, solved, placement, ++tried, true);
  const story = {
    pod,
    position: placement.at + 1,
    placedPods: solved.solution.placements.length / 2,
    givenUp: givenUp(variants.slice(0, tried)),
    openNodeClaims: after.openClaims,
  };
  if (after.where === undefined || after.where < 0) {
    return { ...story, nodePools: [], node: after.where === undefined ? undefined : existingNodeStory(workload, after) };
  }
  const planned = final.claims.find((claim) => claim.pods.includes(pod));
  const refused = final.refused.find((other) => other.pod === pod);
  const { refusals, claims } = after.solution;
  const isNew = claims[after.where * 3 + 2] === 1;
  const before = replay(workload, solved, placement, tried, false);
  return {
    ...story,
    nodePools: isNew ? poolStories(before, after.podClass, { refusals, chosen: claims[after.where * 3] }) : [],
    node: planned && claimStory(workload, before, after, planned),
    notTried: refused && `NodePool ${refused.reasons[0].nodePool} has a node for it in mind and drops it in the end: ${refused.reasons[0].message}`,
  };
}
