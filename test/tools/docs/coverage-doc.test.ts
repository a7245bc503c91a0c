import { readFileSync } from 'fs';
import { join } from 'path';
import { NEWEST_KARPENTER_VERSION } from '../../../src/contract';
import { kindsOf } from '../../../src/contract/schema';
import { coverage, coverageDocument } from '../../../tools/docs/coverage-doc';

const kinds = coverage();

test('docs/coverage.md equals the output of `tsx tools/docs/coverage-doc.ts`', () => {
  expect(readFileSync(join(__dirname, '../../../docs/coverage.md'), 'utf8')).toBe(coverageDocument(kinds));
});

test.each(kinds.map((kindCoverage) => [kindCoverage.kind.kind, kindCoverage] as const))(
  'every field of %s has a property that writes it',
  (_, { rows, unknown }) => {
    expect(rows.filter(({ cases }) => cases.length === 0).map(({ field }) => field)).toEqual([]);
    expect(unknown).toEqual([]);
  },
);

test('every kind of the CRDs has a construct, except NodeClaim, which Karpenter creates', () => {
  const crdKinds = kindsOf(NEWEST_KARPENTER_VERSION).map(({ kind }) => kind);
  expect([...kinds.map(({ kind }) => kind.kind), 'NodeClaim'].sort()).toEqual([...crdKinds].sort());
});
