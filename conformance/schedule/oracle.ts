import { Answer } from './answer';
import { build } from '../go';
import { mapOrderModfile } from '../map-order';
import { OracleProcess, Versions } from '../oracle-process';
import { Scenario } from './scenario/generate';

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

type Question = Pick<Scenario, 'manifests'> & Partial<Pick<Scenario, 'cluster'>> & { readonly settings: object };

/** In Go a list without items is none. */
function whole({ nodeClaims, nodes, unschedulable, later }: Answer): Answer {
  const claims = (nodeClaims ?? []).map((claim) => ({ ...claim, pods: claim.pods ?? [], instanceTypes: claim.instanceTypes ?? [] }));
  return { nodeClaims: claims, nodes: nodes ?? [], unschedulable: unschedulable ?? [], ...later ? { later: later.map(whole) } : {} };
}

/** Built once a process. */
const programs: { karpenter?: string; inMapOrder?: string } = {};

/** Karpenter's own scheduler in a process of its own. */
export class Oracle {
  public static async start(): Promise<Oracle> {
    programs.karpenter ??= build({ command: 'schedule', program: 'schedule' });
    return new Oracle(await OracleProcess.run(programs.karpenter));
  }

  /** The same, but for maps walked in the order of their keys: what it leaves to chance otherwise, it then decides as we do. */
  public static async startInMapOrder(): Promise<Oracle> {
    programs.inMapOrder ??= build({ command: 'schedule', program: 'schedule-map-order', modfile: mapOrderModfile() });
    return new Oracle(await OracleProcess.run(programs.inMapOrder, '-in-order'));
  }

  private constructor(private readonly process: OracleProcess) {}

  public get versions(): Versions {
    return this.process.versions;
  }

  public stop(): void {
    this.process.stop();
  }

  /** Its distinct answers over so many runs: more than one where it leaves something to chance. */
  public async solve({ manifests, cluster, settings }: Question, runs: number): Promise<readonly Answer[]> {
    const { answers } = await this.process.ask<Reply>({ manifests, cluster, settings, runs });
    return answers!.map(whole);
  }

  /** How long its solve takes, round by round, with what it came to in the first. */
  public async time(
    scenario: { readonly manifests: string; readonly settings: object }, rounds: number,
  ): Promise<{ answer: Answer; milliseconds: readonly number[] }> {
    const { answers, milliseconds } = await this.process.ask<Reply>({ ...scenario, rounds });
    return { answer: whole(answers![0]), milliseconds: milliseconds! };
  }

  /** What the AWS provider makes of the instance types for one node class. */
  public async resolve({ manifests, settings }: Pick<Scenario, 'manifests' | 'settings'>): Promise<Amounts> {
    return (await this.process.ask<Reply>({ manifests, settings, resolve: true })).amounts!;
  }
}
