import type { Log, Notification, Result, Suppression } from 'sarif';
import { fingerprintsOf } from './fingerprints';
import { sarifFix } from './fixes';
import { locationOf, relatedLocationsOf, ROOT } from './locations';
import { descriptorOf, LEVEL, rulesOf, RuleText } from './rules';
import { countText, jsonText } from '../../../model';
import { messageWithObject } from '../../vocabulary/subject';
import { AcknowledgedFinding, Finding, Fix, Verdict } from '../../vocabulary/verdict';
import { summarisePods } from '../pod-names';
import { REPOSITORY } from '../rule-page';
import { groupByReason } from '../text/pods';
import { omittedText, withoutControlCharacters } from '../wording';

export type { RuleText } from './rules';

/** GitHub rejects a run with more results. It shows the 5,000 most severe. */
const MAX_RESULTS = 25_000;
const SEVERITY_ORDER = { error: 0, warning: 1, info: 2 } as const;

/** The parts of a verdict that a log has a place for. */
export type SarifVerdict = Pick<Verdict, 'findings' | 'acknowledged' | 'notEvaluated' | 'assumptions'>;

export interface SarifOptions {
  /** Version of this package. */
  readonly version: string;
  /** The absolute path of the folder that paths in the log are relative to. For code scanning, it is the repository. */
  readonly root: string;
  readonly rules: readonly RuleText[];
  /** Whether some input could not be read, so that the verdict is partial. @default false */
  readonly isPartial?: boolean;
}

/**
 * The findings as a SARIF log, for code scanning and editors. The same verdict gives the same bytes.
 * A SARIF log has no place for nodes and prices.
 *
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 * @see https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
 */
export function renderSarif(
  rawVerdict: SarifVerdict,
  { version, root, rules, isPartial = false }: SarifOptions,
): string {
  const verdict = withoutControlCharacters(rawVerdict);
  const rawFindings = [...rawVerdict.findings, ...(rawVerdict.acknowledged ?? [])];
  const all = [...verdict.findings, ...(verdict.acknowledged ?? [])].map(
    (finding: Finding | AcknowledgedFinding, index) => withNewText(finding, rawFindings[index].fix),
  );
  const findings = mostSevere(all);
  const usedRules = rulesOf(findings, rules);
  const ruleIndices = new Map(usedRules.map(({ id }, index) => [id, index]));
  const fingerprints = fingerprintsOf(findings);
  const log: Log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'karpenter-constructs',
            semanticVersion: version,
            informationUri: REPOSITORY,
            rules: usedRules.map(descriptorOf),
          },
        },
        invocations: [
          {
            executionSuccessful: !isPartial,
            toolExecutionNotifications: notificationsOf(verdict, all.length - findings.length),
          },
        ],
        originalUriBaseIds: { [ROOT]: { description: { text: 'The folder that the command was run in.' } } },
        columnKind: 'utf16CodeUnits',
        results: findings.map(
          (finding, index): Result => ({
            ruleId: finding.rule,
            ruleIndex: ruleIndices.get(finding.rule)!,
            level: LEVEL[finding.severity],
            message: { text: textOf(finding) },
            locations: [locationOf(finding, root)],
            ...relatedLocationsOf(finding, root),
            partialFingerprints: fingerprints[index],
            ...(finding.fix ? { fixes: [sarifFix(finding.fix, root)] } : {}),
            ...('acknowledgement' in finding ? { suppressions: [suppressionOf(finding)] } : {}),
          }),
        ),
      },
    ],
  };
  return jsonText(log);
}

/** The text of edits has line ends, which other texts of a log must not have. */
function withNewText<Found extends Finding>(finding: Found, rawFix: Fix | undefined): Found {
  return finding.fix && rawFix ? { ...finding, fix: { ...finding.fix, edits: rawFix.edits } } : finding;
}

/** Of too many findings, errors are kept before warnings, and warnings before notes. The order stays. */
function mostSevere<Found extends Finding>(findings: readonly Found[]): readonly Found[] {
  if (findings.length <= MAX_RESULTS) return findings;
  const kept = new Set(
    [...findings]
      .sort((left, right) => SEVERITY_ORDER[left.severity] - SEVERITY_ORDER[right.severity])
      .slice(0, MAX_RESULTS),
  );
  return findings.filter((finding) => kept.has(finding));
}

/** Viewers hide suppressed results. An annotation is in the source, a file or a baseline is not. */
function suppressionOf({ acknowledgement: { by, reason, until } }: AcknowledgedFinding): Suppression {
  return {
    kind: by === 'annotation' ? 'inSource' : 'external',
    justification: `${reason}${until === undefined ? '' : `, until ${until}`}`,
  };
}

/** The message, and below it the remedy. */
function textOf(finding: Finding): string {
  return withoutLinks(`${messageWithObject(finding)}\nFix: ${finding.remedy}`);
}

/** Readers turn `[a](b)` into a link even in plain text. */
function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/**
 * Pods that are not evaluated, and assumptions, are notifications, so that a log without results does not look like a
 * clean one.
 *
 * They are no results of the kinds `open` or `notApplicable`: such a result needs a rule, which a pod that is not
 * evaluated does not have. GitHub ignores kinds, and would show each of them as an alert.
 */
function notificationsOf({ notEvaluated, assumptions }: SarifVerdict, leftOut: number): Notification[] {
  return [
    ...(leftOut > 0 ? [{ level: 'warning' as const, message: { text: omittedText(leftOut, 'finding') } }] : []),
    ...groupByReason(notEvaluated, ({ what }) => what).map(([pods, what]) => ({
      level: 'warning' as const,
      message: { text: notEvaluatedText(pods, what) },
    })),
    ...assumptions.map((text) => ({ level: 'note' as const, message: { text: withoutLinks(text) } })),
  ];
}

function notEvaluatedText(pods: readonly string[], what: readonly string[]): string {
  const subject =
    pods.length === 1 ? `pod ${pods[0]} is` : `${countText(pods.length, 'pod')} (${summarisePods(pods)}) are`;
  return withoutLinks(`${subject} not evaluated: ${what.join(', ')}`);
}
