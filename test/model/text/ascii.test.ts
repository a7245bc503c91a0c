import { asciiText } from '../../../src/model';

describe('asciiText', () => {
  test('replaces the characters of reports that are not ASCII', () => {
    expect(asciiText('2 → 3, 3 × m5.large, ≥ 4, –…')).toBe('2 -> 3, 3 x m5.large, >= 4, -...');
  });

  test('keeps characters of names', () => {
    expect(asciiText('größe')).toBe('größe');
  });
});
