import { parseAllDocuments, stringify } from 'yaml';
import { Seed } from './seed';
import { oddValue, RAW } from './values';
import { Dice } from '../../support/schedule-scenario/dice';

const MAX_CHANGES = 3;
const TEXT_SHARE = 0.15;
const BLOCK_STYLE_SHARE = 0.2;
const BITS = [
  '{',
  '}',
  '[',
  ']',
  ': ',
  '- ',
  '&a ',
  '*a',
  '!!x ',
  '"',
  "'",
  '|',
  '---\n',
  '\t',
  '#',
  '<<: ',
  '\u0000',
  '\ufeff',
  '%',
  '\r\n',
];

type Container = Record<string, unknown> | unknown[];
/** A place in a document. */
interface Place {
  readonly parent: Container;
  readonly key: string | number;
}

export interface Mutant {
  readonly files: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

/** Makes the inputs of a run. Equal numbers give equal inputs. */
export class Mutants {
  private readonly documents = new Map<string, unknown[]>();

  public constructor(
    private readonly seeds: readonly Seed[],
    private readonly seed: number,
  ) {}

  public make(index: number): Mutant {
    const dice = new Dice(this.seed, index);
    const { files, commands } = dice.pick(this.seeds);
    const changed: Record<string, string> = { ...files };
    const documents = new Map<string, unknown[]>();
    for (let change = dice.between(1, MAX_CHANGES); change > 0; change--) {
      const name = dice.pick(Object.keys(files));
      if (dice.chance(TEXT_SHARE)) {
        changed[name] = changedText(changed[name], dice);
        documents.delete(name);
      } else {
        const values = documents.get(name) ?? structuredClone(this.documentsOf(files[name]));
        changeValue(values, dice, () => this.otherValue(dice));
        documents.set(name, values);
      }
    }
    for (const [name, values] of documents) changed[name] = textOfAll(values, name, dice);
    return { files: changed, command: dice.pick(commands) };
  }

  /** A value of any seed. */
  private otherValue(dice: Dice): unknown {
    const { files } = dice.pick(this.seeds);
    const { parent, key } = dice.pick(placesIn(this.documentsOf(dice.pick(Object.values(files)))));
    return structuredClone((parent as Record<string, unknown>)[key]);
  }

  private documentsOf(text: string): unknown[] {
    const known = this.documents.get(text) ?? parseAllDocuments(text).map((document): unknown => document.toJS());
    this.documents.set(text, known);
    return known;
  }
}

function changeValue(documents: unknown[], dice: Dice, otherValue: () => unknown): void {
  const places = placesIn(documents);
  if (places.length === 0) return;
  const { parent, key } = dice.pick(places);
  const record = parent as Record<string, unknown>;
  const value = record[key];
  const change = dice.between(0, 9);
  if (change < 6) record[key] = oddValue(dice);
  else if (change === 6) record[key] = otherValue();
  else if (change === 7) record[key] = dice.chance(0.5) ? [value] : { name: value };
  else if (Array.isArray(parent)) {
    if (change === 8) parent.splice(Number(key), 1);
    else parent.push(...Array<unknown>(dice.pick([1, 3, 40])).fill(value));
  } else if (change === 8) delete record[key];
  else record[dice.pick([`${key}x`, '', '__proto__x', String(oddValue(dice)).slice(0, 40)])] = value;
}

function placesIn(value: unknown, places: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return places;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    places.push({ parent: value as Container, key });
    placesIn((value as Record<string, unknown>)[key], places);
  }
  return places;
}

function textOfAll(documents: readonly unknown[], name: string, dice: Dice): string {
  const isBlock = !name.endsWith('.json') && dice.chance(BLOCK_STYLE_SHARE);
  const text = documents
    .map((document) =>
      isBlock ? stringify(document, { aliasDuplicateObjects: false }) : `${JSON.stringify(document, undefined, 1)}\n`,
    )
    .join('---\n');
  return text.replace(/"?(@[a-z-]+)"?/g, (whole, raw: string) => RAW[raw] ?? whole);
}

function changedText(text: string, dice: Dice): string {
  const at = dice.between(0, text.length);
  switch (dice.between(0, 3)) {
    case 0:
      return text.slice(0, at) + text.slice(at + dice.between(1, 40));
    case 1:
      return text.slice(0, at);
    default:
      return text.slice(0, at) + dice.pick(BITS) + text.slice(at);
  }
}
