import { podAnnotationsPath, protectionOfPods } from './pod-protection';
import { appendItem, DO_NOT_DISRUPT, FieldPath, setField, unsafeFix } from '../../../../contract';
import { Label, listText } from '../../../../model';
import { valueAt } from '../../../manifest/edit/edited-value';
import { WorkloadManifest } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { placementsOf, poolNamesOf } from '../../common/placements';
import { targetsNonKarpenterNodes } from '../../common/pod-constraints';
import { spotShareOf, spotShareText } from '../../common/spot-nodes';
import { defineRule, unknown } from '../../define-rule';
import { Remedy, RuleContext, RuleFinding } from '../../rule';
import { workloads } from '../../subjects';

/** @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls */
export const doNotDisruptIsNotSpotProof = defineRule({
  id: 'KARP-410',
  name: 'do-not-disrupt-is-not-spot-proof',
  severity: 'warning',
  isWorkloadAdvice: true,
  summary:
    'Pods that are protected by do-not-disrupt may run on spot nodes, which EC2 interrupts in spite of the annotation.',
  subjects: workloads({
    where: (workload) =>
      workload.kind !== 'DaemonSet' &&
      !targetsNonKarpenterNodes(workload) &&
      protectionOfPods(workload).kind !== 'none',
  }),
  judge(workload, context) {
    const share = spotShareOf(context, workload);
    if (share === undefined) return unknown('the plan has no node for its pods');
    if (share.spot === 0) return undefined;
    return {
      path: [...podAnnotationsPath(workload), DO_NOT_DISRUPT],
      message: `${spotShareText(share)}: ${DO_NOT_DISRUPT} stops Karpenter, but EC2 still ends a spot instance two minutes after its notice`,
      evidence: { nodes: share.nodes, spotNodes: share.spot },
      ...onDemand(context, workload),
    };
  },
});

/** To require on-demand nodes, and to let the NodePool launch them if it has spot nodes only. */
function onDemand(context: RuleContext, workload: WorkloadManifest): Remedy & Pick<RuleFinding, 'alternatives'> {
  const names = poolNamesOf(context, workload);
  const pools = context.model.nodePools.filter(({ object }) => names.includes(object.name));
  const isReserved = placementsOf(context, workload).some(({ capacityTypes }) => capacityTypes.includes('reserved'));
  const remedy = `require ${Label.CAPACITY_TYPE}: on-demand for the pods, or checkpoint the work often`;
  if (isReserved) return { remedy: remedy.replace(': on-demand', ' In [on-demand, reserved]') };
  const fix = unsafeFix(setField([...workload.podPath, 'nodeSelector', Label.CAPACITY_TYPE], 'on-demand'));
  const also = pools.flatMap(({ object }) =>
    spotValuesPaths(object.raw).map((path) => ({ object, fix: unsafeFix(appendItem(path, 'on-demand')) })),
  );
  const which = `NodePool ${listText(names)}`;
  return {
    remedy,
    fix,
    alternatives: [
      ...(also.length === 0
        ? []
        : [{ remedy: `add on-demand to ${Label.CAPACITY_TYPE} of ${which}, and require it for the pods`, fix, also }]),
      { remedy: `checkpoint the work often, because ${which} has no on-demand nodes for the pods` },
    ],
  };
}

/** The lists of a NodePool that allow spot, but not on-demand. */
function spotValuesPaths(raw: unknown): FieldPath[] {
  const path = ['spec', 'template', 'spec', 'requirements'];
  return recordsOf(valueAt(raw, path)).flatMap(({ key, operator, values }, index) =>
    key === Label.CAPACITY_TYPE && operator === 'In' && Array.isArray(values) && !values.includes('on-demand')
      ? [[...path, index, 'values']]
      : [],
  );
}
