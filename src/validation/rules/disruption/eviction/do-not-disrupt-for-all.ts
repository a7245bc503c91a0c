import { podAnnotations, podAnnotationsPath } from './pod-protection';
import { DO_NOT_DISRUPT, removeField, unsafeFix } from '../../../../contract';
import { countText, shortListText } from '../../../../model';
import { SpreadProtection, WorkloadManifest } from '../../../manifest/model';
import { placementsOf } from '../../common/placements';
import { defineRule } from '../../define-rule';
import { RuleContext } from '../../rule';
import { subjectsFrom } from '../../subjects';

const MOST_NAMED = 4;

/** @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls */
export const doNotDisruptForAll = defineRule<SpreadProtection>({
  id: 'KARP-440',
  name: 'do-not-disrupt-for-all',
  severity: 'warning',
  summary:
    'A kustomization puts karpenter.sh/do-not-disrupt on the pods of all its workloads, so that Karpenter disrupts none of their nodes.',
  subjects: subjectsFrom(({ model }) => model.spreadProtections ?? []),
  judge(protection, context) {
    const workloads = workloadsOf(protection, context);
    const { path } = protection;
    const isForAll = path.includes('commonAnnotations');
    // A patch may select the only workload that is to be protected.
    if (workloads.length === 0 || (!isForAll && workloads.length < 2)) return undefined;
    const names = workloads.map(({ kind, name }) => `${kind} ${name}`);
    const nodes = new Set(workloads.flatMap((workload) => placementsOf(context, workload).map(({ node }) => node)));
    return {
      path,
      message:
        `puts ${DO_NOT_DISRUPT} on the pods of ${workloads.length === 1 ? names[0] : `${countText(workloads.length, 'workload')} (${shortListText(names, MOST_NAMED)})`}: ` +
        `Karpenter neither consolidates nor replaces ${nodes.size === 0 ? 'a node with one of them' : countText(nodes.size, 'node')}`,
      remedy: `remove it${isForAll ? ' from commonAnnotations' : ''}, and write it in the pod templates of the workloads that must not be disrupted; PodDisruptionBudgets limit how many pods are evicted at once`,
      restored: workloads.map((workload) => ({
        object: workload.object,
        fix: unsafeFix(removeField([...podAnnotationsPath(workload), DO_NOT_DISRUPT])),
      })),
      evidence: { workloads: names, nodes: nodes.size },
    };
  },
});

function workloadsOf({ workloads }: SpreadProtection, { model }: RuleContext): WorkloadManifest[] {
  return model.workloads.filter(
    (workload) =>
      podAnnotations(workload)[DO_NOT_DISRUPT] !== undefined &&
      workloads.some(
        ({ kind, name, namespace }) =>
          kind === workload.object.kind &&
          name === workload.name &&
          (namespace === '' || namespace === workload.namespace),
      ),
  );
}
