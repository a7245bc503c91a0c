import { oncePer } from '../../src/model';

describe('what is found once per object', () => {
  test('is found once for each, be it false', () => {
    const find = jest.fn((pods: readonly string[]) => pods.includes('web'));
    const hasWeb = oncePer(find);
    const [none, some]: string[][] = [[], ['web']];
    expect([none, some, none, some].map(hasWeb)).toEqual([false, true, false, true]);
    expect(find).toHaveBeenCalledTimes(2);
  });

  test('is found for others that are equal, too: it may have changed', () => {
    const find = jest.fn(() => 1);
    const number = oncePer(find);
    number([]);
    number([]);
    expect(find).toHaveBeenCalledTimes(2);
  });
});
