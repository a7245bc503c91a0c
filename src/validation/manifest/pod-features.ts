import { Admission } from './admission';
import { PlainRecord, recordsOf, textOf } from './records';
import { asRecord } from '../../contract';

/** What of a pod nothing here can judge, in words: such a pod is reported as not evaluated. */
export function unmodelledFeatures(spec: PlainRecord, admission: Pick<Admission, 'runtimeClass'>): string[] {
  const { runtimeClassName } = spec;
  const found: Array<[boolean, string]> = [
    [
      typeof runtimeClassName === 'string' && spec.overhead === undefined && admission.runtimeClass(runtimeClassName) === undefined,
      `RuntimeClass ${textOf(runtimeClassName)}, which is not in the input`,
    ],
    [typeof spec.nodeName === 'string' && spec.nodeName !== '', 'a fixed node (nodeName)'],
    [recordsOf(spec.schedulingGates).length > 0, 'scheduling gates'],
  ];
  return found.filter(([present]) => present).map(([, name]) => name);
}

/** Whether some container may use devices that a claim allocates. */
export function hasResourceClaims(spec: PlainRecord): boolean {
  const containers = [...recordsOf(spec.initContainers), ...recordsOf(spec.containers)];
  return recordsOf(spec.resourceClaims).length > 0 || containers.some(({ resources }) => recordsOf(asRecord(resources)?.claims).length > 0);
}

/** Why Karpenter ignores the pod whatever nodes there are, in its own words. */
export function ignoredBecause(spec: PlainRecord): string[] {
  return hasMatchFields(spec) ? ['node selector term with matchFields is not supported'] : [];
}

function hasMatchFields(spec: PlainRecord): boolean {
  const affinity = asRecord(asRecord(spec.affinity)?.nodeAffinity);
  const required = asRecord(affinity?.requiredDuringSchedulingIgnoredDuringExecution);
  return recordsOf(required?.nodeSelectorTerms).some((term) => term.matchFields !== undefined);
}
