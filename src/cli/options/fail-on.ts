import { Option } from 'commander';
import type { Finding } from '../../validation';
import { EXIT } from '../io';
import { choiceOption } from './choice-option';

/** The option as commander parses it. */
export interface FailOnFlags {
  readonly failOn: 'error' | 'warning' | 'unevaluated' | 'never';
}

const FAILING: Readonly<Record<FailOnFlags['failOn'], ReadonlyArray<Finding['severity']>>> = {
  error: ['error'],
  warning: ['error', 'warning'],
  unevaluated: ['error'],
  never: [],
};

/**
 * @param what kind of finding counts, such as `new finding`
 * @param more choices besides severities
 */
export function failOnOption(what: string, more: 'unevaluated' | '' = ''): Option {
  const choices = Object.keys(FAILING).filter((choice) => choice !== 'unevaluated' || choice === more);
  const text = `exit with 1 if there is a ${what} of this severity or higher${more === '' ? '' : '; unevaluated: if there is an error, or a pod that is not evaluated'}`;
  return choiceOption(more === '' ? '--fail-on <severity>' : '--fail-on <what>', text, choices).default('error');
}

/** @param notEvaluated number of pods that are not evaluated */
export function exitCodeOf(findings: readonly Finding[], { failOn }: FailOnFlags, notEvaluated: number = 0): number {
  if (failOn === 'unevaluated' && notEvaluated > 0) return EXIT.findings;
  return findings.some(({ severity }) => FAILING[failOn].includes(severity)) ? EXIT.findings : EXIT.ok;
}
