import { smallestChanges } from '../scheduling';
import { oncePer } from './once-per';
import { RuleContext } from './rules/rule';

/** By group of pods that were left over: the smallest change with which they fit. Tried once, however many ask. */
export const fittingChanges = oncePer(({ lastInput, catalog }: Pick<RuleContext, 'lastInput' | 'catalog'>) => smallestChanges(lastInput, catalog));
