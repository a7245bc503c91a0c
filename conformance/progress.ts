const SECOND = 1000;
const EVERY = 100;
/** Milliseconds after which a slow scenario is named. */
const LONG = 60_000;

/** Progress of a comparison on stderr: one updated line on a terminal, otherwise a line for every 100 scenarios. */
export class Progress {
  private done = 0;
  private readonly start = Date.now();
  private readonly isTerminal = process.stderr.isTTY;

  public constructor(private readonly total: number) {}

  public step(result: string): void {
    this.done += 1;
    const line = `${this.done} of ${this.total}, ${result}, ${((Date.now() - this.start) / SECOND / this.done).toFixed(2)} s each`;
    if (this.isTerminal) process.stderr.write(`\r${line}\u001b[K`);
    else if (this.done % EVERY === 0) process.stderr.write(`${line}\n`);
  }

  /** Names a slow scenario every minute: Karpenter can need minutes if it retries something for a simulated hour. */
  public async watch<T>(name: string, work: () => Promise<T>): Promise<T> {
    const start = Date.now();
    const timer = setInterval(
      () => process.stderr.write(`${name}: ${Math.round((Date.now() - start) / SECOND)} s so far\n`),
      LONG,
    );
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
