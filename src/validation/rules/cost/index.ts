import { noLimits } from './no-limits';
import { sizesAboveNeed } from './sizes-above-need';
import { staticNodesIdle } from './static-nodes-idle';
import { volumeDearerThanNode } from './volume-dearer-than-node';
import { Rule } from '../rule';

/** In the order of their ids. */
export const COST_RULES: readonly Rule[] = [noLimits, volumeDearerThanNode, sizesAboveNeed, staticNodesIdle];
