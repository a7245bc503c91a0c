import { noLimits } from './no-limits';
import { volumeDearerThanNode } from './volume-dearer-than-node';
import { Rule } from '../rule';

/** In the order of their ids. */
export const COST_RULES: readonly Rule[] = [noLimits, volumeDearerThanNode];
