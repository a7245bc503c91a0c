import { API_RULES } from './api';
import { CAPACITY_RULES } from './capacity';
import { CONTROLLER_RULES } from './controller';
import { COST_RULES } from './cost';
import { DISRUPTION_RULES } from './disruption';
import { INPUT_RULES } from './input';
import { INSTANCE_SELECTION_RULES } from './instance-selection';
import { INTERRUPTION_RULES } from './interruption';
import { PERMISSION_RULES } from './permissions';
import { Rule } from './rule';
import { STORAGE_RULES } from './storage';

export * from './chapters';
export * from './rule';

/** All rules, in the order of their ids: each folder is a chapter of docs/rules.md. */
export const RULES: readonly Rule[] = [
  ...INPUT_RULES,
  ...API_RULES,
  ...INSTANCE_SELECTION_RULES,
  ...CAPACITY_RULES,
  ...DISRUPTION_RULES,
  ...INTERRUPTION_RULES,
  ...PERMISSION_RULES,
  ...STORAGE_RULES,
  ...CONTROLLER_RULES,
  ...COST_RULES,
];
