import { Option } from 'commander';
import type { Finding } from '../../validation';
import { EXIT } from '../io';
import { choiceOption } from './choice-option';

/** The option as commander parses it. */
export interface FailOnFlags {
  readonly failOn: 'error' | 'warning' | 'never';
}

const FAILING: Readonly<Record<FailOnFlags['failOn'], ReadonlyArray<Finding['severity']>>> = {
  error: ['error'],
  warning: ['error', 'warning'],
  never: [],
};

/** @param what kind of finding counts, such as `new finding` */
export function failOnOption(what: string): Option {
  return choiceOption('--fail-on <severity>', `exit with 1 if there is a ${what} of this severity or higher`, Object.keys(FAILING)).default('error');
}

export function exitCodeOf(findings: readonly Finding[], { failOn }: FailOnFlags): number {
  return findings.some(({ severity }) => FAILING[failOn].includes(severity)) ? EXIT.findings : EXIT.ok;
}
