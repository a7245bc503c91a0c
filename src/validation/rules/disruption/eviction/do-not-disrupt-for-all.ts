import { podAnnotations, podAnnotationsPath } from './pod-protection';
import { asRecord, DO_NOT_DISRUPT, removeField, unsafeFix } from '../../../../contract';
import { countText, shortListText } from '../../../../model';
import { ObjectFix } from '../../../manifest/edit/fix-of';
import { ManifestObject, ProtectedObject, SpreadProtection, WorkloadManifest } from '../../../manifest/model';
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
    'A kustomization puts the do-not-disrupt annotation on the pods of all its workloads, so that Karpenter disrupts none of their nodes.',
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
        'Karpenter neither consolidates nor replaces their nodes',
      remedy: `remove it${isForAll ? ' from commonAnnotations' : ''}, and write it in the pod templates of the workloads that must not be disrupted; PodDisruptionBudgets limit how many pods are evicted at once`,
      restored: [...workloads.map(withoutPodAnnotation), ...withoutOwnAnnotation(protection, workloads, context)],
      evidence: { workloads: names, nodes: nodes.size },
    };
  },
});

const OWN = ['metadata', 'annotations', DO_NOT_DISRUPT];

function hasOwn({ raw }: ManifestObject): boolean {
  return asRecord(asRecord(raw.metadata)?.annotations)?.[DO_NOT_DISRUPT] !== undefined;
}

function withoutPodAnnotation(workload: WorkloadManifest): ObjectFix {
  const { object, kind } = workload;
  const ofPods = removeField([...podAnnotationsPath(workload), DO_NOT_DISRUPT]);
  return {
    object,
    fix: kind !== 'Pod' && hasOwn(object) ? unsafeFix(ofPods, removeField(OWN)) : unsafeFix(ofPods),
  };
}

/** The other objects, on which the annotation has no effect. */
function withoutOwnAnnotation(
  { workloads: protectedObjects }: SpreadProtection,
  workloads: readonly WorkloadManifest[],
  { model }: RuleContext,
): ObjectFix[] {
  const known = new Set(workloads.map(({ object }) => object));
  return model.objects
    .filter((object) => !known.has(object) && hasOwn(object) && protectedObjects.some((one) => isSame(one, object)))
    .map((object) => ({ object, fix: unsafeFix(removeField(OWN)) }));
}

function isSame({ kind, name, namespace }: ProtectedObject, object: ManifestObject): boolean {
  return (
    kind === object.kind &&
    name === object.name &&
    (namespace === '' || object.namespace === undefined || namespace === object.namespace)
  );
}

function workloadsOf({ workloads }: SpreadProtection, { model }: RuleContext): WorkloadManifest[] {
  return model.workloads.filter(
    (workload) =>
      podAnnotations(workload)[DO_NOT_DISRUPT] !== undefined && workloads.some((one) => isSame(one, workload.object)),
  );
}
