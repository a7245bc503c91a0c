import { createHash } from 'crypto';
import { Finding } from '../verdict';

/** Goes up when what it is made of is another: readers then take every finding for a new one. */
const FINGERPRINT = 'karpenterConstructs/v1';
/** The one that GitHub knows a result by. Where a log has none, its upload action makes one of the words on the line. */
const OF_LINE = 'primaryLocationLineHash';

/**
 * By what a finding is known when lines have moved and figures have changed: its rule, the object, and the field. To GitHub's action several of one
 * rule on one line would be one alert, so all but the first of them bring a fingerprint of their own; it warns of each that does, so no others.
 */
export function fingerprintsOf(findings: readonly Finding[]): Array<Record<string, string>> {
  const [ofFields, ofLines] = [counter(), counter()];
  return findings.map(({ rule, subject: { apiVersion, kind, namespace, name }, location: { file, line, path } }) => {
    const key = JSON.stringify([rule, apiVersion.split('/')[0], kind, namespace, name, path, kind === '' ? file : '']);
    const fingerprint = createHash('sha256').update(`${key} ${ofFields(key)}`).digest('hex');
    const isFirstOnLine = ofLines(JSON.stringify([rule, file, line])) === 0;
    return { [FINGERPRINT]: fingerprint, ...isFirstOnLine ? {} : { [OF_LINE]: fingerprint } };
  });
}

/** How many of the same there were before. */
function counter(): (key: string) => number {
  const seen = new Map<string, number>();
  return (key) => {
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return before;
  };
}
