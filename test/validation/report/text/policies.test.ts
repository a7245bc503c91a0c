import { PolicyComparison, PolicyDay, renderPoliciesText } from '../../../../src/validation';

const table = (rows: ReadonlyArray<readonly string[]>) => rows.map((row) => `${row.join(' ')}\n`).join('');
const dayWith = (figures: Partial<PolicyDay['day']>) =>
  ({
    nodeHours: 100,
    cost: 100,
    evictions: 0,
    launches: 1,
    pendingPodMinutes: 0,
    pendingAtEnd: 0,
    workloads: [],
    ...figures,
  }) as unknown as PolicyDay['day'];
const comparisonOf = (policies: readonly PolicyDay[], currency: string | null = 'USD'): PolicyComparison => ({
  schemaVersion: '1',
  start: '2026-01-05T00:00:00.000Z',
  seconds: 86_400,
  policies,
  currency,
  assumptions: [],
  notEvaluated: [],
  problems: [],
});
const written: PolicyDay = {
  policy: 'WhenEmptyOrUnderutilized',
  consolidateAfter: 0,
  isWritten: true,
  day: dayWith({ cost: 100, evictions: 8_086 }),
};
const other = (figures: Partial<PolicyDay['day']>): PolicyDay => ({
  policy: 'WhenEmptyOrUnderutilized',
  consolidateAfter: 300,
  isWritten: false,
  day: dayWith(figures),
});
const textOf = (...given: Parameters<typeof comparisonOf>) => renderPoliciesText(comparisonOf(...given), table, table);

describe('the choice of a policy as text', () => {
  test('says that a policy with fewer evictions costs more', () => {
    expect(textOf([written, other({ cost: 100.9, evictions: 1_000 })])).toContain(
      '$100.90/day, $0.90/day more than as written. With it, 1,000 pods are evicted instead of 8,086;',
    );
  });

  test('says what a cheaper policy saves', () => {
    expect(textOf([written, other({ cost: 60, evictions: 1_000 })])).toContain('$40.00/day less than as written.');
  });

  test('compares node-hours if prices are unknown', () => {
    expect(textOf([written, other({ nodeHours: 100.5, evictions: 1_000 })], null)).toContain(
      '0.5 node-hours more than as written.',
    );
  });
});
