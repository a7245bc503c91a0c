import { BITS, TEXTS } from './texts';
import { Dice } from '../../../../conformance/schedule/scenario/dice';

const MOST_CHANGES = 3;
const SMALL = 1500;
const SMALL_TEXTS = TEXTS.filter(({ length }) => length < SMALL);

/** One of the texts, changed in a few places: most of them are still YAML, and many are what nobody would write. */
export function mutant(dice: Dice): string {
  let text = dice.pick(SMALL_TEXTS);
  for (let change = dice.between(1, MOST_CHANGES); change > 0; change -= 1) text = dice.pick(CHANGES)(text, dice);
  return text;
}

type Change = (text: string, dice: Dice) => string;

const CHANGES: readonly Change[] = [
  (text, dice) => spliced(text, dice.between(0, text.length), dice.between(1, 3), ''),
  ...Array<Change>(3).fill((text, dice) => spliced(text, dice.between(0, text.length), 0, dice.pick(BITS))),
  ofLines((lines, at, dice) => lines.splice(at, 1, dice.between(0, 1) === 0 ? `${' '.repeat(dice.between(1, 3))}${lines[at]}` : lines[at].slice(dice.between(1, 3)))),
  ofLines((lines, at, dice) => lines.splice(dice.between(0, lines.length), 0, lines[at])),
  ofLines((lines, at) => lines.splice(at, 1)),
  ofLines((lines, at, dice) => {
    const others = dice.pick(TEXTS).split('\n');
    const from = dice.between(0, others.length - 1);
    lines.splice(at, 0, ...others.slice(from, from + dice.between(1, 3)));
  }),
];

function spliced(text: string, at: number, without: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at + without);
}

function ofLines(change: (lines: string[], at: number, dice: Dice) => unknown): Change {
  return (text, dice) => {
    const lines = text.split('\n');
    change(lines, dice.between(0, lines.length - 1), dice);
    return lines.join('\n');
  };
}
