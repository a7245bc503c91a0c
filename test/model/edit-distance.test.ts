import fc from 'fast-check';
import { editDistance, nearestName } from '../../src/model/edit-distance';

test('counts swapped neighbours as one edit', () => {
  expect([editDistance('roel', 'role'), editDistance('rol', 'roles'), editDistance('', 'ab')]).toEqual([1, 2, 2]);
});

test('returns the candidate with the smallest distance among all that are near enough', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 10 });
  fc.assert(
    fc.property(name, fc.uniqueArray(name, { maxLength: 20 }), (word, candidates) => {
      const distances = candidates.map((candidate) => editDistance(word, candidate)).filter((distance) => distance > 0);
      const smallest = Math.min(...distances);
      const nearest = nearestName(word, candidates);
      expect(nearest === undefined ? undefined : editDistance(word, nearest)).toBe(
        smallest <= Math.min(2, Math.floor(word.length / 3)) ? smallest : undefined,
      );
    }),
  );
});

test('returns the only candidate with the same letters in other case and with other marks', () => {
  expect(nearestName('ON_DEMAND', ['on-demand', 'reserved', 'spot'])).toBe('on-demand');
  expect(nearestName('M5XLarge', ['m5.large', 'm5.xlarge', 'm5a.xlarge'])).toBe('m5.xlarge');
  expect(nearestName('A_B', ['a-b', 'a.b'])).toBeUndefined();
});
