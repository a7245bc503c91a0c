/** Records the oracle's verdicts on the corpus, for tests without Go: `npx tsx conformance/crd/record.ts`. */
import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ObjectOracle } from './oracle';
import { digestOf, RECORD, RecordFile, refusalLines } from './recorded';
import { corpus } from '../../test/support/api-objects/corpus';
import { RELEASES } from '../versions/releases';

type Lines = readonly string[] | null;

const newestFirst = [...RELEASES].reverse();
const digests: Record<string, string> = {};
const byCase = new Map<string, Map<string, Lines>>();
for (const release of newestFirst) {
  const cases = corpus(release.provider);
  const verdicts = ObjectOracle.of(release).judge(cases.map(({ object }) => object));
  digests[release.provider] = digestOf(cases);
  cases.forEach(({ name }, i) =>
    byCase.set(name, (byCase.get(name) ?? new Map<string, Lines>()).set(release.provider, refusalLines(verdicts[i]))),
  );
}

/** Only verdicts that differ from those of the next newer release. */
function changes(verdicts: ReadonlyMap<string, Lines>): Record<string, Lines> {
  const all = newestFirst.map(({ provider }) => [provider, verdicts.get(provider) ?? null] as const);
  return Object.fromEntries(
    all.filter(([, lines], i) => (i === 0 ? lines !== null : !isDeepStrictEqual(lines, all[i - 1][1]))),
  );
}

const verdicts: RecordFile['verdicts'] = Object.fromEntries(
  [...byCase].map(([name, recorded]) => [name, changes(recorded)]),
);
const lines = Object.entries(verdicts).map(
  ([name, recorded]) => `  ${JSON.stringify(name)}: ${JSON.stringify(recorded)}`,
);
writeFileSync(RECORD, `{\n "digests": ${JSON.stringify(digests)},\n "verdicts": {\n${lines.join(',\n')}\n }\n}\n`);
console.log(`${RECORD}: ${byCase.size} cases, ${newestFirst.length} releases`);
