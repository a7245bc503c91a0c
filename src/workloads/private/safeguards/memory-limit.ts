import { Quantity } from '../../../model';
import { child, Json, Subject } from '../subject';

/** Of the two the one that is missing becomes the other. Kubernetes itself fills in requests, but not limits. */
export function memoryLimit({ containers, initContainers }: Subject): string | undefined {
  const weaker = [...containers, ...initContainers].flatMap((container) => equalise(container) ?? []);
  return weaker.length === 0 ? undefined : weaker.join(', ');
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
