import { agreement } from './agreement';
import { mutant } from './mutant';
import { TEXTS } from './texts';
import { Dice } from '../../../../conformance/schedule/scenario/dice';

const MUTANTS = 4000;

describe('the reader of events and the one of trees', () => {
  test.each(TEXTS.map((text) => [text.split('\n', 1)[0], text]))('agree on what begins with "%s"', (_, text) => {
    expect(['same', 'left']).toContain(agreement(text));
  });

  test('agree on what such texts become by small changes', () => {
    const dice = new Dice(2026);
    const found = new Map<string, string>();
    let same = 0;
    for (let count = 0; count < MUTANTS; count += 1) {
      const text = mutant(dice);
      const result = agreement(text);
      if (result === 'same') same += 1;
      else if (result !== 'left') found.set(result, text);
    }
    expect([...found]).toEqual([]);
    // Else nothing has been compared.
    expect(same).toBeGreaterThan(MUTANTS / 4);
  });
});

describe('the reader of events leaves to the other one', () => {
  test.each([
    ['tags', 'a: !!str 1\n'],
    ['anchors', 'a: &x 1\n'],
    ['aliases', 'a: &x 1\nb: *x\n'],
    ['merge keys', 'a: { <<: { b: 1 } }\n'],
    ['keys that are no text', '{ a: b }: c\n'],
    ['keys without a text', ': a\n'],
    ['items without a value', 'a:\n-\n- b\n'],
    ['documents that are a text', 'a\n'],
    ['tabs', 'a:\t1\n'],
    ['lone carriage returns', 'a: 1\rb: 2\n'],
    ['what has errors', 'a: [1\n'],
    ['a marker behind spaces, which the library takes for one', ' --- a\n'],
    ['what stands behind the end of a document on its line', 'a: 1\n... b\n'],
    ['a line in quotes that goes on behind an empty one', 'a: "b \\\n\n  c"\n'],
    ['texts that say how far they are indented', 'a: |1\n  b\n'],
    ['what stands behind an item of a list on its line', 'a:\n- "b"c: d\n- e\n'],
    ['values deeper than any manifest', '['.repeat(300) + ']'.repeat(300)],
  ])('%s', (_, text) => {
    expect(agreement(text)).toBe('left');
  });
});

test('nearly all manifests are read by their events', () => {
  const manifests = TEXTS.filter((text) => text.includes('apiVersion'));
  expect(manifests.filter((text) => agreement(text) !== 'same')).toEqual([]);
});
