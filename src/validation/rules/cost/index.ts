import { noLimits } from './no-limits';
import { Rule } from '../rule';

/** In the order of their ids. */
export const COST_RULES: readonly Rule[] = [noLimits];
