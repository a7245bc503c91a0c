import { jsonText } from '../../model';
import { fingerprintsOf } from './sarif/fingerprints';
import { artifactOf } from './sarif/locations';
import { withoutControlCharacters } from './wording';
import { messageWithObject } from '../vocabulary/subject';
import { Finding, Verdict } from '../vocabulary/verdict';

/** Code Climate's words. `blocker`, `critical` and `major` differ only in their icon on GitLab. */
const SEVERITY: Readonly<Record<Finding['severity'], string>> = { error: 'critical', warning: 'minor', info: 'info' };

/**
 * The findings as a report for GitLab's merge requests.
 *
 * @param root the absolute path of the repository: paths in the report are relative to it
 * @see https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export function renderCodeQuality(verdict: Pick<Verdict, 'findings'>, root: string): string {
  const findings = withoutControlCharacters(verdict.findings);
  const fingerprints = fingerprintsOf(findings);
  const issues = findings.map((finding, index) => ({
    description: `${messageWithObject(finding)}; ${finding.remedy}`,
    check_name: finding.rule,
    fingerprint: Object.values(fingerprints[index])[0],
    severity: SEVERITY[finding.severity],
    location: {
      path: decodeURIComponent(artifactOf(finding.location.file, root).uri!),
      lines: { begin: Math.max(1, finding.location.line) },
    },
  }));
  return jsonText(issues);
}
