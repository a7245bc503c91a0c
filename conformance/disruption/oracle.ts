import { CommandAnswer, DisruptionAnswer, MethodAnswer } from './answer';
import { DisruptionScenario } from '../../test/support/disruption-scenario/generate';
import { build } from '../go';
import { mapOrderModfile } from '../map-order';
import { OracleProcess, Versions } from '../oracle-process';

interface Reply {
  readonly answers?: readonly DisruptionAnswer[];
  readonly error?: string;
  /** Milliseconds of each timed round. */
  readonly milliseconds?: readonly number[];
  readonly simulations?: readonly TimedSimulations[];
}

/** Simulations of a node's removal while pods of other nodes are being rescheduled. */
export interface SimulationsRequest {
  /** Minimum number of pods being rescheduled, for each measurement; the numbers must not decrease. */
  readonly pods: readonly number[];
  /** Whether an identical node is launched for each removed one. */
  readonly replaced: boolean;
  readonly candidates: number;
  /** Rounds for each candidate; the fastest counts. */
  readonly rounds: number;
}

/** Averages over the candidates. */
export interface TimedSimulations {
  /** Pods that each simulation schedules in addition to those of its candidate. */
  readonly pods: number;
  /** New NodeClaims. */
  readonly claims: number;
  readonly milliseconds: number;
}

type Request = Omit<DisruptionScenario, 'name' | 'features'>;

/** Paths of the built programs; each is built once per process. */
const programs: { karpenter?: string; inMapOrder?: string } = {};

/** The methods of Karpenter's own disruption controller in a separate process. */
export class DisruptionOracle {
  public static async start(): Promise<DisruptionOracle> {
    programs.karpenter ??= build({ command: 'disruption', program: 'disruption' });
    return new DisruptionOracle(await OracleProcess.run(programs.karpenter));
  }

  /** The build that walks maps in the order of their keys, as our code does, and leaves nothing to chance. */
  public static async startInMapOrder(): Promise<DisruptionOracle> {
    programs.inMapOrder ??= build({
      command: 'disruption',
      program: 'disruption-map-order',
      modfile: mapOrderModfile(),
    });
    return new DisruptionOracle(await OracleProcess.run(programs.inMapOrder, '-in-order'));
  }

  private constructor(private readonly process: OracleProcess) {}

  public get versions(): Versions {
    return this.process.versions;
  }

  public stop(): void {
    this.process.stop();
  }

  public async decide(scenario: Request): Promise<DisruptionAnswer> {
    const { answers } = await this.process.request<Reply>(requestOf(scenario));
    return whole(answers![0]);
  }

  /** Measures the methods, round by round, and returns the first answer. */
  public async time(
    scenario: Request,
    rounds: number,
    methods: readonly string[],
  ): Promise<{ answer: DisruptionAnswer; milliseconds: readonly number[] }> {
    const { answers, milliseconds } = await this.process.request<Reply>({ ...requestOf(scenario), rounds, methods });
    return { answer: whole(answers![0]), milliseconds: milliseconds! };
  }

  public async timeSimulations(scenario: Request, asked: SimulationsRequest): Promise<readonly TimedSimulations[]> {
    return (await this.process.request<Reply>({ ...requestOf(scenario), simulations: asked })).simulations!;
  }
}

function requestOf({ manifests, cluster, settings, now, nominated, later }: Request): object {
  const again = later && { ...later, now: new Date(later.now).toISOString() };
  return { manifests, cluster, settings, now: new Date(now).toISOString(), nominated, later: again };
}

/** Replaces null by an empty list: Go writes an empty list as null. */
function whole({ methods, drifts, confirmed }: DisruptionAnswer): DisruptionAnswer {
  const stay =
    confirmed &&
    Object.fromEntries(Object.entries(confirmed).map(([method, commands]) => [method, commands.map(wholeCommand)]));
  return { methods: methods.map(wholeMethod), drifts: drifts ?? {}, ...(stay ? { confirmed: stay } : {}) };
}

function wholeMethod(method: MethodAnswer): MethodAnswer {
  return {
    ...method,
    said: method.said ?? [],
    commands: (method.commands ?? []).map(wholeCommand),
  };
}

function wholeCommand(command: CommandAnswer): CommandAnswer {
  const replacements = command.replacements ?? [];
  return {
    ...command,
    replacements: replacements.map((replacement) => ({
      ...replacement,
      instanceTypes: replacement.instanceTypes ?? [],
    })),
  };
}
