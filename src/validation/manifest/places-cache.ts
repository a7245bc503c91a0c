import { FieldPath } from './model';

/** Where the fields of a document are written. */
export interface Places {
  /** Offset of a field, or of its nearest existing ancestor. */
  offsetOf(path: FieldPath): number;
}

/** Text whose places are kept: what they are found in is some fifty times its text. */
const MOST_CHARACTERS = 2 ** 18;

/** The latest, as many as small inputs have: places are wanted for findings only, and few documents have any. */
export class PlacesCache {
  private readonly kept = new Map<object, { readonly places: Places; readonly characters: number }>();
  private characters = 0;

  public add(document: object, characters: number, places: Places): Places {
    this.kept.set(document, { places, characters });
    this.characters += characters;
    for (const [oldest, { characters: length }] of this.kept) {
      if (this.characters <= MOST_CHARACTERS || oldest === document) break;
      this.kept.delete(oldest);
      this.characters -= length;
    }
    return places;
  }

  public get(document: object): Places | undefined {
    return this.kept.get(document)?.places;
  }
}
