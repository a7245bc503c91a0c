import { CatalogProblem } from '../../catalog';
import { CheckOptions } from '../check-options';
import { CheckSession } from '../context/check-session';
import { READING_RULES, SourceFile } from '../manifest';
import { Finding, Verdict } from '../vocabulary/verdict';

/** Where problems of this program are reported. */
const ISSUES = 'https://github.com/karpenter-constructs/karpenter-constructs/issues';
const LONGEST_REASON = 200;

/** Manifests that are read, and the verdict on them. */
export interface CheckedSession {
  readonly session: CheckSession;
  readonly verdict: Verdict;
}

type Judge = (sources: readonly SourceFile[], options: CheckOptions) => CheckedSession;

/**
 * The result of `judge`. If it throws, this is the verdict on nothing, with a finding that asks for a report: one odd
 * file must not hide what is known about the other roots.
 *
 * @throws Error if an option has an invalid value
 */
export function guardedSession(sources: readonly SourceFile[], given: CheckOptions, judge: Judge): CheckedSession {
  try {
    return judge(sources, given);
  } catch (error) {
    if (error instanceof CatalogProblem) throw error;
    const nothing = verdictOnNothing(given, judge);
    // The options alone are enough for the error.
    if (nothing === undefined) throw error;
    given.onInternalError?.(error);
    const { summary, findings } = nothing.verdict;
    const verdict = {
      ...nothing.verdict,
      summary: { ...summary, errors: summary.errors + 1 },
      findings: [internalErrorFinding(error, sources), ...findings],
    };
    return { session: nothing.session, verdict };
  }
}

/** Whether a finding is about an error of this program. */
export function isInternalError({ rule, evidence }: Finding): boolean {
  return rule === READING_RULES.unreadable.rule && evidence.internalError !== undefined;
}

/** The sentence on an unexpected error, on one line. */
export function internalErrorText(error: unknown): string {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'no reason';
  return `internal error of karpenter-constructs: ${reason.split('\n')[0].slice(0, LONGEST_REASON)}`;
}

/** What a user can do about an unexpected error. */
export const INTERNAL_ERROR_REMEDY = `report it with the input that causes it at ${ISSUES}, and with the output of --debug`;

function verdictOnNothing(given: CheckOptions, judge: Judge): CheckedSession | undefined {
  try {
    return judge([], { ...given, cluster: undefined, acknowledge: undefined, mayBeEmpty: true });
  } catch {
    return undefined;
  }
}

/** The finding about a rule that ended with an error of this program: all others have judged the input. */
export function failedRuleFinding(error: unknown, rule: string, sources: readonly SourceFile[]): Finding {
  const finding = internalErrorFinding(error, sources);
  return { ...finding, message: `${internalErrorText(error)}; ${rule} judges nothing, and all other rules do` };
}

function internalErrorFinding(error: unknown, sources: readonly SourceFile[]): Finding {
  return {
    ...READING_RULES.unreadable,
    severity: 'error',
    subject: { apiVersion: '', kind: '', namespace: '', name: '' },
    location: { file: sources[0]?.path ?? '', line: 1, column: 1, path: '' },
    message: `${internalErrorText(error)}; nothing in the ${sources.length === 1 ? 'file' : `${sources.length} files`} is judged`,
    remedy: INTERNAL_ERROR_REMEDY,
    evidence: { internalError: error instanceof Error ? error.name : typeof error },
  };
}
