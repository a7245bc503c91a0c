import { Quantity } from '../../../model';
import { child, Json, EditableWorkload } from '../editable-workload';

/** Sets a missing memory request or limit to the other one. Kubernetes only does so for requests. */
export function memoryLimit({ pod, containers, initContainers }: EditableWorkload): string | undefined {
  if (hasMemory(pod)) return shareOfPod(pod);
  const weaker = [...containers, ...initContainers].flatMap((container) => equalise(container) ?? []);
  return weaker.length === 0 ? undefined : weaker.join(', ');
}

function hasMemory({ resources }: Json): boolean {
  return resources?.requests?.memory !== undefined || resources?.limits?.memory !== undefined;
}

/**
 * Changes only the resources of the pod, which its containers share. Requests of the containers could exceed those of
 * the pod, and a pod limit could be too low for them.
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
    return isSameAmount(request, limit) ? undefined : `${container.name}: limit ${limit}, request ${request}`;
  }
  child(child(container, 'resources'), 'requests').memory = written;
  child(child(container, 'resources'), 'limits').memory = written;
  return undefined;
}

function isSameAmount(a: unknown, b: unknown): boolean {
  const [left, right] = [a, b].map((amount) => Quantity.tryParse(amount));
  return left === undefined || right === undefined ? a === b : left.compare(right) === 0;
}

/** Kubernetes ignores this annotation, but still rejects a pod whose `seccompProfile` contradicts it. */
const SECCOMP_ANNOTATION = 'seccomp.security.alpha.kubernetes.io/pod';
const DEFAULT_PROFILES = ['runtime/default', 'docker/default'];
/**
 * Sets only restrictions that work for any ordinary image. The user and the writable paths depend on the image.
 *
 * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */
export function securityContext({ pod, template, containers, initContainers, isWindows }: EditableWorkload): undefined {
  if (isWindows) return;
  const annotated = template.metadata?.annotations?.[SECCOMP_ANNOTATION];
  if (annotated === undefined || DEFAULT_PROFILES.includes(annotated))
    child(pod, 'securityContext').seccompProfile ??= { type: 'RuntimeDefault' };
  for (const container of [...containers, ...initContainers]) {
    if (!gainsPrivileges(container.securityContext))
      child(container, 'securityContext').allowPrivilegeEscalation ??= false;
  }
}

/** The API server rejects these containers if allowPrivilegeEscalation is false. */
function gainsPrivileges(context: Json | undefined): boolean {
  const added: unknown = context?.capabilities?.add;
  return (
    context?.privileged === true ||
    (Array.isArray(added) && added.some((capability) => ['SYS_ADMIN', 'CAP_SYS_ADMIN', 'ALL'].includes(capability)))
  );
}
