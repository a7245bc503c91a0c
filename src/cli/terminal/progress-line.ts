import { durationText } from '../../model';
import type { ProgressStep } from '../../validation';

/** Shorter commands show nothing. */
const DELAY_MS = 1_000;
const DEFAULT_COLUMNS = 80;
const ERASE_LINE = '\r\x1b[K';

/** The terminal that the line is written to. */
export interface LineTerminal {
  readonly columns?: number;
  write(text: string): void;
}

/** One line on a terminal that says what is done, of how much, and for how long. */
export class ProgressLine {
  private readonly start: number;
  private step?: ProgressStep;
  private isShown = false;

  /** @param now the time in milliseconds */
  public constructor(
    private readonly terminal: LineTerminal,
    private readonly now: () => number,
  ) {
    this.start = now();
  }

  public update(step: ProgressStep): void {
    this.step = step;
  }

  /** Shows the current step and time. Call it regularly. */
  public draw(): void {
    const elapsed = this.now() - this.start;
    if (elapsed < DELAY_MS || this.step === undefined) return;
    const seconds = `${this.elapsedText()}  `;
    // A line that fills the last column would be wrapped, and could not be erased.
    const width = (this.terminal.columns || DEFAULT_COLUMNS) - seconds.length - 1;
    this.terminal.write(`${ERASE_LINE}${seconds}${shortened(stepText(this.step), width)}`);
    this.isShown = true;
  }

  /** Removes the line, before anything else is written. */
  public clear(): void {
    if (this.isShown) this.terminal.write(ERASE_LINE);
    this.isShown = false;
  }

  public elapsedText(): string {
    const seconds = Math.floor((this.now() - this.start) / 1_000);
    return durationText(seconds);
  }
}

/** `reading files, 3 of 12`. */
export function stepText({ task, done, total }: ProgressStep): string {
  if (done === undefined) return task;
  return total === undefined ? `${task} ${done + 1}` : `${task}, ${done} of ${total}`;
}

function shortened(text: string, width: number): string {
  const printable = text.replace(/\p{Cc}/gu, '?');
  return printable.length <= width ? printable : `${printable.slice(0, Math.max(0, width - 1))}…`;
}
