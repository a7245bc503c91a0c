import { asRecord } from '../../contract';
import { Quantity } from '../../model';
import { PlainRecord, recordsOf } from '../manifest/records';

/**
 * The pod's spec with what its containers really hold, where that is more: while a pod is resized in place, its status is
 * ahead of its spec or behind it.
 *
 * @see https://kubernetes.io/docs/tasks/configure-pod-container/resize-container-resources/
 */
export function withHeldResources(spec: PlainRecord, status: PlainRecord): PlainRecord {
  const held = new Map(['initContainerStatuses', 'containerStatuses'].flatMap((field) => recordsOf(status[field]))
    .filter(({ resources }) => asRecord(resources) !== undefined)
    .map((container) => [container.name, largest([asRecord(container.resources)?.requests, container.allocatedResources])] as const));
  if (held.size === 0) return spec;
  const given = (raw: unknown) => Array.isArray(raw) ? raw.map((container) => withRequests(container, held)) : raw;
  return { ...spec, initContainers: given(spec.initContainers), containers: given(spec.containers) };
}

function withRequests(raw: unknown, held: ReadonlyMap<unknown, PlainRecord>): unknown {
  const container = asRecord(raw);
  const resources = asRecord(container?.resources);
  const own = held.get(container?.name);
  if (!container || !own || Object.keys(own).length === 0) return raw;
  const requests = largest([resources?.requests, own]);
  // A limit below what is held is on its way: it must not make the pod unreadable.
  return { ...container, resources: { ...resources, requests, limits: largest([resources?.limits, limitsOver(requests, resources?.limits)]) } };
}

function limitsOver(requests: PlainRecord, limits: unknown): PlainRecord {
  return Object.fromEntries(Object.entries(requests).filter(([resource]) => asRecord(limits)?.[resource] !== undefined));
}

/** By resource, the most of what any of them says. */
function largest(lists: readonly unknown[]): PlainRecord {
  const result: Record<string, unknown> = {};
  for (const [resource, value] of lists.flatMap((list) => Object.entries(asRecord(list) ?? {}))) {
    const before = Quantity.tryParse(result[resource]);
    const now = Quantity.tryParse(value);
    if (result[resource] === undefined || (before && now && now.compare(before) > 0)) result[resource] = value;
  }
  return result;
}
