const SECOND = 1000;
const EVERY = 100;

/** How far a comparison is, on stderr: in one line on a terminal, and with a line now and then elsewhere. */
export class Progress {
  private done = 0;
  private readonly start = Date.now();
  private readonly isTerminal = process.stderr.isTTY;

  public constructor(private readonly total: number) {}

  public step(found: string): void {
    this.done += 1;
    const line = `${this.done} of ${this.total}, ${found}, ${((Date.now() - this.start) / SECOND / this.done).toFixed(2)} s each`;
    if (this.isTerminal) process.stderr.write(`\r${line}\u001b[K`);
    else if (this.done % EVERY === 0) process.stderr.write(`${line}\n`);
  }

  public end(): void {
    if (this.isTerminal) process.stderr.write('\r\u001b[K');
  }
}
