import type { ReportingDescriptor } from 'sarif';
import { prose } from '../markdown/inline';
import { Finding } from '../verdict';

export const REPOSITORY = 'https://github.com/karpenter-constructs/karpenter-constructs';
export const LEVEL = { error: 'error', warning: 'warning', info: 'note' } as const;

/** What the log says of a rule. */
export interface RuleText {
  readonly id: string;
  readonly name: string;
  readonly severity: Finding['severity'];
  readonly summary: string;
}

/** Those that something was found by, in the order of their ids. */
export function toldRules(findings: readonly Finding[], rules: readonly RuleText[]): RuleText[] {
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  const told = new Map(findings.map(({ rule: id, name, severity }) => [id, known.get(id) ?? { id, name, severity, summary: name }]));
  return [...told.values()].sort((left, right) => left.id < right.id ? -1 : 1);
}

/** GitHub requires the two descriptions and the help. What to write instead depends on the finding, whose message has it. */
export function descriptorOf({ id, name, severity, summary }: RuleText): ReportingDescriptor {
  const helpUri = `${REPOSITORY}/blob/main/docs/rules.md#${id.toLowerCase()}`;
  const remedy = 'Each finding says what to write instead.';
  return {
    id,
    name,
    shortDescription: { text: summary },
    fullDescription: { text: summary },
    help: { text: `${summary} ${remedy} ${helpUri}`, markdown: `${prose(summary)} ${remedy} [${id} ${name}](${helpUri})` },
    helpUri,
    defaultConfiguration: { level: LEVEL[severity] },
  };
}
