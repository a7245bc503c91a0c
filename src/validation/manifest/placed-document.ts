import { DocumentProblem } from './document-problem';
import { FieldPath } from './model';
import { Places, PlacesCache } from './places-cache';

/** One document of a file: its plain value, and where each field of it is written. */
export interface SourceDocument extends Places {
  readonly value: unknown;
}

export interface ReadDocuments {
  readonly documents: readonly SourceDocument[];
  readonly problems: readonly DocumentProblem[];
}

const PLACES = new PlacesCache();

/** Has its places for a while; where they are wanted later, the one document is read again. */
export class PlacedDocument implements SourceDocument {
  /**
   * @param start - where the offsets of the places start
   * @param characters - length of its text
   * @param read - finds its places
   */
  public constructor(
    public readonly value: unknown,
    private readonly start: number,
    private readonly characters: number,
    private readonly read: () => Places,
  ) {}

  /** Has these places for now. */
  public with(places: Places): this {
    PLACES.add(this, this.characters, places);
    return this;
  }

  public offsetOf(path: FieldPath): number {
    const places = PLACES.get(this) ?? PLACES.add(this, this.characters, this.read());
    return this.start + places.offsetOf(path);
  }
}
