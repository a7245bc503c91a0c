/** The parts of its process that a command uses. Tests pass their own. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Whether standard output is a terminal with colors. */
  readonly color: boolean;
  /** The width of the terminal. @default - standard output is not a terminal, and lines are not wrapped */
  readonly columns?: number;
  writeOut(text: string): void;
  writeError(text: string): void;
}

export const EXIT = {
  /** No finding at or above --fail-on. */
  ok: 0,
  /** Findings at or above --fail-on. */
  findings: 1,
  /** Invalid input or arguments. */
  unusable: 2,
} as const;

/** An error of the user. It is printed in one line, without a stack trace. */
export class UsageError extends Error {}
