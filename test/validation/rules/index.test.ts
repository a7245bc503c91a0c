import { RULES } from '../../../src/validation/rules';

const numberOf = (id: string) => Number(id.slice('KARP-'.length));

describe('RULES', () => {
  test('have unique ids, in ascending order', () => {
    const ids = RULES.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((left, right) => numberOf(left) - numberOf(right)));
  });

  test.each(RULES.map((rule) => [rule.id, rule] as const))(
    '%s has a kebab-case name and a summary of one sentence',
    (id, rule) => {
      expect(id).toMatch(/^KARP-\d{3,4}$/);
      expect(rule.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(rule.summary).toMatch(/^[A-Z][^.]*(\d\.\d[^.]*)*\.$/);
    },
  );
});
