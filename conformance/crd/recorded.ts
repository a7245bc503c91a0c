import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OracleVerdict, Refusal, RefusalClass } from './oracle';
import type { Case } from '../../test/support/api-objects/corpus';

/** One reason for a rejection: its class, its field, and for a CEL rule its message. */
export interface RecordedRefusal {
  readonly class: RefusalClass;
  readonly field: string;
  readonly detail: string;
}

/** The oracle's reasons for rejecting a case; empty if it accepts the object. */
export type RecordedVerdict = readonly RecordedRefusal[];

/** The recorded verdicts on the corpus, which `npx tsx conformance/crd/record.ts` writes. */
export interface RecordFile {
  /** Digest of the objects of each release, newest first; shows whether the corpus has changed since the recording. */
  readonly digests: Readonly<Record<string, string>>;
  /**
   * Verdicts by case and release. A verdict also holds for older releases, down to the next one that is named; null if
   * the release does not have the case.
   */
  readonly verdicts: Readonly<Record<string, Readonly<Record<string, readonly string[] | null>>>>;
}

export const RECORD = join(__dirname, '../../test/conformance/crd-verdicts.json');
/** The API server's message if errors kept it from evaluating CEL rules. */
const RULES_LEFT_OUT = 'some validation rules were not checked';
const MAX_REFUSALS = 4;
const MAX_DETAIL_LENGTH = 160;

export function digestOf(cases: readonly Case[]): string {
  const hash = createHash('sha256');
  for (const { name, object } of cases) hash.update(`${name}\n${JSON.stringify(object)}\n`);
  return hash.digest('hex').slice(0, 16);
}

export function readRecord(): RecordFile {
  return JSON.parse(readFileSync(RECORD, 'utf8')) as RecordFile;
}

/** Lines of the file: `cel spec: <message>`. */
export function refusalLines({ errors }: OracleVerdict): string[] {
  const lines = errors
    .filter(({ detail }) => !detail.startsWith(RULES_LEFT_OUT))
    .map((error) => `${error.class} ${error.field}: ${shortDetail(error)}`);
  return [...new Set(lines)].slice(0, MAX_REFUSALS);
}

/** The beginning of Karpenter's own texts, because some end with a list in random order. */
function shortDetail({ class: refusal, type, detail }: Refusal): string {
  if (refusal === 'schema') return type;
  const text = refusal === 'runtime' ? detail.split(/[:([]/)[0].trim() : detail;
  return text.length > MAX_DETAIL_LENGTH ? text.slice(0, MAX_DETAIL_LENGTH) : text;
}

/** The recorded verdict on a case; undefined if there is none. */
export function recordedVerdict(
  { digests, verdicts }: RecordFile,
  name: string,
  release: string,
): RecordedVerdict | undefined {
  const releases = Object.keys(digests);
  const since = releases
    .slice(0, releases.indexOf(release) + 1)
    .reverse()
    .find((candidate) => verdicts[name]?.[candidate] !== undefined);
  const lines = since === undefined ? undefined : verdicts[name][since];
  return lines?.map((line) => {
    const [, refusal, field, detail] = /^(\w+) (.*?): ([^]*)$/.exec(line)!;
    return { class: refusal as RefusalClass, field, detail };
  });
}
