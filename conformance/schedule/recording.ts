import { createHash } from 'node:crypto';
import { Answer } from './answer';
import { Scenario } from './scenario/generate';

/** A scenario by its seed and number, with the oracle's answer: what the tests hold our scheduler against without Go. */
export interface Recording {
  readonly seed: number;
  readonly number: number;
  /** That it has in any case. @default - whatever is drawn */
  readonly feature?: string;
  /** Of manifests and settings: whether the generator still makes the same. */
  readonly hash: string;
  /** `instanceTypes` as one entry: how many, and a hash of their names. */
  readonly answer: Answer;
}

export function scenarioHash({ manifests, cluster, settings }: Scenario): string {
  return shortHash(manifests + cluster + JSON.stringify(settings));
}

/** The same answer without launches, with a hash in the place of the names of instance types, which are hundreds a claim, and of errors how they begin. */
export function brief({ nodeClaims, nodes, unschedulable, later }: Answer): Answer {
  return {
    nodes,
    nodeClaims: nodeClaims.map((claim) => ({ ...claim, launch: undefined, instanceTypes: [`${claim.instanceTypes.length} ${shortHash(claim.instanceTypes.join(' '))}`] })),
    unschedulable: unschedulable.map((refused) => ({ ...refused, errors: refused.errors.map((text) => text.split(/, requirements=| \(counts =/)[0]) })),
    ...later ? { later: later.map(brief) } : {},
  };
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
