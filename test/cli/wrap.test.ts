import { run } from './run';
import { wrapText } from '../../src/model';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const GOOD = [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n');
const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

describe('wrapText', () => {
  test.each([
    ['no short lines', 'a b\n\n  c\n', 'a b\n\n  c\n'],
    ['no line of exactly the width', `  ${'a'.repeat(38)}`, `  ${'a'.repeat(38)}`],
    ['a long line', `  ${'word '.repeat(9)}end`, `  ${'word '.repeat(6)}word\n    word word end`],
    ['a word that is longer than a line', `- ${'a'.repeat(60)} b`, `-\n  ${'a'.repeat(60)}\n  b`],
    [
      'columns',
      `${' '.repeat(4)}12  ${'word '.repeat(8)}end`,
      `${' '.repeat(4)}12  ${'word '.repeat(5)}word\n      word word end`,
    ],
    [
      'colored text without counting the colors',
      `\u001b[31m${'word '.repeat(7)}word\u001b[39m`,
      `\u001b[31m${'word '.repeat(7)}word\u001b[39m`,
    ],
  ])('wraps %s', (_, text, wrapped) => {
    expect(wrapText(text, 40)).toBe(wrapped);
  });

  test('does not wrap in a very narrow terminal', () => {
    expect(wrapText('word '.repeat(20), 39)).toBe('word '.repeat(20));
  });
});

test('prints the same words in lines of the terminal width', async () => {
  for (const args of [
    ['check', '-', '--verbose', '--scenario', 'drift'],
    ['explain', '-', '--pod', 'web'],
  ]) {
    const [whole, narrow] = [await run(args, GOOD), await run(args, GOOD, { columns: 80 })];
    expect(widest(whole.out)).toBeGreaterThan(80);
    expect(widest(narrow.out)).toBeLessThanOrEqual(80);
    // Bars become shorter.
    const wordsOf = (text: string) => text.split(/\s+/).filter((word) => !/^[█▏▎▍▌▋▊▉░]+$/.test(word));
    expect(wordsOf(narrow.out)).toEqual(wordsOf(whole.out));
  }
});

test('never wraps JSON', async () => {
  expect((await run(['check', '-', '--format', 'json'], GOOD, { columns: 80 })).out).toBe(
    (await run(['check', '-', '--format', 'json'], GOOD)).out,
  );
});
