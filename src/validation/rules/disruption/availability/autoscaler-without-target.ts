import { HorizontalAutoscaler, horizontalAutoscalers, scaledObjectOf, scaledObjects } from './horizontal-autoscalers';
import { setField, unsafeFix } from '../../../../contract';
import { nearestName } from '../../../../model';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { ManifestModel } from '../../../manifest/model';
import { defineRule, unknown } from '../../define-rule';
import { subjectsFrom } from '../../subjects';

const SCALABLE: readonly string[] = ['Deployment', 'StatefulSet', 'ReplicaSet', 'Rollout'];
/** Kinds without a scale of their own: nothing scales them. */
const NOT_SCALABLE: readonly string[] = ['Job', 'CronJob', 'DaemonSet', 'Pod'];
const PATH = ['spec', 'scaleTargetRef'];

/** @see https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/ */
export const autoscalerWithoutTarget = defineRule({
  id: 'KARP-434',
  name: 'autoscaler-without-target',
  severity: 'error',
  isWorkloadAdvice: true,
  summary: 'A HorizontalPodAutoscaler or ScaledObject names a workload that does not exist: it scales nothing.',
  subjects: subjectsFrom<HorizontalAutoscaler>(
    ({ model }) => [...horizontalAutoscalers(model), ...scaledObjects(model)],
    {
      where: ({ targetKind }) =>
        [...SCALABLE, ...NOT_SCALABLE].some((kind) => kind.toLowerCase() === targetKind.toLowerCase()),
      unknown: ({ object }) => whyUnresolved(object.raw.spec?.scaleTargetRef),
    },
  ),
  judge(autoscaler, { model }) {
    const { targetKind, targetName, target } = autoscaler;
    if (target !== undefined && SCALABLE.includes(targetKind)) return undefined;
    const meant = meantTarget(autoscaler, model);
    if (meant === undefined) return unknown(`${targetKind} ${targetName} is not in the input`);
    return {
      path: [...PATH, meant.field],
      message: `scales ${targetKind} ${targetName}, which ${target === undefined ? 'does not exist' : 'has no replicas to scale'}: its workload keeps its replicas, whatever the load`,
      remedy: `write ${meant.field}: ${meant.value}`,
      evidence: { kind: targetKind, name: targetName, meant: meant.value },
      fix: unsafeFix(setField([...PATH, meant.field], meant.value)),
    };
  },
});

/** A workload of the namespace with the same name and another kind, or with almost this name or the autoscaler's. */
function meantTarget(
  { object, namespace, targetKind, targetName }: HorizontalAutoscaler,
  { workloads }: ManifestModel,
): { readonly field: 'kind' | 'name'; readonly value: string } | undefined {
  const candidates = workloads
    .filter((workload) => workload.namespace === namespace)
    .map(scaledObjectOf)
    .filter((candidate) => SCALABLE.includes(candidate.kind) && candidate.madeBy === undefined);
  const ofOtherKind = candidates.find(({ name }) => name === targetName);
  if (ofOtherKind !== undefined) return { field: 'kind', value: ofOtherKind.kind };
  const names = candidates.filter(({ kind }) => kind === targetKind).map(({ name }) => name);
  const nearest = nearestName(targetName, names) ?? names.find((name) => name === object.name);
  return nearest === undefined ? undefined : { field: 'name', value: nearest };
}
