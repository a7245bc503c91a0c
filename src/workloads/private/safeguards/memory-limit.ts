import { Quantity } from '../../../model';
import { child, Json, Subject } from '../subject';

/** Of the two the one that is missing becomes the other. Kubernetes itself fills in requests, but not limits. */
export function memoryLimit({ pod, containers, initContainers }: Subject): string | undefined {
  if (hasMemory(pod)) return shareOfPod(pod);
  const weaker = [...containers, ...initContainers].flatMap((container) => equalise(container) ?? []);
  return weaker.length === 0 ? undefined : weaker.join(', ');
}

function hasMemory({ resources }: Json): boolean {
  return resources?.requests?.memory !== undefined || resources?.limits?.memory !== undefined;
}

/**
 * Containers share what their pod has: with requests of their own they might have more than that, and with a limit the
 * pod might have less.
 */
function shareOfPod(pod: Json): string | undefined {
  const { requests, limits } = pod.resources;
  return limits?.memory === undefined ? `pod: no limit, request ${requests.memory}` : equalise({ name: 'pod', ...pod });
}

function equalise(container: Json): string | undefined {
  const request = container.resources?.requests?.memory;
  const limit = container.resources?.limits?.memory;
  const written = request ?? limit;
  if (written === undefined || written === null) return undefined;
  if (request !== undefined && limit !== undefined) {
    return sameAmount(request, limit) ? undefined : `${container.name}: limit ${limit}, request ${request}`;
  }
  child(child(container, 'resources'), 'requests').memory = written;
  child(child(container, 'resources'), 'limits').memory = written;
  return undefined;
}

function sameAmount(one: unknown, other: unknown): boolean {
  const [left, right] = [one, other].map((amount) => Quantity.tryParse(amount));
  return left === undefined || right === undefined ? one === other : left.compare(right) === 0;
}
