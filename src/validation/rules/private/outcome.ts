import { ManifestObject } from '../../manifest/model';
import { Outcome, RuleFinding } from '../rule';

export function fail(finding: RuleFinding): Outcome {
  return { state: 'fail', finding };
}

export function pass(object: ManifestObject): Outcome {
  return { state: 'pass', object };
}

export function notEvaluated(object: ManifestObject, why: string): Outcome {
  return { state: 'not-evaluated', object, why };
}
