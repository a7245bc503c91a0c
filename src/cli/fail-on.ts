import { Option } from 'commander';
import type { Finding } from '../validation';
import { EXIT } from './io';

/** As commander hands it over. */
export interface FailOnFlags {
  readonly failOn: 'error' | 'warning' | 'never';
}

const FAILING: Readonly<Record<FailOnFlags['failOn'], ReadonlyArray<Finding['severity']>>> = {
  error: ['error'],
  warning: ['error', 'warning'],
  never: [],
};

/** @param what it looks at, as in `finding` */
export function failOnOption(what: string): Option {
  return new Option('--fail-on <severity>', `least severity of a ${what} that makes the exit code 1`).choices(Object.keys(FAILING)).default('error');
}

export function exitCodeOf(findings: readonly Finding[], { failOn }: FailOnFlags): number {
  return findings.some(({ severity }) => FAILING[failOn].includes(severity)) ? EXIT.findings : EXIT.ok;
}
