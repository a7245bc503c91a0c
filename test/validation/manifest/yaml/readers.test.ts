import { agreement } from './agreement';
import { mutant } from './mutant';
import { TEXTS } from './texts';
import { Dice } from '../../../support/schedule-scenario/dice';

const MUTANTS = 4000;

describe('readWithEvents and readWithTrees', () => {
  test.each(TEXTS.map((text) => [text.split('\n', 1)[0], text]))(
    'agree on the text that begins with "%s"',
    (_, text) => {
      expect(['same', 'left']).toContain(agreement(text));
    },
  );

  test('agree on mutated texts', () => {
    const dice = new Dice(2026);
    const disagreements = new Map<string, string>();
    let same = 0;
    for (let count = 0; count < MUTANTS; count += 1) {
      const text = mutant(dice);
      const result = agreement(text);
      if (result === 'same') same += 1;
      else if (result !== 'left') disagreements.set(result, text);
    }
    expect([...disagreements]).toEqual([]);
    // Ensures that the readers were compared.
    expect(same).toBeGreaterThan(MUTANTS / 4);
  });
});

describe('readWithEvents leaves to readWithTrees', () => {
  test.each([
    ['tags', 'a: !!str 1\n'],
    ['anchors', 'a: &x 1\n'],
    ['aliases', 'a: &x 1\nb: *x\n'],
    ['merge keys', 'a: { <<: { b: 1 } }\n'],
    ['keys that are not scalars', '{ a: b }: c\n'],
    ['empty keys', ': a\n'],
    ['empty items', 'a:\n-\n- b\n'],
    ['scalar documents', 'a\n'],
    ['tabs', 'a:\t1\n'],
    ['lone carriage returns', 'a: 1\rb: 2\n'],
    ['texts with errors', 'a: [1\n'],
    ['an indented document marker, which js-yaml accepts', ' --- a\n'],
    ['text after the end marker of a document', 'a: 1\n... b\n'],
    ['an escaped line break before an empty line', 'a: "b \\\n\n  c"\n'],
    ['block scalars with a stated indentation', 'a: |1\n  b\n'],
    ['text after a quoted list item', 'a:\n- "b"c: d\n- e\n'],
    ['deeply nested values', '['.repeat(300) + ']'.repeat(300)],
  ])('%s', (_, text) => {
    expect(agreement(text)).toBe('left');
  });
});

test('readWithEvents reads all sample manifests', () => {
  const manifests = TEXTS.filter((text) => text.includes('apiVersion'));
  expect(manifests.filter((text) => agreement(text) !== 'same')).toEqual([]);
});
