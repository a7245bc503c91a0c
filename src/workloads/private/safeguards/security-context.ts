import { child, Json, Subject } from '../subject';

/** Kubernetes takes no notice of it any more, but still refuses a profile that is another. */
const SECCOMP_ANNOTATION = 'seccomp.security.alpha.kubernetes.io/pod';
const DEFAULTS = ['runtime/default', 'docker/default'];

/**
 * What no well-behaved image notices. Which user an image runs as, and what it writes to, only its author knows.
 *
 * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */
export function securityContext({ pod, template, containers, initContainers, isWindows }: Subject): undefined {
  if (isWindows) return;
  const annotated = template.metadata?.annotations?.[SECCOMP_ANNOTATION];
  if (annotated === undefined || DEFAULTS.includes(annotated)) child(pod, 'securityContext').seccompProfile ??= { type: 'RuntimeDefault' };
  for (const container of [...containers, ...initContainers]) {
    if (!gainsPrivileges(container.securityContext)) child(container, 'securityContext').allowPrivilegeEscalation ??= false;
  }
}

/** The API server refuses the one without the other. */
function gainsPrivileges(context: Json | undefined): boolean {
  const added: unknown = context?.capabilities?.add;
  return context?.privileged === true || (Array.isArray(added) && added.some((capability) => ['SYS_ADMIN', 'CAP_SYS_ADMIN', 'ALL'].includes(capability)));
}
