import { HorizontalAutoscaler, horizontalAutoscalers, scaledObjectOf, scaledObjects } from './horizontal-autoscalers';
import { setField, unsafeFix } from '../../../../contract';
import { nearestName } from '../../../../model';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { ManifestModel } from '../../../manifest/model';
import { defineRule, SubjectFinding, unknown } from '../../define-rule';
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
    const namespace = meant === undefined ? namespaceOfTarget(autoscaler, model) : undefined;
    if (namespace !== undefined) return inNoNamespace(autoscaler, namespace);
    if (meant === undefined) return unknown(`${targetKind} ${targetName} is not in the input`);
    return {
      path: [...PATH, meant.field],
      message: `scales ${targetKind} ${targetName}, which ${target === undefined ? 'does not exist' : 'has no replicas to scale'}: its workload keeps its replicas, whatever the load`,
      remedy: `write ${meant.field}: ${meant.value}`,
      evidence: { kind: targetKind, name: targetName, meant: meant.value },
      fix: unsafeFix(setField([...PATH, meant.field], meant.value)),
      isTypo: true,
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

/** The namespace of the only workload that an autoscaler without a namespace can mean. */
function namespaceOfTarget(
  { object, targetKind, targetName }: HorizontalAutoscaler,
  { workloads }: ManifestModel,
): string | undefined {
  if (object.namespace !== undefined || !SCALABLE.includes(targetKind)) return undefined;
  const [only, ...others] = workloads.filter((workload) => {
    const { kind, name } = scaledObjectOf(workload);
    return kind === targetKind && name === targetName;
  });
  return others.length === 0 ? only?.namespace : undefined;
}

/** A note, because the command that applies the autoscaler may set its namespace. */
function inNoNamespace({ targetKind, targetName }: HorizontalAutoscaler, namespace: string): SubjectFinding {
  return {
    path: ['metadata'],
    severity: 'info',
    message: `has no namespace, but scales ${targetKind} ${targetName} of namespace ${namespace}: if it is applied to another namespace, such as default, it scales nothing`,
    remedy: `write metadata.namespace: ${namespace}`,
    evidence: { kind: targetKind, name: targetName, meant: namespace },
    fix: unsafeFix(setField(['metadata', 'namespace'], namespace)),
  };
}
