import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Answer } from './answer';
import { mapOrderModfile } from './map-order';
import { build } from '../go';
import { Scenario } from './scenario/generate';

/** Modules and the versions of them that ran. */
export type Versions = Readonly<Record<string, string>>;

/** Columns by resource: cpu in thousandths, all else in whole units. */
export interface Amounts {
  readonly names: readonly string[];
  readonly capacity: Readonly<Record<string, readonly number[]>>;
  readonly allocatable: Readonly<Record<string, readonly number[]>>;
}

interface Reply {
  readonly answers?: readonly Answer[];
  readonly amounts?: Amounts;
  readonly error?: string;
  /** Of each timed round. */
  readonly milliseconds?: readonly number[];
}

/** It has no answer to the question, and takes the next. */
export class OracleError extends Error {}

type Question = Pick<Scenario, 'manifests' | 'cluster' | 'settings'>;

/** In Go a list without items is none. */
function whole({ nodeClaims, nodes, unschedulable }: Answer): Answer {
  const claims = (nodeClaims ?? []).map((claim) => ({ ...claim, pods: claim.pods ?? [], instanceTypes: claim.instanceTypes ?? [] }));
  return { nodeClaims: claims, nodes: nodes ?? [], unschedulable: unschedulable ?? [] };
}

/** Built once a process. */
const programs: { karpenter?: string; inMapOrder?: string } = {};

/** Karpenter's own scheduler in a process of its own. */
export class Oracle {
  public static async start(): Promise<Oracle> {
    programs.karpenter ??= build({ command: 'schedule', program: 'schedule' });
    return Oracle.run(programs.karpenter);
  }

  /** The same, but for maps walked in the order of their keys: what it leaves to chance otherwise, it then decides as we do. */
  public static async startInMapOrder(): Promise<Oracle> {
    programs.inMapOrder ??= build({ command: 'schedule', program: 'schedule-map-order', modfile: mapOrderModfile() });
    return Oracle.run(programs.inMapOrder, '-in-order');
  }

  private static async run(program: string, ...flags: string[]): Promise<Oracle> {
    const process = spawn(program, ['-catalogue', join(__dirname, '../../data/instance-types.json'), ...flags], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
    const oracle = new Oracle((text) => process.stdin.write(text), async () => (await lines.next()).value as string, () => process.stdin.end());
    oracle.versions = JSON.parse(await oracle.read()) as Versions;
    return oracle;
  }

  public versions: Versions = {};

  private constructor(
    private readonly write: (text: string) => void,
    private readonly read: () => Promise<string>,
    public readonly stop: () => void,
  ) {}

  /** Its distinct answers over so many runs: more than one where it leaves something to chance. */
  public async solve({ manifests, cluster, settings }: Question, runs: number): Promise<readonly Answer[]> {
    const { answers } = await this.ask({ manifests, cluster, settings, runs });
    return answers!.map(whole);
  }

  /** How long its solve takes, round by round, with what it came to in the first. */
  public async time(
    scenario: { readonly manifests: string; readonly settings: object }, rounds: number,
  ): Promise<{ answer: Answer; milliseconds: readonly number[] }> {
    const { answers, milliseconds } = await this.ask({ ...scenario, rounds });
    return { answer: whole(answers![0]), milliseconds: milliseconds! };
  }

  /** What the AWS provider makes of the instance types for one node class. */
  public async resolve({ manifests, settings }: Pick<Scenario, 'manifests' | 'settings'>): Promise<Amounts> {
    return (await this.ask({ manifests, settings, resolve: true })).amounts!;
  }

  private async ask(question: object): Promise<Reply> {
    this.write(`${JSON.stringify(question)}\n`);
    const line = await this.read();
    if (line === undefined) throw new Error('the oracle has ended');
    const reply = JSON.parse(line) as Reply;
    if (reply.error !== undefined) throw new OracleError(reply.error);
    return reply;
  }
}
