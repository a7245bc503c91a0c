import { RULES } from '../../../src/validation/rules';

describe('RULES', () => {
  test('have unique ids, in ascending order', () => {
    const ids = RULES.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  test.each(RULES.map((rule) => [rule.id, rule] as const))('%s has a kebab-case name and a summary of one sentence', (id, rule) => {
    expect(id).toMatch(/^KARP-\d{3,4}$/);
    expect(rule.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(rule.summary).toMatch(/^[A-Z][^.]*(\d\.\d[^.]*)*\.$/);
  });
});
