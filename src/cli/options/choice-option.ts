import { Option } from 'commander';
import { listText, nearestName } from '../../model';
import { UsageError } from '../io';

/** An option whose value is one of few words. An unknown word is rejected with the nearest one. */
export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  const [name] = /--[a-z-]+/.exec(flags)!;
  return new Option(flags, description).choices([...choices]).argParser((value: string) => {
    if (choices.includes(value)) return value;
    throw new UsageError(`${name}: unknown value ${quoted(value)}; ${suggestion(value, choices)}`);
  });
}

/** `did you mean "drift"?`, or all names if none is similar. */
export function suggestion(value: string, names: readonly string[]): string {
  const similar = similarName(value, names);
  if (similar !== undefined) return `did you mean ${quoted(similar)}?`;
  return `write ${listText(names, 'or')}`;
}

/**
 * A name that differs in case, is one or two letters away, has two letters swapped, or is the only one that the value
 * abbreviates.
 */
function similarName(value: string, names: readonly string[]): string | undefined {
  const abbreviated = value.length < 3 ? [] : names.filter((name) => name.startsWith(value));
  return (
    names.find((name) => name.toLowerCase() === value.toLowerCase()) ??
    nearestName(value, names) ??
    names.find((name) => haveSwappedLetters(value, name)) ??
    (abbreviated.length === 1 ? abbreviated[0] : undefined)
  );
}

function haveSwappedLetters(left: string, right: string): boolean {
  const index = [...left].findIndex((letter, position) => letter !== right[position]);
  return index >= 0 && left.slice(0, index) + (left[index + 1] ?? '') + left[index] + left.slice(index + 2) === right;
}

/** A value of the user in an error message. Control characters are escaped. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}
