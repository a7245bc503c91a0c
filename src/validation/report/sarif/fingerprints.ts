import { createHash } from 'crypto';
import { Finding } from '../../vocabulary/verdict';

/** The version changes if the fingerprint is computed differently. Then readers treat every finding as new. */
const FINGERPRINT = 'karpenterConstructs/v1';
/**
 * The fingerprint that GitHub uses. If a log has none, GitHub's upload action computes one from the text of the line.
 */
const GITHUB_FINGERPRINT = 'primaryLocationLineHash';

/**
 * Identifies findings even if lines move and numbers change: by rule, object and field.
 *
 * GitHub's upload action computes fingerprints per line, so several findings of one rule on one line would become one
 * alert. All but the first of them get the GitHub fingerprint here. The first gets none, because the action warns about
 * each result that brings its own.
 */
export function fingerprintsOf(findings: readonly Finding[]): Array<Record<string, string>> {
  const [countField, countLine] = [counter(), counter()];
  return findings.map(({ rule, subject: { apiVersion, kind, namespace, name }, location: { file, line, path } }) => {
    const key = JSON.stringify([rule, apiVersion.split('/')[0], kind, namespace, name, path, kind === '' ? file : '']);
    const fingerprint = createHash('sha256')
      .update(`${key} ${countField(key)}`)
      .digest('hex');
    const isFirstOnLine = countLine(JSON.stringify([rule, file, line])) === 0;
    return { [FINGERPRINT]: fingerprint, ...(isFirstOnLine ? {} : { [GITHUB_FINGERPRINT]: fingerprint }) };
  });
}

/** Counts how often a key was seen before. */
function counter(): (key: string) => number {
  const seen = new Map<string, number>();
  return (key) => {
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return before;
  };
}
