import { check, UNREADABLE_INPUT } from '../check/check';
import { CheckOptions } from '../check-options';
import { SourceFile } from '../manifest';
import { Finding, Summary, UnschedulableVerdict, Verdict } from '../vocabulary/verdict';

/** What the same manifests need in one region. */
export interface RegionResult {
  readonly region: string;
  readonly summary: Summary;
  readonly unschedulable: readonly UnschedulableVerdict[];
  /** Planned nodes that cannot be launched, by the reason. */
  readonly launchFailures: readonly string[];
  readonly assumptions: readonly string[];
  /** Findings that not all regions have. */
  readonly findings: readonly Finding[];
}

/** The result of `check --compare-regions`, JSON schema version 1. */
export interface RegionComparison {
  readonly schemaVersion: '1';
  /** In the given order. Prices of different currencies are never added up or compared. */
  readonly regions: readonly RegionResult[];
  /** Input that cannot be read; it is the same in all regions. */
  readonly problems: readonly Finding[];
}

/**
 * Checks the same manifests in each region, with that region's own zones and prices.
 *
 * @param options without zones and cluster, which belong to one region
 * @throws Error if an option has an invalid value
 */
export function compareRegions(
  sources: readonly SourceFile[],
  options: CheckOptions,
  regions: readonly string[],
): RegionComparison {
  const verdicts = regions.map((region) => check(sources, { ...options, region }));
  const keyOf = ({ rule, subject, location }: Finding) => JSON.stringify([rule, subject, location]);
  const keys = verdicts.map(({ findings }) => new Set(findings.map(keyOf)));
  return {
    schemaVersion: '1',
    regions: verdicts.map((verdict, index) => ({
      region: regions[index],
      summary: verdict.summary,
      unschedulable: verdict.unschedulable,
      launchFailures: [...new Set(verdict.nodeClaims.flatMap(({ launchFailure }) => launchFailure ?? []))].sort(),
      assumptions: verdict.assumptions,
      findings: verdict.findings.filter((finding) => !keys.every((others) => others.has(keyOf(finding)))),
    })),
    problems: unreadable(verdicts[0]),
  };
}

function unreadable({ findings }: Verdict): Finding[] {
  return findings.filter(({ rule, severity }) => rule === UNREADABLE_INPUT && severity === 'error');
}
