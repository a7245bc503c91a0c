import { joinedValues, listInsteadOf, separatedList } from '../../src/contract';

describe('joinedValues', () => {
  test.each<[string, string[]]>([
    ['a,b', ['a', 'b']],
    ['a, b ,', ['a', 'b']],
    ['["a","b"]', ['a', 'b']],
    ["['a', 'b']", ['a', 'b']],
    ['[a]', ['a']],
    ['a;a', ['a']],
    ['m5.large m5.xlarge', ['m5.large', 'm5.xlarge']],
    [' eu-west-1a\n', ['eu-west-1a']],
  ])('divides %j', (text, values) => {
    expect(joinedValues(text)).toEqual(values);
  });

  test.each(['a', '', 'team a', 'a/b,c', '-a,b', '[', ','])('returns nothing for %j', (text) => {
    expect(joinedValues(text)).toBeUndefined();
  });
});

test('a list keeps its other values, and a text becomes a list', () => {
  expect(separatedList(['values'], ['x', 'a,b', 3])?.remedy).toBe('write values: [x, a, b, 3]');
  expect(separatedList(['values'], ['x'])).toBeUndefined();
  expect(listInsteadOf(['values'], 'spot')?.fix.edits).toEqual([
    { operation: 'set', path: ['values'], value: ['spot'] },
  ]);
  expect(listInsteadOf(['values'], '')).toBeUndefined();
});
