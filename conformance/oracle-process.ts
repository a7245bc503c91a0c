import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The Go modules of the oracle, with their versions. */
export type Versions = Readonly<Record<string, string>>;

/** The oracle failed on one request; it still accepts the next one. */
export class OracleError extends Error {}

/** A program that answers each line of JSON with one line of JSON. */
export class OracleProcess {
  public static async run(program: string, ...flags: string[]): Promise<OracleProcess> {
    const process = spawn(program, ['-catalogue', join(__dirname, '../data/instance-types.json'), ...flags], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
    const read = async () => (await lines.next()).value as string;
    const oracle = new OracleProcess(
      (text) => process.stdin.write(text),
      read,
      () => process.stdin.end(),
    );
    oracle.versions = JSON.parse(await oracle.read()) as Versions;
    return oracle;
  }

  public versions: Versions = {};

  private constructor(
    private readonly write: (text: string) => void,
    private readonly read: () => Promise<string>,
    public readonly stop: () => void,
  ) {}

  /**
   * Sends one request and waits for the reply; requests must not overlap.
   *
   * @throws OracleError if the oracle fails on the request
   */
  public async request<Reply extends { readonly error?: string }>(request: object): Promise<Reply> {
    this.write(`${JSON.stringify(request)}\n`);
    const line = await this.read();
    if (line === undefined) throw new Error('the oracle process has ended');
    const reply = JSON.parse(line) as Reply;
    if (reply.error !== undefined) throw new OracleError(reply.error);
    return reply;
  }
}
