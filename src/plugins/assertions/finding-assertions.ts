import { Finding, READING_RULES, ruleNotEvaluatedSentences, RULES } from '../../validation';
import { ConstructPaths } from '../construct-paths';
import { findingLines } from '../synth-report';
import { JudgedInput } from './judged-input';
import { beTold, fail, plural, unknownName } from './outcome';

interface RuleName {
  readonly id: string;
  readonly name: string;
}

const KNOWN: readonly RuleName[] = [...RULES, ...Object.values(READING_RULES).map(({ rule, name }) => ({ id: rule, name }))];

export function noErrors(input: JudgedInput, except: readonly string[], paths: ConstructPaths | undefined): void {
  const claim = 'expected no rule to find an error';
  const { verdict } = input;
  const leftOut = except.map((wanted) => ruleNamed(wanted).id);
  failOn(verdict.findings.filter(({ rule, severity }) => severity === 'error' && !leftOut.includes(rule)), claim, paths);
  const rules = RULES.filter(({ id, severity }) => severity === 'error' && !leftOut.includes(id));
  beTold(claim, [...rules.flatMap(({ id }) => ruleNotEvaluatedSentences(verdict, id)), ...input.notJudged]);
}

export function noFindingOf(input: JudgedInput, wanted: string, paths: ConstructPaths | undefined): void {
  const rule = ruleNamed(wanted);
  const claim = `expected no finding of ${rule.id} ${rule.name}`;
  const { verdict } = input;
  failOn(verdict.findings.filter((finding) => finding.rule === rule.id), claim, paths);
  beTold(claim, [...input.unreadable, ...ruleNotEvaluatedSentences(verdict, rule.id), ...input.notJudged]);
}

function ruleNamed(wanted: string): RuleName {
  return KNOWN.find(({ id, name }) => wanted === id || wanted === name) ?? unknownName('rule', wanted, KNOWN.flatMap(({ id, name }) => [id, name]));
}

function failOn(findings: readonly Finding[], claim: string, paths: ConstructPaths | undefined): void {
  if (findings.length > 0) fail(`${claim}, got ${plural(findings.length, 'finding')}`, findingLines(findings, paths).join('\n'));
}
