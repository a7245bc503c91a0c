import { RULES } from '../../../src/validation/rules';
import { CONSIDERED_RULES } from '../../../tools/docs/considered-rules';

const ids = new Set(RULES.map(({ id }) => id));

describe('the rules that were considered', () => {
  test('are 151, each once', () => {
    expect(CONSIDERED_RULES).toHaveLength(151);
    expect(new Set(CONSIDERED_RULES.map(({ id }) => id)).size).toBe(151);
  });

  test('are rules, covered by rules, or not worth it for a reason', () => {
    const outcomes = CONSIDERED_RULES.map(({ id, coveredBy, notWorthIt }) => [
      id,
      [ids.has(id), coveredBy !== undefined, notWorthIt !== undefined].filter(Boolean).length,
    ]);
    expect(outcomes.filter(([, count]) => count !== 1)).toEqual([]);
  });

  test('are covered by rules that exist', () => {
    expect(CONSIDERED_RULES.flatMap(({ coveredBy = [] }) => coveredBy).filter((id) => !ids.has(id))).toEqual([]);
  });

  test.each([
    'KARP-305',
    'KARP-307',
    'KARP-312',
    'KARP-612',
    'KARP-703',
    'KARP-706',
    'KARP-707',
    'KARP-709',
    'KARP-710',
  ])('strike %s', (struck) => {
    expect(CONSIDERED_RULES.find(({ id }) => id === struck)?.notWorthIt).toBeDefined();
  });
});
