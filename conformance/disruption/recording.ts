import { createHash } from 'node:crypto';
import { CommandAnswer, DisruptionAnswer } from './answer';
import { comparable } from './remarks';
import { DisruptionScenario } from '../../test/support/disruption-scenario/generate';

/** A scenario by its seed and number, with the oracle's answer, for tests without Go. */
export interface Recording {
  readonly seed: number;
  readonly number: number;
  /** A feature that the scenario always has. @default - drawn at random */
  readonly feature?: string;
  /** Hash of the oracle's whole input; shows whether the generator still makes the same scenario. */
  readonly hash: string;
  /** The oracle's answer; `instanceTypes` has one entry with the number of types and a hash of their names. */
  readonly answer: DisruptionAnswer;
}

export function scenarioHash({ manifests, cluster, settings, now, nominated, later }: DisruptionScenario): string {
  return shortHash(manifests + cluster + JSON.stringify([settings, now, nominated, ...(later ? [later] : [])]));
}

/** The answer with a hash of the instance type names, and with only the compared remarks. */
export function brief({ methods, drifts, confirmed }: DisruptionAnswer): DisruptionAnswer {
  return {
    ...(drifts ? { drifts } : {}),
    ...(confirmed
      ? {
          confirmed: Object.fromEntries(
            Object.entries(confirmed).map(([method, commands]) => [method, commands.map(briefly)]),
          ),
        }
      : {}),
    methods: methods.map(({ method, budgets, commands, said, error }) => ({
      method,
      budgets,
      commands: commands.map(briefly),
      said: [...new Map(comparable(said).map((remark) => [JSON.stringify(remark), remark])).values()],
      ...(error === undefined ? {} : { error }),
    })),
  };
}

function briefly(command: CommandAnswer): CommandAnswer {
  return {
    ...command,
    replacements: command.replacements.map((replacement) => ({
      ...replacement,
      instanceTypes: [`${replacement.instanceTypes.length} ${shortHash(replacement.instanceTypes.join(' '))}`],
    })),
  };
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
