import { ExplainedNode } from './pod-explanation';
import { Replay } from './replay';
import { formatAmount, merge, ResourceList } from '../../../model';
import { PodClass } from '../../encoding/pod-classes';
import { Workload } from '../../encoding/problem';
import { admission } from '../../launch/type-filter';
import { bitReader } from '../../nodes/daemon-overhead';
import { poolFunnel } from '../../refusals/funnel';
import { valuesText } from '../../refusals/wording';
import { Elimination, PlannedNodeClaim } from '../../schedule-plan';

/** The NodeClaim that a pod opened or joined. */
export function nodeClaimExplanation(
  workload: Workload,
  before: Replay,
  after: Replay,
  planned: PlannedNodeClaim,
): ExplainedNode {
  const claim = after.target!;
  const pods = after.solution.claims[claim * 3 + 2];
  const isNew = pods === 1;
  const typesAfter = typesOf(after, claim);
  const typesBefore = isNew ? undefined : typesOf(before, claim);
  return {
    name: planned.id,
    nodePool: planned.nodePool,
    kind: isNew ? 'new NodeClaim' : 'open NodeClaim',
    podsBefore: pods - 1,
    instanceTypesBefore: typesBefore?.length,
    instanceTypes: typesAfter.length,
    instanceTypesInTheEnd: planned.instanceTypes.length,
    elimination: typesBefore === undefined ? [] : joinedElimination(workload, after, typesBefore, typesAfter.length),
    cheapest: planned.cheapest,
  };
}

export function existingNodeExplanation(workload: Workload, { target, solution }: Replay): ExplainedNode {
  const placed = solution.placements.filter((value, index) => index % 2 === 1 && value === target).length;
  return {
    name: workload.nodes[-1 - target!].node.name,
    kind: 'existing node',
    podsBefore: placed - 1,
    elimination: [],
  };
}

function typesOf({ solution, templates }: Replay, claim: number): number[] {
  const has = bitReader(solution.claimTypes, claim * solution.typeBytes);
  return templates[solution.claims[claim * 3]].table.names.flatMap((_, type) => (has(type) ? [type] : []));
}

function joinedElimination(workload: Workload, after: Replay, before: readonly number[], left: number): Elimination[] {
  const claim = after.target!;
  const template = after.templates[after.solution.claims[claim * 3]];
  const funnel = poolFunnel(template);
  const earlierPods = after.solution.claims[claim * 3 + 2] - 1;
  funnel.types = before;
  funnel.steps.push({
    constraint: earlierPods === 1 ? 'the pod already on it' : `the ${earlierPods} pods already on it`,
    left: before.length,
  });
  const { variants } = after.pods.classes[after.podClass];
  for (const requirement of variants[variants.length - 1].requirements.values()) {
    const column = template.table.labels.find(({ key }) => key === requirement.key);
    if (column)
      funnel.narrow(`the pod's ${requirement.key} ${valuesText(requirement)}`, admission(column, requirement));
  }
  return [
    ...funnel.steps,
    { constraint: `this pod added: together they request ${amountsText(requestsOn(workload, after, claim))}`, left },
  ];
}

function requestsOn({ pods, groups }: Workload, { solution, pods: replayed }: Replay, claim: number): ResourceList {
  const requests: Array<PodClass['requests']> = [];
  for (let index = 0; index < solution.placements.length; index += 2) {
    const [group, target] = solution.placements.subarray(index, index + 2);
    const { classes, classOf } = group < groups.length ? pods : replayed;
    if (target === claim) requests.push(classes[classOf[group]].requests);
  }
  return merge(...requests);
}

function amountsText(list: ResourceList): string {
  return [...list.keys()]
    .filter((resource) => resource !== 'pods')
    .sort()
    .map((resource) => `${resource} ${formatAmount(resource, list.get(resource)!)}`)
    .join(', ');
}
