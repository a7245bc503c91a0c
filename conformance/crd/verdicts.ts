import type { OracleVerdict, RefusalClass } from './oracle';
import { validateObject, Violation } from '../../src/contract';
import type { KubernetesObject } from '../../test/support/api-objects/corpus';

/** In the order in which the API server and Karpenter apply them. */
export const REFUSAL_CLASSES: readonly RefusalClass[] = ['schema', 'cel', 'runtime'];

/** Our verdict on an object, limited to what the oracle validates. */
export interface OurVerdict {
  readonly accepted: boolean;
  readonly refusals: readonly Violation[];
  /** The error, if our validation failed. */
  readonly crash?: string;
}

/**
 * Our verdict, with the violations that make the API server or Karpenter reject the object. A kind that the release
 * does not serve is rejected, too.
 */
export function ourVerdict(object: KubernetesObject, release: string): OurVerdict {
  try {
    const violations = validateObject(object, { version: release });
    const refusals = (violations ?? []).filter(
      ({ consequence }) => consequence === 'rejected' || consequence === 'not-ready',
    );
    return { accepted: violations !== undefined && refusals.length === 0, refusals };
  } catch (error) {
    return { accepted: false, refusals: [], crash: String(error) };
  }
}

/** The first class of rules that rejects the object. */
export function firstClass({ accepted, errors }: OracleVerdict): RefusalClass | 'accepted' {
  return accepted ? 'accepted' : REFUSAL_CLASSES.find((refusal) => errors.some((error) => error.class === refusal))!;
}

export function ourFirstClass({ accepted, refusals }: OurVerdict): RefusalClass | 'accepted' {
  return accepted
    ? 'accepted'
    : (REFUSAL_CLASSES.find((refusal) => refusals.some((violation) => classOf(violation) === refusal)) ?? 'schema');
}

function classOf({ rule }: Violation): RefusalClass {
  return rule === 'cel' || rule === 'runtime' ? rule : 'schema';
}

/** Objects on which our verdict differs from the oracle's on purpose, with the reason. */
export interface IntendedDifference {
  readonly name: string;
  readonly reason: string;
  applies(object: KubernetesObject, release: string): boolean;
}

export const INTENDED_DIFFERENCES: readonly IntendedDifference[] = [];
