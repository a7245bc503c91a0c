import { ContainerDefaults, readAmounts, readContainerResources, readResources } from './container-resources';
import { FieldReader } from './field-reader';
import { FieldPath } from './model';
import { PlainRecord } from './records';
import { maxResources, merge } from '../../model';

/**
 * What the scheduler counts for a pod: its containers together, or its largest init container beside the sidecars that run
 * by then, whichever is more; then the pod-level requests, where written, and the overhead.
 *
 * @see https://kubernetes.io/docs/concepts/workloads/pods/init-containers/#resource-sharing-within-containers
 */
export function readEffectiveRequests(reader: FieldReader, path: FieldPath, spec: PlainRecord, defaults: ContainerDefaults): Map<string, bigint> {
  const containers = reader.records([...path, 'containers'], spec.containers);
  if (containers.length === 0 && !reader.broken) {
    reader.reject([...path, 'containers'], 'must hold a container', spec.containers, 'add at least one container');
  }
  const requestsOf = (at: FieldPath, item: PlainRecord) => readContainerResources(reader, [...at, 'resources'], item.resources, defaults).requests;
  let running = merge(...containers.map(({ at, item }) => requestsOf(at, item)));
  let sidecars = new Map<string, bigint>();
  let largestStart = new Map<string, bigint>();
  for (const { at, item } of reader.records([...path, 'initContainers'], spec.initContainers)) {
    const requests = requestsOf(at, item);
    const isSidecar = reader.oneOf([...at, 'restartPolicy'], item.restartPolicy, ['Always', 'OnFailure', 'Never']) === 'Always';
    const starting = merge(sidecars, requests);
    if (isSidecar) {
      running = merge(running, requests);
      sidecars = starting;
    }
    largestStart = maxResources(largestStart, starting);
  }
  const effective = withPodLevel(reader, [...path, 'resources'], spec.resources, maxResources(running, largestStart));
  return merge(effective, readAmounts(reader, [...path, 'overhead'], spec.overhead));
}

/** Pod-level requests replace the sum; a pod-level limit stands in only where neither the pod nor a container requests. */
function withPodLevel(reader: FieldReader, path: FieldPath, raw: unknown, sum: Map<string, bigint>): Map<string, bigint> {
  const { requests, limits } = readResources(reader, path, raw);
  const effective = new Map(sum);
  for (const [resource, limit] of limits) if (isPodLevel(resource) && !effective.has(resource)) effective.set(resource, limit);
  for (const [resource, request] of requests) if (isPodLevel(resource)) effective.set(resource, request);
  return effective;
}

function isPodLevel(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || resource.startsWith('hugepages-');
}
