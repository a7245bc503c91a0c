/**
 * How a workload says which of its safeguards are left out: constructs write these annotations, and rules read them.
 */

const PREFIX = 'resilience.karpenter-constructs.dev/';
const OFF = 'off: ';
const AS_WRITTEN = 'as written: ';

/** Key of the annotation about a safeguard, such as `pod-disruption-budget`. */
export function safeguardAnnotation(safeguard: string): string {
  return `${PREFIX}${safeguard}`;
}

/** The safeguard is not wanted. */
export function offNote(reason: string): string {
  return `${OFF}${reason}`;
}

/** What the manifest says already is weaker than the safeguard, and was left alone. */
export function asWrittenNote(what: string): string {
  return `${AS_WRITTEN}${what}`;
}

/** Whether a construct wrote the annotation about what was weaker. */
export function isAsWrittenNote(note: unknown): boolean {
  return typeof note === 'string' && note.startsWith(AS_WRITTEN);
}

/** Why a safeguard is not wanted; undefined where nothing says so. An empty reason is none. */
export function offReason(annotations: Readonly<Record<string, unknown>> | undefined, safeguard: string): string | undefined {
  const note = annotations?.[safeguardAnnotation(safeguard)];
  const reason = typeof note === 'string' && note.startsWith(OFF) ? note.slice(OFF.length).trim() : '';
  return reason === '' ? undefined : reason;
}
