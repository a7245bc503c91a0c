import { CommandAnswer, DisruptionAnswer, MethodAnswer } from './answer';
import { build } from '../go';
import { mapOrderModfile } from '../map-order';
import { OracleProcess, Versions } from '../oracle-process';
import { DisruptionScenario } from './scenario/generate';

interface Reply {
  readonly answers?: readonly DisruptionAnswer[];
  readonly error?: string;
  /** Of each timed round. */
  readonly milliseconds?: readonly number[];
  readonly simulations?: readonly TimedSimulations[];
}

/** Simulations that a node goes while pods of others are on their way. */
export interface SimulationsAsked {
  /** How many are to be on their way at least, time by time; not fewer than before. */
  readonly pods: readonly number[];
  /** Whether for each node that goes another is launched at once, as it is itself. */
  readonly replaced: boolean;
  readonly candidates: number;
  /** For each candidate; the fastest counts. */
  readonly rounds: number;
}

/** On average over the candidates. */
export interface TimedSimulations {
  /** Those that each simulation places beside those of its candidate. */
  readonly pods: number;
  /** New nodes. */
  readonly claims: number;
  readonly milliseconds: number;
}

type Question = Omit<DisruptionScenario, 'name' | 'features'>;

/** Built once a process. */
const programs: { karpenter?: string; inMapOrder?: string } = {};

/** The methods of Karpenter's own disruption controller in a process of their own. */
export class DisruptionOracle {
  public static async start(): Promise<DisruptionOracle> {
    programs.karpenter ??= build({ command: 'disruption', program: 'disruption' });
    return new DisruptionOracle(await OracleProcess.run(programs.karpenter));
  }

  /** The same, but for maps walked in the order of their keys: what it leaves to chance otherwise, it then decides as we do. */
  public static async startInMapOrder(): Promise<DisruptionOracle> {
    programs.inMapOrder ??= build({ command: 'disruption', program: 'disruption-map-order', modfile: mapOrderModfile() });
    return new DisruptionOracle(await OracleProcess.run(programs.inMapOrder, '-in-order'));
  }

  private constructor(private readonly process: OracleProcess) {}

  public get versions(): Versions {
    return this.process.versions;
  }

  public stop(): void {
    this.process.stop();
  }

  public async decide(scenario: Question): Promise<DisruptionAnswer> {
    const { answers } = await this.process.ask<Reply>(questionOf(scenario));
    return whole(answers![0]);
  }

  /** How long the methods take, round by round, with what they came to in the first. */
  public async time(
    scenario: Question, rounds: number, methods: readonly string[],
  ): Promise<{ answer: DisruptionAnswer; milliseconds: readonly number[] }> {
    const { answers, milliseconds } = await this.process.ask<Reply>({ ...questionOf(scenario), rounds, methods });
    return { answer: whole(answers![0]), milliseconds: milliseconds! };
  }

  public async timeSimulations(scenario: Question, asked: SimulationsAsked): Promise<readonly TimedSimulations[]> {
    return (await this.process.ask<Reply>({ ...questionOf(scenario), simulations: asked })).simulations!;
  }
}

function questionOf({ manifests, cluster, settings, now, nominated, later }: Question): object {
  const again = later && { ...later, now: new Date(later.now).toISOString() };
  return { manifests, cluster, settings, now: new Date(now).toISOString(), nominated, later: again };
}

/** In Go a list without items is none. */
function whole({ methods, drifts, confirmed }: DisruptionAnswer): DisruptionAnswer {
  const stay = confirmed && Object.fromEntries(Object.entries(confirmed).map(([method, commands]) => [method, commands.map(wholeCommand)]));
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
  return { ...command, replacements: (command.replacements ?? []).map((each) => ({ ...each, instanceTypes: each.instanceTypes ?? [] })) };
}
