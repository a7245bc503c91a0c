import type { ReportingDescriptor } from 'sarif';
import { Finding } from '../../vocabulary/verdict';
import { prose } from '../markdown/inline';
import { rulePageUrl } from '../rule-page';

export const LEVEL = { error: 'error', warning: 'warning', info: 'note' } as const;

/** The texts of a rule in the log. */
export interface RuleText {
  readonly id: string;
  readonly name: string;
  readonly severity: Finding['severity'];
  readonly summary: string;
}

/** The rules of the findings, in the order of their IDs. */
export function rulesOf(findings: readonly Finding[], rules: readonly RuleText[]): RuleText[] {
  const rulesById = new Map(rules.map((rule) => [rule.id, rule]));
  const used = new Map(
    findings.map(({ rule: id, name, severity }) => [id, rulesById.get(id) ?? { id, name, severity, summary: name }]),
  );
  return [...used.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}

/**
 * GitHub requires both descriptions and the help. The remedy depends on the finding, so it is in the message of each
 * result.
 */
export function descriptorOf({ id, name, severity, summary }: RuleText): ReportingDescriptor {
  const helpUri = rulePageUrl(id);
  const remedy = 'Each finding says what to write instead.';
  return {
    id,
    name,
    shortDescription: { text: summary },
    fullDescription: { text: summary },
    help: {
      text: `${summary} ${remedy} ${helpUri}`,
      markdown: `${prose(summary)} ${remedy} [${id} ${name}](${helpUri})`,
    },
    helpUri,
    defaultConfiguration: { level: LEVEL[severity] },
  };
}
