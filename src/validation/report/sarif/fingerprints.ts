import { createHash } from 'crypto';
import { Finding } from '../verdict';

/** Goes up when what it is made of is another: readers then take every finding for a new one. */
const FINGERPRINT = 'karpenterConstructs/v1';

/** By what a finding is known when lines have moved and figures have changed: its rule, the object, and the field. */
export function fingerprintsOf(findings: readonly Finding[]): Array<Record<string, string>> {
  const seen = new Map<string, number>();
  return findings.map(({ rule, subject: { apiVersion, kind, namespace, name }, location: { file, path } }) => {
    const key = JSON.stringify([rule, apiVersion.split('/')[0], kind, namespace, name, path, kind === '' ? file : '']);
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    return { [FINGERPRINT]: createHash('sha256').update(`${key} ${nth}`).digest('hex') };
  });
}
