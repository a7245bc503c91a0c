/** What a command touches of its process. Tests pass their own. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Whether a person reads standard output in a terminal that shows colours. */
  readonly color: boolean;
  /** How wide the terminal is that a person reads standard output in. @default - no person reads it there, and lines are as long as they are */
  readonly columns?: number;
  writeOut(text: string): void;
  writeError(text: string): void;
}

export const EXIT = {
  /** Nothing at or above --fail-on. */
  ok: 0,
  /** Findings at or above --fail-on. */
  findings: 1,
  /** Input or arguments that cannot be used. */
  unusable: 2,
} as const;

/** A mistake of the caller: told in one line, without a stack. */
export class UsageError extends Error {}
