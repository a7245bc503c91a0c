import type { Log, Notification, Result } from 'sarif';
import { fingerprintsOf } from './fingerprints';
import { placeOf, ROOT } from './places';
import { descriptorOf, LEVEL, REPOSITORY, RuleText, toldRules } from './rules';
import { summarisePods } from '../pod-names';
import { alikePods } from '../pods-text';
import { plural } from '../section';
import { withoutControlCharacters } from '../text';
import { Finding, Verdict } from '../verdict';

export type { RuleText } from './rules';

/** GitHub refuses a run with more; of these it shows the 5,000 gravest. */
const MOST_RESULTS = 25_000;
const GRAVITY = { error: 0, warning: 1, info: 2 } as const;

export interface SarifOptions {
  /** Of this package. */
  readonly version: string;
  /** The folder that paths in the log are relative to, as an absolute path: for code scanning that of the repository. */
  readonly root: string;
  readonly rules: readonly RuleText[];
  /** Whether some input could not be read, so that the verdict is not on all of it. @default false */
  readonly isPartial?: boolean;
}

/**
 * The findings as a SARIF log, for code scanning and editors: the same verdict gives the same bytes. Where pods land, and what it costs, has no
 * place there.
 *
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 * @see https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
 */
export function renderSarif(rawVerdict: Verdict, { version, root, rules, isPartial = false }: SarifOptions): string {
  const verdict = withoutControlCharacters(rawVerdict);
  const findings = gravest(verdict.findings);
  const told = toldRules(findings, rules);
  const places = new Map(told.map(({ id }, at) => [id, at]));
  const fingerprints = fingerprintsOf(findings);
  const log: Log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [{
      tool: { driver: { name: 'karpenter-constructs', semanticVersion: version, informationUri: REPOSITORY, rules: told.map(descriptorOf) } },
      invocations: [{
        executionSuccessful: !isPartial,
        toolExecutionNotifications: notificationsOf(verdict, verdict.findings.length - findings.length),
      }],
      originalUriBaseIds: { [ROOT]: { description: { text: 'The folder that the command was run in.' } } },
      columnKind: 'utf16CodeUnits',
      results: findings.map((finding, at): Result => ({
        ruleId: finding.rule,
        ruleIndex: places.get(finding.rule)!,
        level: LEVEL[finding.severity],
        message: { text: textOf(finding) },
        locations: [placeOf(finding, root)],
        partialFingerprints: fingerprints[at],
      })),
    }],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

/** Where there are too many, errors come before warnings, and these before notes; what is left stays in its order. */
function gravest(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= MOST_RESULTS) return findings;
  const kept = new Set([...findings].sort((left, right) => GRAVITY[left.severity] - GRAVITY[right.severity]).slice(0, MOST_RESULTS));
  return findings.filter((finding) => kept.has(finding));
}

/** What happens, and under it what to write instead. */
function textOf({ subject: { kind, namespace, name }, message, remedy }: Finding): string {
  const object = kind === '' ? '' : `${kind} ${namespace === '' ? name : `${namespace}/${name}`}: `;
  return withoutLinks(`${object}${message}\nInstead: ${remedy}`);
}

/** In plain text, too, readers take `[a](b)` for a link. */
function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}

/**
 * What was not judged is no result, but a notification, so that no finding does not read as nothing wrong: results of the kinds `open` and
 * `notApplicable` are of a rule, which a pod that nothing was asked of has not, and GitHub, which knows no kinds, would call each of them an alert.
 */
function notificationsOf({ notEvaluated, assumptions }: Verdict, leftOut: number): Notification[] {
  return [
    ...leftOut > 0 ? [{ level: 'warning' as const, message: { text: `${plural(leftOut, 'finding')} more: --format json lists them all` } }] : [],
    ...alikePods(notEvaluated, ({ what }) => what).map(([pods, what]) => ({ level: 'warning' as const, message: { text: notEvaluatedText(pods, what) } })),
    ...assumptions.map((text) => ({ level: 'note' as const, message: { text: withoutLinks(text) } })),
  ];
}

function notEvaluatedText(pods: readonly string[], what: readonly string[]): string {
  const subject = pods.length === 1 ? `pod ${pods[0]} is` : `${plural(pods.length, 'pod')} (${summarisePods(pods)}) are`;
  return withoutLinks(`${subject} not evaluated: ${what.join(', ')}`);
}
