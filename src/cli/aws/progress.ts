import { numberText } from '../../model';
import { Io } from '../io';

const CLEAR_LINE = '\r\x1b[K';

/** Progress on standard error: one line that changes in a terminal, otherwise a line for each finished call. */
export class Progress {
  private readonly isTerminal: boolean;

  public constructor(
    private readonly io: Io,
    private readonly region: string,
  ) {
    this.isTerminal = io.isErrorTerminal === true;
  }

  public update(count: number, noun: string): void {
    if (this.isTerminal) this.io.writeError(`${CLEAR_LINE}${this.text(count, noun)} …`);
  }

  public finish(count: number, noun: string): void {
    this.io.writeError(this.isTerminal ? `${CLEAR_LINE}${this.text(count, noun)}` : `${this.text(count, noun)}\n`);
  }

  /** Leaves an empty line for the next text. */
  public clear(): void {
    if (this.isTerminal) this.io.writeError(CLEAR_LINE);
  }

  private text(count: number, noun: string): string {
    return `${this.region}: ${numberText(count)} ${noun}`;
  }
}
