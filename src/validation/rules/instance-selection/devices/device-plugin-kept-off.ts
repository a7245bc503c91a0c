import { DeviceNodes, deviceNodes, mentions } from './device-nodes';
import { appendItem, FieldPath, unsafeFix } from '../../../../contract';
import { formatTaint, Taint, untolerated } from '../../../../model';
import { WorkloadManifest } from '../../../manifest/model';
import { defineRule, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { subjectsWith } from '../../subjects';

/** @see https://karpenter.sh/docs/concepts/scheduling/#acceleratorsgpu-resources */
export const devicePluginKeptOff = defineRule({
  id: 'KARP-255',
  name: 'device-plugin-kept-off',
  severity: 'error',
  summary: 'The DaemonSet that registers a device does not tolerate the taints of the NodePool whose nodes have it.',
  subjects: subjectsWith<DeviceNodes>(({ pool }) => pool.object, deviceNodes, {
    where: ({ plugin }, context) => pluginSets(context, plugin).length > 0,
  }),
  judge(nodes, context) {
    const sets = pluginSets(context, nodes.plugin);
    const taints = nodes.pool.spec.taints.filter(({ effect }) => effect !== 'PreferNoSchedule');
    const open = sets.map((set) => untolerated(taints, set.shape!.tolerations));
    // One DaemonSet for each pool is enough.
    return open.some((rest) => rest.length === 0) ? undefined : finding(nodes, sets[0], open[0]);
  },
});

function finding(
  { pool, resource, plugin }: DeviceNodes,
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
    evidence: { nodePool: pool.name, resource, taints: rest.map(formatTaint) },
    fix: unsafeFix(...tolerations.map((toleration) => appendItem(path, toleration))),
  };
}

/** The DaemonSets of the plugin whose pods are known. */
function pluginSets({ model }: RuleContext, plugin: DeviceNodes['plugin']): WorkloadManifest[] {
  return model.workloads.filter(
    ({ kind, shape, name, object }) =>
      kind === 'DaemonSet' &&
      shape !== undefined &&
      (mentions(name, plugin) || mentions(object.raw?.spec?.template?.spec?.containers, plugin)),
  );
}
