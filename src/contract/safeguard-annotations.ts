/** Annotations of a workload about safeguards that it lacks. Constructs write them, and rules read them. */

const PREFIX = 'resilience.karpenter-constructs.dev/';
const OPT_OUT = 'off: ';
const AS_WRITTEN = 'as written: ';

/** The annotation key of a safeguard such as `pod-disruption-budget`. */
export function safeguardAnnotation(safeguard: string): string {
  return `${PREFIX}${safeguard}`;
}

/** The annotation value of a user's opt-out. */
export function optOutNote(reason: string): string {
  return `${OPT_OUT}${reason}`;
}

/** The annotation value if the manifest's own setting is weaker than the safeguard and was kept. */
export function keptAsWrittenNote(what: string): string {
  return `${AS_WRITTEN}${what}`;
}

/** Whether the annotation says that a weaker setting of the manifest was kept. */
export function isKeptAsWrittenNote(note: unknown): boolean {
  return typeof note === 'string' && note.startsWith(AS_WRITTEN);
}

/** The reason of an opt-out. Undefined without an opt-out, or if the reason is empty. */
export function optOutNoteReason(
  annotations: Readonly<Record<string, unknown>> | undefined,
  safeguard: string,
): string | undefined {
  const note = annotations?.[safeguardAnnotation(safeguard)];
  const reason = typeof note === 'string' && note.startsWith(OPT_OUT) ? note.slice(OPT_OUT.length).trim() : '';
  return reason === '' ? undefined : reason;
}
