import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Answer } from './answer';
import { build } from '../go';

/** kustomize's Go API, in a process of its own. */
export class Kustomize {
  private readonly process = spawn(build({ command: 'kustomize', program: 'kustomize' }), {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  private readonly lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();

  public async version(): Promise<string> {
    return (await this.lines.next()).value as string;
  }

  public async build(request: object): Promise<Answer> {
    this.process.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error('the oracle process has ended');
    return JSON.parse(value as string) as Answer;
  }

  public stop(): void {
    this.process.stdin.end();
  }
}
