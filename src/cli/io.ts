import type { ProgressListener } from '../validation';

/** The parts of its process that a command uses. Tests pass their own. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Whether standard output is a terminal with colors. */
  readonly color: boolean;
  /** Whether standard output is a terminal that shows only ASCII characters. @default false */
  readonly ascii?: boolean;
  /** The width of the terminal. @default - standard output is not a terminal, and lines are not wrapped */
  readonly columns?: number;
  /** Whether standard error is a terminal, in which a line can be replaced. @default false */
  readonly isErrorTerminal?: boolean;
  /** Called between units of work. @default - no progress is shown */
  readonly onProgress?: ProgressListener;
  /**
   * Keeps a result until the next one, or until the end of the command. If the command is interrupted, it is written.
   * @default - an interrupted command prints nothing, so no such results are made
   */
  readonly keepPartialResult?: (makeResult: () => PartialResult) => void;
  writeOut(text: string): void;
  writeError(text: string): void;
}

/** What the command has finished. */
export interface PartialResult {
  readonly text: string;
  /** @default - standard output */
  readonly file?: string;
}

export const EXIT = {
  /** No finding at or above --fail-on. */
  ok: 0,
  /** Findings at or above --fail-on. */
  findings: 1,
  /** Invalid input or arguments. */
  unusable: 2,
  /** Ended with Ctrl-C, as shells have it. */
  interrupted: 130,
} as const;

/** An error of the user. It is printed in one line, without a stack trace. */
export class UsageError extends Error {
  /** @param details lines below the message, such as a text with its mistake underlined */
  constructor(
    message: string,
    readonly details: readonly string[] = [],
  ) {
    super(message);
  }
}
