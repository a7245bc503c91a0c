import { memoizeByIdentity } from '../../src/model';

describe('memoizeByIdentity', () => {
  test('computes the value once for each object, even if the value is false', () => {
    const compute = jest.fn((pods: readonly string[]) => pods.includes('web'));
    const hasWeb = memoizeByIdentity(compute);
    const [withoutWeb, withWeb]: string[][] = [[], ['web']];
    expect([withoutWeb, withWeb, withoutWeb, withWeb].map(hasWeb)).toEqual([false, true, false, true]);
    expect(compute).toHaveBeenCalledTimes(2);
  });

  test('computes the value again for another object with equal contents', () => {
    const compute = jest.fn(() => 1);
    const memoized = memoizeByIdentity(compute);
    memoized([]);
    memoized([]);
    expect(compute).toHaveBeenCalledTimes(2);
  });
});
