import { createHash } from 'node:crypto';
import { CommandAnswer, DisruptionAnswer } from './answer';
import { comparable } from './remarks';
import { DisruptionScenario } from './scenario/generate';

/** A scenario by its seed and number, with the oracle's answer: what the tests hold our methods against without Go. */
export interface Recording {
  readonly seed: number;
  readonly number: number;
  /** That it has in any case. @default - whatever is drawn */
  readonly feature?: string;
  /** Of all that the oracle is told: whether the generator still makes the same. */
  readonly hash: string;
  /** `instanceTypes` as one entry: how many, and a hash of their names. */
  readonly answer: DisruptionAnswer;
}

export function scenarioHash({ manifests, cluster, settings, now, nominated, later }: DisruptionScenario): string {
  return shortHash(manifests + cluster + JSON.stringify([settings, now, nominated, ...(later ? [later] : [])]));
}

/** The same answer with a hash in the place of the names of instance types, and of remarks what is compared. */
export function brief({ methods, drifts, confirmed }: DisruptionAnswer): DisruptionAnswer {
  return {
    ...(drifts ? { drifts } : {}),
    ...(confirmed ? { confirmed: Object.fromEntries(Object.entries(confirmed).map(([method, commands]) => [method, commands.map(briefly)])) } : {}),
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
    replacements: command.replacements.map((each) => ({ ...each, instanceTypes: [`${each.instanceTypes.length} ${shortHash(each.instanceTypes.join(' '))}`] })),
  };
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
