import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Modules and the versions of them that ran. */
export type Versions = Readonly<Record<string, string>>;

/** It has no answer to the question, and takes the next. */
export class OracleError extends Error {}

/** A program that answers lines of JSON. */
export class OracleProcess {
  public static async run(program: string, ...flags: string[]): Promise<OracleProcess> {
    const process = spawn(program, ['-catalogue', join(__dirname, '../data/instance-types.json'), ...flags], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
    const read = async () => (await lines.next()).value as string;
    const oracle = new OracleProcess((text) => process.stdin.write(text), read, () => process.stdin.end());
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
   * One question at a time.
   *
   * @throws OracleError if it has no answer
   */
  public async ask<Reply extends { readonly error?: string }>(question: object): Promise<Reply> {
    this.write(`${JSON.stringify(question)}\n`);
    const line = await this.read();
    if (line === undefined) throw new Error('the oracle has ended');
    const reply = JSON.parse(line) as Reply;
    if (reply.error !== undefined) throw new OracleError(reply.error);
    return reply;
  }
}
