import { fillerOf, fillInRemedy } from './placeholder';
import { countText, listText, shortListText } from '../../../model';
import { Finding } from '../../vocabulary/verdict';
import { SourceLocation } from '../object';

export const FILLED_IN_LATER = { rule: 'KARP-009', name: 'values-filled-in-later' } as const;

/** A note names at most this many values, each with at most so many characters. */
const MOST_VALUES = 4;
const MOST_CHARACTERS = 40;

/** Collects the placeholders that make values unknown, for one note a file. */
export class PlaceholderNotes {
  private readonly files = new Map<
    string,
    { readonly first: SourceLocation; readonly values: Set<string>; readonly filledInBy: Set<string> }
  >();

  /** A value without a placeholder is ignored. */
  public add(location: SourceLocation, value: unknown): void {
    const filledInBy = typeof value === 'string' ? fillerOf(value, location.file) : undefined;
    if (filledInBy === undefined) return;
    const known = this.files.get(location.file);
    const notes = known ?? { first: location, values: new Set<string>(), filledInBy: new Set<string>() };
    notes.values.add(shown(value as string));
    notes.filledInBy.add(filledInBy);
    if (!known) this.files.set(location.file, notes);
  }

  public findings(): Finding[] {
    return [...this.files.values()].map(({ first, values, filledInBy }) => {
      const [only, ...others] = filledInBy;
      const which = shortListText([...values], MOST_VALUES);
      return {
        ...FILLED_IN_LATER,
        severity: 'info',
        subject: { apiVersion: '', kind: '', namespace: '', name: '' },
        location: { ...first, path: '' },
        message: `${countText(values.size, 'value')} in the file ${values.size === 1 ? 'is' : 'are'} known only to ${listText([...filledInBy])}: ${which}; the rest of the file is judged`,
        remedy: others.length === 0 ? fillInRemedy(only) : 'fill them in first, and pass the result',
        evidence: { values: [...values], filledInBy: [...filledInBy] },
      };
    });
  }
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line;
}
