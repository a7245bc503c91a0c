import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case } from './corpus';
import type { OracleVerdict, Refusal, RefusalClass } from './oracle';

/** One reason for a refusal, short: which class, where, and for a rule of CEL its message. */
export interface RecordedRefusal {
  readonly class: RefusalClass;
  readonly field: string;
  readonly detail: string;
}

/** What the oracle said to a case; an empty list for an accepted object. */
export type RecordedVerdict = readonly RecordedRefusal[];

/** The file with what the oracle said to the corpus, which `npx tsx conformance/crd/record.ts` writes. */
export interface RecordFile {
  /** Of the objects of each release, newest first: verdicts on other objects than those recorded are worth nothing. */
  readonly digests: Readonly<Record<string, string>>;
  /** By case, from a release on and down to the next one that is named; null: the release has no such case. */
  readonly verdicts: Readonly<Record<string, Readonly<Record<string, readonly string[] | null>>>>;
}

export const RECORD = join(__dirname, '../../test/conformance/crd-verdicts.json');
/** What the API server says beside errors because of which it has not looked at rules. */
const RULES_LEFT_OUT = 'some validation rules were not checked';
const MOST_REFUSALS = 4;
const LONGEST_DETAIL = 160;

export function digestOf(cases: readonly Case[]): string {
  const hash = createHash('sha256');
  for (const { name, object } of cases) hash.update(`${name}\n${JSON.stringify(object)}\n`);
  return hash.digest('hex').slice(0, 16);
}

export function readRecord(): RecordFile {
  return JSON.parse(readFileSync(RECORD, 'utf8')) as RecordFile;
}

/** As a line of the file: `cel spec: <message>`. */
export function refusalLines({ errors }: OracleVerdict): string[] {
  const lines = errors.filter(({ detail }) => !detail.startsWith(RULES_LEFT_OUT)).map((error) => `${error.class} ${error.field}: ${shortDetail(error)}`);
  return [...new Set(lines)].slice(0, MOST_REFUSALS);
}

/** Of Karpenter's own texts the beginning: some list what they know in whatever order. */
function shortDetail({ class: refusal, type, detail }: Refusal): string {
  if (refusal === 'schema') return type;
  const text = refusal === 'runtime' ? detail.split(/[:([]/)[0].trim() : detail;
  return text.length > LONGEST_DETAIL ? text.slice(0, LONGEST_DETAIL) : text;
}

/** The recorded verdict on a case; undefined if there is none. */
export function recordedVerdict({ digests, verdicts }: RecordFile, name: string, release: string): RecordedVerdict | undefined {
  const releases = Object.keys(digests);
  const since = releases.slice(0, releases.indexOf(release) + 1).reverse().find((candidate) => verdicts[name]?.[candidate] !== undefined);
  const lines = since === undefined ? undefined : verdicts[name][since];
  return lines?.map((line) => {
    const [, refusal, field, detail] = /^(\w+) (.*?): ([^]*)$/.exec(line)!;
    return { class: refusal as RefusalClass, field, detail };
  });
}
