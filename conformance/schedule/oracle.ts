import { Answer } from './answer';
import { Scenario } from '../../test/support/schedule-scenario/generate';
import { build } from '../go';
import { mapOrderModfile } from '../map-order';
import { OracleProcess, Versions } from '../oracle-process';

/** Columns by resource: CPU in millicores, all other resources in whole units. */
export interface Amounts {
  readonly names: readonly string[];
  readonly capacity: Readonly<Record<string, readonly number[]>>;
  readonly allocatable: Readonly<Record<string, readonly number[]>>;
}

interface Reply {
  readonly answers?: readonly Answer[];
  readonly amounts?: Amounts;
  readonly error?: string;
  /** Milliseconds of each timed round. */
  readonly milliseconds?: readonly number[];
}

type Request = Pick<Scenario, 'manifests'> & Partial<Pick<Scenario, 'cluster'>> & { readonly settings: object };

/** Replaces null by an empty list: Go writes an empty list as null. */
function whole({ nodeClaims, nodes, unschedulable, later, unbindable, cut }: Answer): Answer {
  const claims = (nodeClaims ?? []).map((claim) => ({
    ...claim,
    pods: claim.pods ?? [],
    instanceTypes: claim.instanceTypes ?? [],
  }));
  const own = { nodeClaims: claims, nodes: nodes ?? [], unschedulable: unschedulable ?? [] };
  return {
    ...own,
    ...(later ? { later: later.map(whole) } : {}),
    ...(unbindable ? { unbindable } : {}),
    ...(cut ? { cut } : {}),
  };
}

/** Paths of the built programs; each is built once per process. */
const programs: { karpenter?: string; inMapOrder?: string } = {};

/** Karpenter's own scheduler in a separate process. */
export class ScheduleOracle {
  public static async start(): Promise<ScheduleOracle> {
    programs.karpenter ??= build({ command: 'schedule', program: 'schedule' });
    return new ScheduleOracle(await OracleProcess.run(programs.karpenter));
  }

  /** The build that walks maps in the order of their keys, as our code does, and leaves nothing to chance. */
  public static async startInMapOrder(): Promise<ScheduleOracle> {
    programs.inMapOrder ??= build({ command: 'schedule', program: 'schedule-map-order', modfile: mapOrderModfile() });
    return new ScheduleOracle(await OracleProcess.run(programs.inMapOrder, '-in-order'));
  }

  private constructor(private readonly process: OracleProcess) {}

  public get versions(): Versions {
    return this.process.versions;
  }

  public stop(): void {
    this.process.stop();
  }

  /** The distinct answers of several runs: more than one if Karpenter leaves something to chance. */
  public async solve({ manifests, cluster, settings }: Request, runs: number): Promise<readonly Answer[]> {
    const { answers } = await this.process.request<Reply>({ manifests, cluster, settings, runs });
    return answers!.map(whole);
  }

  /** The first pass, drawn several times with random names of NodeClaims and UIDs of pods. The seeds are fixed. */
  public async draw({ manifests, cluster, settings }: Request, draws: number): Promise<readonly Answer[]> {
    const { answers } = await this.process.request<Reply>({ manifests, cluster, settings, draws });
    return answers!.map(whole);
  }

  /** Measures solve, round by round, and returns the first answer. */
  public async time(
    scenario: { readonly manifests: string; readonly settings: object },
    rounds: number,
  ): Promise<{ answer: Answer; milliseconds: readonly number[] }> {
    const { answers, milliseconds } = await this.process.request<Reply>({ ...scenario, rounds });
    return { answer: whole(answers![0]), milliseconds: milliseconds! };
  }

  /** Capacity and allocatable that the AWS provider computes for one node class. */
  public async resolve({ manifests, settings }: Pick<Scenario, 'manifests' | 'settings'>): Promise<Amounts> {
    return (await this.process.request<Reply>({ manifests, settings, resolve: true })).amounts!;
  }
}
