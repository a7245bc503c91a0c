import { createHash } from 'node:crypto';
import { Answer } from './answer';
import { Scenario } from '../../test/support/schedule-scenario/generate';
import { OpenDifference } from '../recorder';

/** A scenario by its seed and number, with the oracle's answer, for tests without Go. */
export interface Recording {
  readonly seed: number;
  readonly number: number;
  /** A feature that the scenario always has. @default - drawn at random */
  readonly feature?: string;
  /** Hash of manifests and settings; shows whether the generator still makes the same scenario. */
  readonly hash: string;
  /** Why the answers differ, if they do. @default - they agree */
  readonly open?: OpenDifference;
  /** The oracle's answer; `instanceTypes` has one entry with the number of types and a hash of their names. */
  readonly answer: Answer;
}

export function scenarioHash({ manifests, cluster, settings }: Scenario): string {
  return shortHash(manifests + cluster + JSON.stringify(settings));
}

/**
 * The answer without launches, with a hash of the hundreds of instance type names of each claim, and with the
 * beginnings of errors.
 */
export function brief({ nodeClaims, nodes, unschedulable, later, unbindable, cut }: Answer): Answer {
  return {
    nodes,
    nodeClaims: nodeClaims.map((claim) => ({
      ...claim,
      launch: undefined,
      instanceTypes: [`${claim.instanceTypes.length} ${shortHash(claim.instanceTypes.join(' '))}`],
    })),
    unschedulable: unschedulable.map((refused) => ({
      ...refused,
      errors: refused.errors.map((text) => text.split(/, requirements=| \(counts =/)[0]),
    })),
    ...(later ? { later: later.map(brief) } : {}),
    ...(unbindable ? { unbindable } : {}),
    ...(cut ? { cut } : {}),
  };
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
