import { BITS, TEXTS } from './texts';
import { Dice } from '../../../support/schedule-scenario/dice';

const MAX_CHANGES = 3;
const SMALL = 1500;
const SMALL_TEXTS = TEXTS.filter(({ length }) => length < SMALL);

/** A text changed in a few places: most mutants are still YAML, and many are unusual. */
export function mutant(dice: Dice): string {
  let text = dice.pick(SMALL_TEXTS);
  for (let change = dice.between(1, MAX_CHANGES); change > 0; change -= 1) text = dice.pick(CHANGES)(text, dice);
  return text;
}

type Change = (text: string, dice: Dice) => string;

const CHANGES: readonly Change[] = [
  (text, dice) => spliced(text, dice.between(0, text.length), dice.between(1, 3), ''),
  ...Array<Change>(3).fill((text, dice) => spliced(text, dice.between(0, text.length), 0, dice.pick(BITS))),
  ofLines((lines, index, dice) =>
    lines.splice(
      index,
      1,
      dice.between(0, 1) === 0
        ? `${' '.repeat(dice.between(1, 3))}${lines[index]}`
        : lines[index].slice(dice.between(1, 3)),
    ),
  ),
  ofLines((lines, index, dice) => lines.splice(dice.between(0, lines.length), 0, lines[index])),
  ofLines((lines, index) => lines.splice(index, 1)),
  ofLines((lines, index, dice) => {
    const source = dice.pick(TEXTS).split('\n');
    const from = dice.between(0, source.length - 1);
    lines.splice(index, 0, ...source.slice(from, from + dice.between(1, 3)));
  }),
];

function spliced(text: string, index: number, removed: number, added: string): string {
  return text.slice(0, index) + added + text.slice(index + removed);
}

function ofLines(change: (lines: string[], index: number, dice: Dice) => unknown): Change {
  return (text, dice) => {
    const lines = text.split('\n');
    change(lines, dice.between(0, lines.length - 1), dice);
    return lines.join('\n');
  };
}
