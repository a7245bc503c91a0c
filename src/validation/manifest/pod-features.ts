import { PlainRecord, recordsOf } from './records';
import { asRecord } from '../../contract';

/** What of a pod the solver does not model yet, in words: such a pod is reported as not evaluated. */
export function unmodelledFeatures(spec: PlainRecord): string[] {
  const affinity = asRecord(spec.affinity);
  const found: Array<[boolean, string]> = [
    [recordsOf(spec.volumes).some((volume) => volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined), 'persistent volumes'],
    [hasHostPorts(spec), 'host ports'],
    [hasMatchFields(affinity?.nodeAffinity), 'node affinity by matchFields'],
    [typeof spec.runtimeClassName === 'string' && spec.overhead === undefined, 'the overhead of its runtime class'],
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

/** Only regular containers count for Karpenter. With hostNetwork every container port is a host port. */
function hasHostPorts(spec: PlainRecord): boolean {
  return recordsOf(spec.containers).some((container) => recordsOf(container.ports)
    .some((port) => spec.hostNetwork === true || (port.hostPort !== undefined && port.hostPort !== 0)));
}

function hasMatchFields(raw: unknown): boolean {
  const affinity = asRecord(raw);
  const required = asRecord(affinity?.requiredDuringSchedulingIgnoredDuringExecution);
  const preferred = recordsOf(affinity?.preferredDuringSchedulingIgnoredDuringExecution).map((term) => asRecord(term.preference) ?? {});
  return [...recordsOf(required?.nodeSelectorTerms), ...preferred].some((term) => recordsOf(term.matchFields).length > 0);
}
