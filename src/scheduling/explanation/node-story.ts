import { formatAmount, merge, ResourceList } from '../../model';
import { bitReader } from '../daemon-groups';
import { PodClass } from '../pod-classes';
import { Workload } from '../problem';
import { Elimination, PlannedNodeClaim } from '../schedule-plan';
import { admission } from '../type-filter';
import { poolFunnel } from './elimination';
import { NodeStory } from './explanation';
import { Replay } from './replay';

/** The claim that a pod opened or joined. */
export function claimStory(workload: Workload, before: Replay, after: Replay, planned: PlannedNodeClaim): NodeStory {
  const claim = after.where!;
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

export function existingNodeStory(workload: Workload, { where, solution }: Replay): NodeStory {
  const placed = solution.placements.filter((value, at) => at % 2 === 1 && value === where).length;
  return { name: workload.nodes[-1 - where!].node.name, kind: 'existing node', podsBefore: placed - 1, elimination: [] };
}

function typesOf({ solution, templates }: Replay, claim: number): number[] {
  const has = bitReader(solution.claimTypes, claim * solution.typeBytes);
  return templates[solution.claims[claim * 3]].table.names.flatMap((_, type) => has(type) ? [type] : []);
}

function joinedElimination(workload: Workload, after: Replay, before: readonly number[], left: number): Elimination[] {
  const claim = after.where!;
  const template = after.templates[after.solution.claims[claim * 3]];
  const funnel = poolFunnel(template);
  const others = after.solution.claims[claim * 3 + 2] - 1;
  funnel.types = before;
  funnel.steps.push({ constraint: others === 1 ? 'the pod that it has already' : `the ${others} pods that it has already`, left: before.length });
  const { variants } = after.pods.classes[after.podClass];
  for (const requirement of variants[variants.length - 1].requirements.values()) {
    const column = template.table.labels.find(({ key }) => key === requirement.key);
    if (column) funnel.narrow(`the pod's ${requirement}`, admission(column, requirement));
  }
  return [...funnel.steps, { constraint: `this pod beside them: together they request ${amountsText(requestsOn(workload, after, claim))}`, left }];
}

function requestsOn({ pods, groups }: Workload, { solution, pods: replayed }: Replay, claim: number): ResourceList {
  const requests: Array<PodClass['requests']> = [];
  for (let at = 0; at < solution.placements.length; at += 2) {
    const [group, where] = solution.placements.subarray(at, at + 2);
    const { classes, classOf } = group < groups.length ? pods : replayed;
    if (where === claim) requests.push(classes[classOf[group]].requests);
  }
  return merge(...requests);
}

function amountsText(list: ResourceList): string {
  return [...list.keys()].filter((resource) => resource !== 'pods').sort().map((resource) => `${resource} ${formatAmount(resource, list.get(resource)!)}`).join(', ');
}
