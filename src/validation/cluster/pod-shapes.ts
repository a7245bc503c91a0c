import { ClusterLog } from './cluster-objects';
import { SnapshotPod } from './cluster-pod';
import { PodControllers } from './pod-owners';
import { asRecord } from '../../contract';
import { Quantity } from '../../model';
import { PodShape } from '../../scheduling';
import { FieldReader } from '../manifest/field-reader';
import { PlainRecord, recordsOf } from '../manifest/records';
import { readPodShape, RelatedObjects } from '../manifest/workload/pod-shape';

/** The API server has already added its defaults to the pods of a cluster. */
const ALREADY_ADMITTED: RelatedObjects['admission'] = {
  containerDefaults: () => ({ requests: new Map(), limits: new Map(), ranges: [] }),
  runtimeClass: () => ({}),
  defaultsHostPorts: true,
};

/** Reads what the pods of the cluster need of a node. */
export class PodShapes {
  public constructor(
    private readonly related: Omit<RelatedObjects, 'admission'>,
    private readonly controllers: PodControllers,
    private readonly log: ClusterLog,
  ) {}

  /** Undefined, with a logged problem, if the pod cannot be read. `nodeName` is ignored: the pod may have to move. */
  public shapeOf(pod: SnapshotPod): PodShape | undefined {
    const { nodeName, ...spec } = withAllocatedResources(
      asRecord(pod.object.raw.spec) ?? {},
      asRecord(pod.object.raw.status) ?? {},
    );
    const { namespace, name, labels } = pod;
    const reader = new FieldReader(pod.object, this.log);
    const context = { namespace, name, templates: [], labels, ...this.controllers.spreadContextOf(pod) };
    return readPodShape(reader, ['spec'], spec, context, { ...this.related, admission: ALREADY_ADMITTED });
  }
}

/**
 * The pod's spec, with the resources that its containers have allocated if these are more. While a pod is resized in
 * place, the status and the spec differ.
 *
 * @see https://kubernetes.io/docs/tasks/configure-pod-container/resize-container-resources/
 */
function withAllocatedResources(spec: PlainRecord, status: PlainRecord): PlainRecord {
  const allocated = new Map(
    ['initContainerStatuses', 'containerStatuses']
      .flatMap((field) => recordsOf(status[field]))
      .filter(({ resources }) => asRecord(resources) !== undefined)
      .map(
        (container) =>
          [container.name, largest([asRecord(container.resources)?.requests, container.allocatedResources])] as const,
      ),
  );
  if (allocated.size === 0) return spec;
  const adjusted = (raw: unknown) =>
    Array.isArray(raw) ? raw.map((container) => withRequests(container, allocated)) : raw;
  return { ...spec, initContainers: adjusted(spec.initContainers), containers: adjusted(spec.containers) };
}

function withRequests(raw: unknown, allocated: ReadonlyMap<unknown, PlainRecord>): unknown {
  const container = asRecord(raw);
  const resources = asRecord(container?.resources);
  const containerRequests = allocated.get(container?.name);
  if (!container || !containerRequests || Object.keys(containerRequests).length === 0) return raw;
  const requests = largest([resources?.requests, containerRequests]);
  // A limit below the allocated request belongs to a resize in progress: it must not make the pod invalid.
  const limits = largest([resources?.limits, requestsWithLimit(requests, resources?.limits)]);
  return { ...container, resources: { ...resources, requests, limits } };
}

function requestsWithLimit(requests: PlainRecord, limits: unknown): PlainRecord {
  return Object.fromEntries(
    Object.entries(requests).filter(([resource]) => asRecord(limits)?.[resource] !== undefined),
  );
}

/** The largest quantity of each resource in any of the lists. */
function largest(lists: readonly unknown[]): PlainRecord {
  const result: Record<string, unknown> = {};
  for (const [resource, value] of lists.flatMap((list) => Object.entries(asRecord(list) ?? {}))) {
    const current = Quantity.tryParse(result[resource]);
    const candidate = Quantity.tryParse(value);
    if (result[resource] === undefined || (current && candidate && candidate.compare(current) > 0))
      result[resource] = value;
  }
  return result;
}
