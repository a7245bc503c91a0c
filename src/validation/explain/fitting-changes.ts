import { memoizeByIdentity } from '../../model';
import { smallestChanges } from '../../scheduling';
import { RuleContext } from '../rules/rule';

/** The input of the last provisioning pass, which decides whether pods fit, and its catalog. */
type LastPass = Pick<RuleContext, 'lastInput' | 'catalog'>;

/**
 * The smallest change with which unschedulable pods fit, by pod group.
 *
 * Both a rule and the verdict need it. It is memoized because each change that is tried takes a run of the solver.
 */
export const smallestFittingChanges = memoizeByIdentity(({ lastInput, catalog }: LastPass) => smallestChanges(lastInput, catalog));
