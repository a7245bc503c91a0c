import { DeviceNodes, deviceNodes, mentionsPlugin } from './device-nodes';
import { appendItem, FieldPath, unsafeFix } from '../../../../contract';
import {
  formatTaint,
  Label,
  Requirement,
  RequirementSpec,
  Taint,
  untolerated,
  WELL_KNOWN_LABELS,
} from '../../../../model';
import { matchingTypes, PodShape } from '../../../../scheduling';
import { WorkloadManifest } from '../../../manifest/model';
import { commonRequirements, constraintPath, requirementAlternatives } from '../../common/pod-constraints';
import { defineRule, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { LaunchingPool, subjectsWith } from '../../subjects';

/** @see https://karpenter.sh/docs/concepts/scheduling/#acceleratorsgpu-resources */
export const devicePluginKeptOff = defineRule({
  id: 'KARP-255',
  name: 'device-plugin-kept-off',
  severity: 'error',
  summary:
    'The DaemonSet that registers a device does not run on the nodes that have it, because of their taints or its node selector.',
  subjects: subjectsWith<DeviceNodes>(({ pool }) => pool.object, deviceNodes, {
    where: ({ plugin }, context) => pluginSets(context, plugin).length > 0,
  }),
  judge(nodes, context) {
    const sets = pluginSets(context, nodes.plugin);
    const taints = nodes.pool.spec.taints.filter(({ effect }) => effect !== 'PreferNoSchedule');
    const open = sets.map((set) => untolerated(taints, set.shape!.tolerations));
    const misses = sets.map((set) => missedNode(nodes, set));
    // One DaemonSet for each pool is enough.
    if (sets.some((_, index) => open[index].length === 0 && misses[index] === undefined)) return undefined;
    const selecting = misses.findIndex((miss) => miss === undefined);
    return selecting >= 0
      ? finding(nodes, sets[selecting], open[selecting])
      : selectorFinding(nodes, sets[0], misses[0]!);
  },
});

/** A planned node that a DaemonSet does not select, and the first of its constraints that the node does not meet. */
interface MissedNode {
  readonly instanceType: string;
  readonly constraint: RequirementSpec;
}

/**
 * Undefined if the DaemonSet selects all of the nodes. Labels that neither Karpenter nor the NodePool sets count as
 * met, because agents such as Node Feature Discovery may set them.
 */
function missedNode({ pool, claims }: DeviceNodes, { shape }: WorkloadManifest): MissedNode | undefined {
  const alternatives = requirementAlternatives(shape!).map((specs) =>
    specs.filter(({ key }) => WELL_KNOWN_LABELS.has(key) || pool.requirements.has(key)),
  );
  for (const { launch } of claims) {
    const { instanceType } = launch!.cheapest;
    const isMet = (specs: readonly RequirementSpec[]) => meets(pool, instanceType, specs, shape!);
    if (alternatives.some(isMet)) continue;
    const constraint = alternatives[0].find((spec) => !isMet([spec])) ?? alternatives[0][0];
    return { instanceType, constraint };
  }
  return undefined;
}

function meets(pool: LaunchingPool, type: string, specs: readonly RequirementSpec[], shape: PodShape): boolean {
  const { table, indices } = pool.launch;
  const constrained = { ...shape, nodeSelector: {}, requiredNodeAffinity: [{ matchExpressions: specs }] };
  return commonRequirements(constrained, pool).some((requirements) =>
    matchingTypes(table, requirements, indices).some((index) => table.names[index] === type),
  );
}

function selectorFinding(
  { pool, resource, plugin, pods }: DeviceNodes,
  set: WorkloadManifest,
  { instanceType, constraint }: MissedNode,
): SubjectFinding {
  const { key, values = [] } = constraint;
  const wanted = key === Label.NODE_POOL ? pool.name : key === Label.INSTANCE_TYPE ? instanceType : undefined;
  return {
    object: set.object,
    path: constraintPath(set, set.shape!, key),
    message: `the ${plugin.name} selects no node of NodePool ${pool.name}, such as ${instanceType}, because it requires ${Requirement.from(constraint)}: these nodes never report ${resource}, and the pods that request it stay Pending`,
    remedy:
      wanted === undefined
        ? `let ${key} of the DaemonSet match the nodes of NodePool ${pool.name}`
        : values.length === 1
          ? `write ${wanted} instead of ${values[0]}`
          : `add ${wanted} and the other types of NodePool ${pool.name} to the values of ${key}`,
    evidence: { nodePool: pool.name, resource, key, values: [...values], stuckPods: pods },
  };
}

function finding(
  { pool, resource, plugin, pods }: DeviceNodes,
  set: WorkloadManifest,
  rest: readonly Taint[],
): SubjectFinding {
  const path: FieldPath = [...set.podPath, 'tolerations'];
  const tolerations = rest.map(({ key, effect }) => ({ key, operator: 'Exists', effect }));
  const taints = rest.map(formatTaint).join(' and ');
  return {
    object: set.object,
    path,
    message: `the ${plugin.name} does not tolerate ${taints} of NodePool ${pool.name}, so it does not run on these nodes: they never report ${resource}, and the pods that request it stay Pending`,
    remedy: `add tolerations for ${taints}`,
    evidence: { nodePool: pool.name, resource, taints: rest.map(formatTaint), stuckPods: pods },
    fix: unsafeFix(...tolerations.map((toleration) => appendItem(path, toleration))),
  };
}

/** The DaemonSets of the plugin whose pods are known. */
function pluginSets({ model }: RuleContext, plugin: DeviceNodes['plugin']): WorkloadManifest[] {
  return model.workloads.filter(
    ({ kind, shape, name, object }) =>
      kind === 'DaemonSet' &&
      shape !== undefined &&
      (mentionsPlugin(name, plugin) || mentionsPlugin(object.raw?.spec?.template?.spec?.containers, plugin)),
  );
}
