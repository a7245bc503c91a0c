import { IConstruct } from 'constructs';
import { countText } from '../model';
import { _findingLines } from '../plugins';
import { Finding, READING_RULES, ruleNotEvaluatedSentences, RULES } from '../validation';
import { failAssertion, requireEvaluated, unknownName } from './assertion-errors';
import { EvaluatedInput } from './evaluated-input';

interface RuleName {
  readonly id: string;
  readonly name: string;
}

const RULE_NAMES: readonly RuleName[] = [
  ...RULES,
  ...Object.values(READING_RULES).map(({ rule, name }) => ({ id: rule, name })),
];

export function noErrors(input: EvaluatedInput, exceptRules: readonly string[], root: IConstruct | undefined): void {
  const claim = 'expected no rule to find an error';
  const { verdict } = input;
  const excluded = exceptRules.map((rule) => ruleNamed(rule).id);
  failOn(
    verdict.findings.filter(({ rule, severity }) => severity === 'error' && !excluded.includes(rule)),
    claim,
    root,
  );
  const rules = RULES.filter(({ id, severity }) => severity === 'error' && !excluded.includes(id));
  requireEvaluated(claim, [
    ...rules.flatMap(({ id }) => ruleNotEvaluatedSentences(verdict, id)),
    ...input.notEvaluatedObjects,
  ]);
}

export function noFindingOf(input: EvaluatedInput, idOrName: string, root: IConstruct | undefined): void {
  const rule = ruleNamed(idOrName);
  const claim = `expected no finding of ${rule.id} ${rule.name}`;
  const { verdict } = input;
  failOn(
    verdict.findings.filter((finding) => finding.rule === rule.id),
    claim,
    root,
  );
  requireEvaluated(claim, [
    ...input.unreadableInput,
    ...ruleNotEvaluatedSentences(verdict, rule.id),
    ...input.notEvaluatedObjects,
  ]);
}

function ruleNamed(idOrName: string): RuleName {
  return (
    RULE_NAMES.find(({ id, name }) => idOrName === id || idOrName === name) ??
    unknownName(
      'rule',
      'rule',
      idOrName,
      RULE_NAMES.flatMap(({ id, name }) => [id, name]),
    )
  );
}

function failOn(findings: readonly Finding[], claim: string, root: IConstruct | undefined): void {
  if (findings.length > 0)
    failAssertion(`${claim}, got ${countText(findings.length, 'finding')}`, _findingLines(findings, root).join('\n'));
}
