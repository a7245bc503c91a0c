import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../define-rule';
import { mergeMissingUnits, missingUnits } from './daemonset-cpu-unit';
import { NearestNode, nearestNode, EmptyNode } from './nearest-node';
import { amountsText, countText, Label, listText, shortListText } from '../../../model';
import { DaemonSetSpec, matchingTypes, ScheduleInput } from '../../../scheduling';
import { assumedDaemonSets } from '../../context/system-daemon-sets';
import { allocatableOf, fitsOnType, shortages } from '../../instance-types/node-fit';
import { WorkloadManifest } from '../../manifest/model';
import { amountsEvidence } from '../common/figures';
import { commonRequirements, blockingTaint } from '../common/pod-constraints';
import { PoolLaunch } from '../common/pool';
import { Rule } from '../rule';
import { launchingPools } from '../subjects';

/** Fewer than one of so many allowed types are no loss of choice. */
const ONE_OF = 10;

const ofNodePools = defineRule({
  id: 'KARP-302',
  name: 'daemonset-does-not-fit-small-types',
  severity: 'error',
  summary:
    'The daemonsets of a NodePool together request more than some of its instance types have: Karpenter never launches these types.',
  // DaemonSets that are only assumed are no mistake of the input.
  subjects: launchingPools({
    where: (_, { input, model, options }) => input.daemonSets.length > assumedDaemonSets(model, options).length,
  }),
  judge(pool, { input, model }) {
    const { view, table, indices } = pool.launch;
    const withDaemons = indices.filter((_, position) => (view.daemonOverhead[position].get('pods') ?? 0n) > 0n);
    if (withDaemons.length === 0) return NOT_APPLICABLE;
    const tooSmall = indices.flatMap((index, position) =>
      fitsOnType(table, index, view.daemonOverhead[position])
        ? []
        : [{ pool, table, index, daemons: view.daemonOverhead[position] }],
    );
    // A type with a negative allocatable amount fits nothing, with or without daemonsets.
    const crowded = tooSmall.filter(({ index }) => fitsOnType(table, index));
    if (crowded.length === 0) return undefined;
    const noneLeft = crowded.length === view.instanceTypes.length;
    const units = noneLeft
      ? missingUnits(pool.object.name, daemonSetsOf(model.workloads, crowded, input), crowded)
      : [];
    return units.length > 0 ? units : finding(pool.launch, crowded, input.daemonSets);
  },
});

/**
 * Karpenter adds the daemonsets' requests to every node that it plans, so it never launches a type that cannot hold
 * them all. If some types are left, only the choice is smaller; if none is left, the NodePool launches no nodes.
 *
 * @see https://karpenter.sh/docs/faq/
 */
export const daemonSetDoesNotFitSmallTypes: Rule = {
  ...ofNodePools,
  check: (context) => mergeMissingUnits(ofNodePools.check(context)),
};

/** The manifests of the daemonsets that run on the node that comes nearest to fitting them. */
function daemonSetsOf(
  workloads: readonly WorkloadManifest[],
  crowded: readonly EmptyNode[],
  { daemonSets }: ScheduleInput,
): WorkloadManifest[] {
  const { node } = nearestNode(crowded, new Map());
  const onNode = daemonSets.filter((daemonSet) => runsOn(daemonSet, node));
  return workloads.filter(
    ({ object, namespace }) =>
      object.kind === 'DaemonSet' &&
      onNode.some((daemonSet) => daemonSet.name === object.name && daemonSet.namespace === namespace),
  );
}

function finding(
  { view }: PoolLaunch,
  crowded: readonly EmptyNode[],
  daemonSets: readonly DaemonSetSpec[],
): SubjectFinding {
  const nearest = nearestNode(crowded, new Map());
  const { node } = nearest;
  const names = crowded.map(({ table, index }) => table.names[index]);
  const onNode = daemonSets
    .filter((daemonSet) => runsOn(daemonSet, node))
    .map(({ name }) => name)
    .sort();
  const noneLeft = crowded.length === view.instanceTypes.length;
  return {
    path: ['spec', 'template', 'spec', 'requirements'],
    message:
      `${crowded.length} of ${countText(view.instanceTypes.length, 'allowed instance type')} cannot hold the daemonsets (${shortListText(names)}): ` +
      `${noneLeft ? 'Karpenter launches no nodes from this NodePool' : 'Karpenter never launches these types'}; ${shortageText(nearest, onNode)}`,
    remedy:
      `require larger instance types, for example by ${listText(sizeLabels(crowded).map((key) => `${key} Gt`))}, ` +
      'or lower the requests of the daemonsets',
    evidence: {
      instanceTypes: names,
      allowed: view.instanceTypes.length,
      nearest: {
        instanceType: node.table.names[node.index],
        daemonSets: onNode,
        requests: amountsEvidence(node.daemons),
        allocatable: amountsEvidence(allocatableOf(node.table, node.index)),
      },
    },
    severity: noneLeft ? undefined : crowded.length * ONE_OF >= view.instanceTypes.length ? 'warning' : 'info',
  };
}

/**
 * Labels that exclude the crowded types. Both are named if different types lack different resources: few CPUs may
 * come with much memory.
 */
function sizeLabels(crowded: readonly EmptyNode[]): string[] {
  const short = crowded.map(({ table, index, daemons }) =>
    shortages(table, index, daemons).map(({ resource }) => resource),
  );
  return [
    ...(short.some((resources) => resources.includes('cpu')) ? [Label.INSTANCE_CPU] : []),
    ...(short.some((resources) => !resources.includes('cpu')) ? [Label.INSTANCE_MEMORY] : []),
  ];
}

function shortageText({ node, shortages: short }: NearestNode, daemonSets: readonly string[]): string {
  const resources = short.map(({ resource }) => resource);
  const allocatable = new Map(short.map((shortage) => [shortage.resource, shortage.allocatable]));
  return (
    `on ${node.table.names[node.index]}, ${countText(daemonSets.length, 'daemonset')} (${shortListText(daemonSets)}) ` +
    `${daemonSets.length === 1 ? 'requests' : 'request'} ${amountsText(resources, node.daemons)} of ${amountsText(resources, allocatable)}`
  );
}

function runsOn({ shape }: DaemonSetSpec, { pool, table, index }: EmptyNode): boolean {
  return (
    blockingTaint(shape, pool.spec!.taints) === undefined &&
    commonRequirements(shape, pool).some((requirements) => matchingTypes(table, requirements, [index]).length > 0)
  );
}
