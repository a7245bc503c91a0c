import { NoNodePool } from './no-node-pool';
import { AcknowledgementWithoutEffect, DuplicateObject, PodsNotEvaluated, UnreadableInput } from './reader-rules';
import { Rule } from '../rule';

/** In the order of their ids. */
export const INPUT_RULES: readonly Rule[] = [
  new UnreadableInput(),
  new DuplicateObject(),
  new NoNodePool(),
  new PodsNotEvaluated(),
  new AcknowledgementWithoutEffect(),
];
