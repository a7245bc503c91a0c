import type { KubernetesObject } from './corpus';
import type { OracleVerdict, RefusalClass } from './oracle';
import { judgeObject, Violation } from '../../src/contract';

/** In the order in which they are come to. */
export const REFUSAL_CLASSES: readonly RefusalClass[] = ['schema', 'cel', 'runtime'];

/** What we say to an object, as far as the oracle speaks of it. */
export interface OurVerdict {
  readonly accepted: boolean;
  readonly refusals: readonly Violation[];
  /** Why there is no verdict. */
  readonly crash?: string;
}

/** Of our findings those that say that the API server or Karpenter refuses; a kind that a release does not serve is refused. */
export function ourVerdict(object: KubernetesObject, release: string): OurVerdict {
  try {
    const violations = judgeObject(object, { version: release });
    const refusals = (violations ?? []).filter(({ consequence }) => consequence === 'rejected' || consequence === 'not-ready');
    return { accepted: violations !== undefined && refusals.length === 0, refusals };
  } catch (error) {
    return { accepted: false, refusals: [], crash: String(error) };
  }
}

/** Who is the first to refuse. */
export function firstClass({ accepted, errors }: OracleVerdict): RefusalClass | 'accepted' {
  return accepted ? 'accepted' : REFUSAL_CLASSES.find((refusal) => errors.some((error) => error.class === refusal))!;
}

export function ourFirstClass({ accepted, refusals }: OurVerdict): RefusalClass | 'accepted' {
  return accepted ? 'accepted' : REFUSAL_CLASSES.find((refusal) => refusals.some((violation) => classOf(violation) === refusal)) ?? 'schema';
}

function classOf({ rule }: Violation): RefusalClass {
  return rule === 'cel' || rule === 'runtime' ? rule : 'schema';
}
