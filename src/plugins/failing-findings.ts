import { FailOn } from './karpenter-verdict-props';
import { Finding } from '../validation';

const FAILING: Readonly<Record<FailOn, ReadonlyArray<Finding['severity']>>> = {
  [FailOn.ERROR]: ['error'],
  [FailOn.WARNING]: ['error', 'warning'],
  [FailOn.NEVER]: [],
};

/** The findings that fail the synth. */
export function failingFindings(findings: readonly Finding[], failOn: FailOn = FailOn.ERROR): Finding[] {
  return findings.filter(({ severity }) => FAILING[failOn].includes(severity));
}
