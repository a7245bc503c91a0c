import { DeviceNodes, deviceNodes } from './device-nodes';
import { agentKeptOff, needsUnsetLabel } from './node-labels';
import { PluginSet, pluginSets } from './plugin-sets';
import {
  appendItem,
  asRecord,
  FieldEdit,
  FieldPath,
  LABEL_AGENTS,
  removeField,
  setField,
  unsafeFix,
} from '../../../../contract';
import {
  countText,
  formatTaint,
  hourlyPriceText,
  Label,
  listText,
  Requirement,
  RequirementSpec,
  Taint,
  untolerated,
  WELL_KNOWN_LABELS,
} from '../../../../model';
import { matchingTypes, PodShape } from '../../../../scheduling';
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
    'The DaemonSet that registers a device does not run on the nodes that have it, because of their taints or its node selector, also by a label that nothing sets.',
  subjects: subjectsWith<DeviceNodes>(({ pool }) => pool.object, deviceNodes, {
    where: ({ plugin }, context) => pluginSets(context.model, plugin).length > 0,
  }),
  judge(nodes, context) {
    const sets = pluginSets(context.model, nodes.plugin);
    const taints = nodes.pool.spec.taints.filter(({ effect }) => effect !== 'PreferNoSchedule');
    const open = sets.map((set) => untolerated(taints, set.shape.tolerations));
    const misses = sets.map((set) => missedNode(nodes, set, context));
    // One DaemonSet for each pool is enough.
    if (sets.some((_, index) => open[index].length === 0 && misses[index] === undefined)) return undefined;
    const selecting = misses.findIndex((miss) => miss === undefined);
    if (selecting >= 0) return finding(nodes, sets[selecting], open[selecting]);
    const [miss] = misses;
    return miss!.isUnset ? unsetLabel(nodes, sets[0], miss!, context) : selectorFinding(nodes, sets[0], miss!);
  },
});

/** A planned node that a DaemonSet does not select, and the first of its constraints that the node does not meet. */
interface MissedNode {
  readonly instanceType: string;
  readonly constraint: RequirementSpec;
  /** Whether nothing sets the label of the constraint. */
  readonly isUnset: boolean;
}

/** Undefined if the DaemonSet selects all of the nodes. Labels that agents of the input set count as met. */
function missedNode({ pool, claims }: DeviceNodes, { shape }: PluginSet, context: RuleContext): MissedNode | undefined {
  const all = requirementAlternatives(shape);
  const isUnset = (spec: RequirementSpec) => needsUnsetLabel(spec, pool, context);
  const alternatives = all
    .filter((specs) => !specs.some(isUnset))
    .map((specs) => specs.filter(({ key }) => WELL_KNOWN_LABELS.has(key) || pool.requirements.has(key)));
  for (const { launch } of claims) {
    const { instanceType } = launch!.cheapest;
    const isMet = (specs: readonly RequirementSpec[]) => meets(pool, instanceType, specs, shape);
    if (alternatives.some(isMet)) continue;
    const unset = all.flat().find(isUnset);
    if (alternatives.length === 0 && unset !== undefined) return { instanceType, constraint: unset, isUnset: true };
    const constraint = alternatives[0].find((spec) => !isMet([spec])) ?? alternatives[0][0];
    return { instanceType, constraint, isUnset: false };
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
  set: PluginSet,
  { instanceType, constraint }: MissedNode,
): SubjectFinding {
  const { key, values = [] } = constraint;
  const types = pool.launch.indices.length;
  const wanted = key === Label.NODE_POOL ? pool.name : key === Label.INSTANCE_TYPE ? instanceType : undefined;
  const [label, value] = labelOfNodes(pool, resource);
  return {
    object: set.object,
    path: constraintPath(set, set.shape, key),
    message: `the ${plugin.name} selects no node of NodePool ${pool.name}, such as ${instanceType}, because it requires ${Requirement.from(constraint)}: these nodes never report ${resource}, and the pods that request it stay Pending`,
    remedy:
      wanted === undefined || (key === Label.INSTANCE_TYPE && types > 1)
        ? `require ${label}: ${value} instead, which all nodes of NodePool ${pool.name} have`
        : values.length === 1
          ? `write ${wanted} instead of ${values[0]}`
          : `add ${wanted} to the values of ${key}`,
    evidence: { nodePool: pool.name, resource, key, values: [...values], stuckPods: pods },
  };
}

/** A label that all nodes of the pool have, and if possible those of other pools with the same device, too. */
function labelOfNodes({ name, launch: { table, indices } }: LaunchingPool, resource: string): [string, string] {
  const [key, value] = resource.startsWith('nvidia.com/')
    ? ['karpenter.k8s.aws/instance-gpu-manufacturer', 'nvidia']
    : ['karpenter.k8s.aws/instance-accelerator-manufacturer', 'aws'];
  const column = table.labels.find((label) => label.key === key);
  const isOfAll = column && indices.every((index) => column.values[column.codes[index]]?.includes(value));
  return isOfAll && !resource.startsWith('vpc.') ? [key, value] : [Label.NODE_POOL, name];
}

/** One finding for all NodePools whose nodes lack the label. */
function unsetLabel(
  { pool, plugin }: DeviceNodes,
  set: PluginSet,
  { constraint }: MissedNode,
  context: RuleContext,
): SubjectFinding | undefined {
  const lacking = deviceNodes(context).filter((nodes) => {
    const miss = nodes.plugin === plugin ? missedNode(nodes, set, context) : undefined;
    return miss?.isUnset && miss.constraint.key === constraint.key;
  });
  const kept = agentKeptOff(constraint.key, pool, context);
  if (kept !== undefined)
    return finding({ ...lacking[0], plugin: { ...plugin, name: `worker of ${kept.agent}` } }, kept, kept.taints);
  return lacking[0].pool === pool ? unsetFinding(lacking, set, constraint, context) : undefined;
}

/** An agent of another repository may set a label, so that the finding is a warning. */
function unsetFinding(
  lacking: readonly DeviceNodes[],
  set: PluginSet,
  { key }: RequirementSpec,
  { catalog }: RuleContext,
): SubjectFinding {
  const [{ pool, resource, plugin }] = lacking;
  const claims = lacking.flatMap((nodes) => nodes.claims);
  const pods = lacking.reduce((sum, nodes) => sum + nodes.pods, 0);
  const pools = listText(lacking.map((nodes) => nodes.pool.name));
  const [label, value] = labelOfNodes(pool, resource);
  const agent = LABEL_AGENTS.find(({ prefix }) => key.startsWith(prefix))?.name;
  const price = claims.reduce((sum, { launch }) => sum + launch!.cheapest.usdPerHour, 0);
  const cost = catalog.unknownPrices === undefined ? `, at ${hourlyPriceText(price, catalog.currency)}` : '';
  const isOfOthers = /^(?:k8s\.amazonaws\.com|eks\.amazonaws\.com|alpha\.eksctl\.io)\//.test(key);
  return {
    object: set.object,
    path: constraintPath(set, set.shape, key),
    message: `the ${plugin.name} requires the label ${key}, which ${isOfOthers ? 'nodes of Karpenter do not have' : 'nothing in the input sets on nodes'}: it runs on none of the ${countText(claims.length, 'planned node')} of NodePool ${pools}, which never ${claims.length === 1 ? 'reports' : 'report'} ${resource}, and the pods that request it stay Pending${cost}`,
    remedy: `${set.chart ? 'set affinity in the values to' : 'require'} ${label}: ${value} instead${agent === undefined ? `, or add the label ${key} to spec.template.metadata.labels of NodePool ${pools}` : `, or install ${agent}`}`,
    evidence: { nodePool: pool.name, resource, key, stuckPods: pods },
    severity: isOfOthers ? 'error' : 'warning',
    fix: unsafeFix(...editsOf(set, key, label, value)),
  };
}

/** Edits that require another label instead of one. The default affinity of a chart is replaced as a whole. */
function editsOf({ object, podPath, shape }: PluginSet, key: string, label: string, value: string): FieldEdit[] {
  const path = constraintPath({ podPath }, shape, key);
  const expression = { key: label, operator: 'In', values: [value] };
  if (path.includes('nodeSelector')) return [removeField(path), setField([...podPath, 'nodeSelector', label], value)];
  if (fieldAt(object.raw, path) !== undefined) return [setField(path.slice(0, -1), expression)];
  const nodeSelectorTerms = [{ matchExpressions: [expression] }];
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  return [setField([...podPath, 'affinity'], { nodeAffinity })];
}

/** A path in the values of a chart, as Helm has it. */
function keyOf(path: FieldPath): string {
  return path.slice(path.lastIndexOf('values') + 1).join('.');
}

function fieldAt(raw: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>(
    (value, step) => (Array.isArray(value) ? value[Number(step)] : asRecord(value)?.[step]),
    raw,
  );
}

function finding(
  { pool, resource, plugin, pods }: DeviceNodes,
  set: PluginSet,
  rest: readonly Taint[],
): SubjectFinding {
  const path: FieldPath = [...set.podPath, 'tolerations'];
  const tolerations = rest.map(({ key, effect }) => ({ key, operator: 'Exists', effect }));
  const taints = rest.map(formatTaint).join(' and ');
  return {
    object: set.object,
    path,
    message: `the ${plugin.name} does not tolerate ${taints} of NodePool ${pool.name}, so it does not run on these nodes: they never report ${resource}, and the pods that request it stay Pending`,
    remedy: set.chart
      ? `add tolerations for ${taints} to the default ones in ${listText([keyOf(path), ...set.chart.otherTolerations])} of the values`
      : `add tolerations for ${taints}`,
    evidence: { nodePool: pool.name, resource, taints: rest.map(formatTaint), stuckPods: pods },
    // A list in values replaces the default one.
    fix: unsafeFix(
      ...(set.chart
        ? [setField(path, [...set.shape.tolerations, ...tolerations])]
        : tolerations.map((toleration) => appendItem(path, toleration))),
    ),
  };
}
