import { deployerFieldMisplaced } from './deployer-field-misplaced';
import { deploymentBlocked } from './deployment-blocked';
import { deploymentSuspended } from './deployment-suspended';
import { noNodePool } from './no-node-pool';
import { patchWithoutTarget } from './patch-without-target';
import {
  acknowledgementWithoutEffect,
  duplicateObject,
  podsNotEvaluated,
  unreadableInput,
  valuesFilledInLater,
} from './reader-rules';
import { variableEmptiedByFlux } from './variable-emptied-by-flux';
import { Rule } from '../rule';

/** In the order of their ids. */
export const INPUT_RULES: readonly Rule[] = [
  unreadableInput,
  duplicateObject,
  noNodePool,
  podsNotEvaluated,
  acknowledgementWithoutEffect,
  valuesFilledInLater,
  variableEmptiedByFlux,
  patchWithoutTarget,
  deploymentBlocked,
  deploymentSuspended,
  deployerFieldMisplaced,
];
