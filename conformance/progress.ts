const SECOND = 1000;
const EVERY = 100;
/** After so many milliseconds it is told which scenario takes its time. */
const LONG = 60_000;

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

  /** A scenario that takes long is named, again and again: what Karpenter tries for an hour in vain it may need minutes for. */
  public async watch<T>(name: string, work: () => Promise<T>): Promise<T> {
    const start = Date.now();
    const timer = setInterval(() => process.stderr.write(`${name}: ${Math.round((Date.now() - start) / SECOND)} s so far\n`), LONG);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  public end(): void {
    if (this.isTerminal) process.stderr.write('\r\u001b[K');
  }
}
