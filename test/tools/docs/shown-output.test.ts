import { matchesOutput } from '../../../tools/docs/shown-output';

describe('the comparison of what a page shows with an output', () => {
  test.each<[string, string, boolean]>([
    ['a\nb\n', 'a\nb\n', true],
    ['a\nb', 'a  \nb\n\n', true],
    ['…\nb', 'a\nb\n', true],
    ['a\n…\nc\n', 'a\nb\nb\nc\n', true],
    ['a\n…\n', 'a\nb\n', true],
    ['in …/a.json\n', 'in some/a.json\n', true],
    ['a … c', 'a b c', true],
    ['a … c', 'a b\nc', false],
    ['a\nc\n', 'a\nb\nc\n', false],
    ['b', 'a\nb', false],
    ['a', 'a\nb', false],
    ['a', 'aa', false],
    ['c\n…\na', 'a\nb\nc', false],
  ])('%j with %j: %s', (shown, printed, matches) => {
    expect(matchesOutput(shown, printed)).toBe(matches);
  });
});
