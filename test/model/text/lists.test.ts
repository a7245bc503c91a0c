import { changeText, listText, moreText, shortListText, stepsText } from '../../../src/model';

describe('listText', () => {
  test.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
  ])('of %j is "%s"', (names, text) => expect(listText(names)).toBe(text));

  test('joins alternatives with or', () => {
    expect(listText(['a', 'b', 'c'], 'or')).toBe('a, b or c');
  });
});

describe('shortListText', () => {
  test('lists all names if none is left out', () => {
    expect(shortListText(['a', 'b', 'c'], 3)).toBe('a, b and c');
  });

  test('counts the names left out, with their noun if there is one', () => {
    expect(shortListText(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
    expect(shortListText(['a', 'b', 'c'], 2, 'pod')).toBe('a, b and 1 more pod');
  });
});

test('moreText counts what a list leaves out, with its noun if there is one', () => {
  expect([moreText(1200), moreText(1, 'pod'), moreText(2, 'pod')]).toEqual(['1,200 more', '1 more pod', '2 more pods']);
});

test('stepsText puts arrows between steps', () => {
  expect(stepsText('a', 'b', 'c')).toBe('a → b → c');
});

test('changeText has an arrow only if something changes', () => {
  expect(changeText('2', '3')).toBe('2 → 3');
  expect(changeText('2', '2')).toBe('2');
});
