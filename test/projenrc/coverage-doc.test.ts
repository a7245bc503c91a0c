import { readFileSync } from 'fs';
import { join } from 'path';
import { coverage, coverageDocument } from '../../projenrc/coverage-doc';
import { NEWEST_KARPENTER_VERSION } from '../../src/contract';
import { kindsOf } from '../../src/contract/schema';

const kinds = coverage();

test('docs/coverage.md is what `tsx projenrc/coverage-doc.ts` writes', () => {
  expect(readFileSync(join(__dirname, '../../docs/coverage.md'), 'utf8')).toBe(coverageDocument(kinds));
});

test.each(kinds.map((each) => [each.kind.kind, each] as const))('every field of %s has a property that writes it', (_, { rows, unknown }) => {
  expect(rows.filter(({ cases }) => cases.length === 0).map(({ field }) => field)).toEqual([]);
  expect(unknown).toEqual([]);
});

test('every kind of the CRDs has a construct, except NodeClaim, which Karpenter creates', () => {
  const ofCrds = kindsOf(NEWEST_KARPENTER_VERSION).map(({ kind }) => kind);
  expect([...kinds.map(({ kind }) => kind.kind), 'NodeClaim'].sort()).toEqual([...ofCrds].sort());
});
