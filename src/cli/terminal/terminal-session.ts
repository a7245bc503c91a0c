import { WorkerMessage } from './messages';
import { ProgressLine } from './progress-line';
import type { PartialResult } from '../io';

/** The exit code of a command that Ctrl-C has ended: 128 and the number of SIGINT. */
export const INTERRUPTED = 130;

export interface SessionOutput {
  writeOut(text: string): void;
  writeError(text: string): void;
  /** @throws Error if the file cannot be written */
  writeFile(path: string, text: string): void;
}

/** Writes the output of a command, with the progress line below it. */
export class TerminalSession {
  private partial?: PartialResult;

  public constructor(
    private readonly line: ProgressLine,
    private readonly output: SessionOutput,
  ) {}

  public receive(message: WorkerMessage): void {
    switch (message.kind) {
      case 'progress':
        return this.line.update(message.step);
      case 'partial':
        this.partial = message.result;
        return;
      case 'out':
        this.line.clear();
        return this.output.writeOut(message.text);
      case 'error':
        this.line.clear();
        return this.output.writeError(message.text);
    }
  }

  public draw(): void {
    this.line.draw();
  }

  public end(): void {
    this.line.clear();
  }

  /** Writes what is finished. */
  public interrupt(): void {
    this.line.clear();
    const { partial, output } = this;
    const time = `interrupted after ${this.line.elapsedText()}`;
    if (partial === undefined) return output.writeError(`${time}, before any result\n`);
    try {
      if (partial.file === undefined) output.writeOut(partial.text);
      else output.writeFile(partial.file, partial.text);
    } catch (error) {
      return output.writeError(`${time}; --output: cannot be written, ${(error as Error).message}\n`);
    }
    output.writeError(
      `${time}; ${partial.file === undefined ? 'the result above' : partial.file} has what was finished\n`,
    );
  }
}
