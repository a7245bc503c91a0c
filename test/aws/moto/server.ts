/** moto's server, which simulates an AWS account on this machine. It is reset before every deployment. */
import { ChildProcess, spawn } from 'child_process';
import { get } from 'http';
import { createServer } from 'net';
import { join } from 'path';
import { runTool, toolPath } from '../python-tools';

const DEPLOY = join(__dirname, 'deploy.py');
const START_TIMEOUT_SECONDS = 60;

export interface DeployRequest {
  readonly template: string;
  readonly region: string;
  readonly events: ReadonlyArray<Readonly<Record<string, unknown>>>;
}

interface Resources {
  readonly queues: readonly string[];
  readonly rules: readonly string[];
  readonly roles: readonly string[];
}

export interface Deployment {
  readonly status: string;
  readonly deployed: Resources;
  readonly queues: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Number of messages that each queue got, for each event. */
  readonly received: ReadonlyArray<Readonly<Record<string, number>>>;
  readonly leftBehind: Resources;
}

export class MotoServer {
  public static async start(): Promise<MotoServer> {
    const port = await freePort();
    const server = new MotoServer(
      spawn(toolPath('moto_server'), ['--host', '127.0.0.1', '--port', `${port}`], { stdio: 'ignore' }),
      port,
    );
    await server.waitUntilReady();
    return server;
  }

  private constructor(
    private readonly child: ChildProcess,
    private readonly port: number,
  ) {}

  public get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Creates the stack, sends the events, and deletes the stack. */
  public deploy(request: DeployRequest): Deployment {
    const { status, stdout, stderr } = runTool('python', [DEPLOY, this.endpoint], JSON.stringify(request));
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  }

  public async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill();
    await ended;
  }

  private async isReady(): Promise<boolean> {
    return new Promise((resolve) => {
      get({ host: '127.0.0.1', port: this.port, path: '/moto-api/data.json', agent: false }, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode === 200));
      }).once('error', () => resolve(false));
    });
  }

  private async waitUntilReady(): Promise<void> {
    for (let second = 0; second < START_TIMEOUT_SECONDS; second += 1) {
      if (await this.isReady()) return;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    await this.stop();
    throw new Error(`moto does not respond after ${START_TIMEOUT_SECONDS} s`);
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port')),
      );
    });
  });
}
