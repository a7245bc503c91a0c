import { FieldPath } from '../model';

/** A mistake in a document, with its offset in the text that was read. */
export interface DocumentProblem {
  readonly kind: 'unreadable' | 'duplicate-key';
  readonly offset: number;
  readonly message: string;
  readonly remedy: string;
  /** The key that is written twice; only for `duplicate-key`. */
  readonly key?: string;
  /** Whether a key is written again with the same value, so that nothing is lost. @default false */
  readonly isHarmless?: boolean;
  /** Whether the text is a template that has to be rendered, and no mistake. @default false */
  readonly isTemplate?: boolean;
}

/** Finds the offsets at which the fields of a document are written. */
export interface FieldPositions {
  /** Offset of a field. A field that is not written has the offset of its nearest existing ancestor. */
  offsetOf(path: FieldPath): number;
}

/** One document of a file: its plain value and the offsets of its fields in the file. */
export interface SourceDocument extends FieldPositions {
  readonly value: unknown;
  /** First offset in the file, and the offset after the last one. */
  readonly range: readonly [number, number];
  /** Whether the text is YAML only with its placeholders masked, so that it cannot be edited. @default false */
  readonly isMasked?: boolean;
}

export interface ReadDocuments {
  readonly documents: readonly SourceDocument[];
  readonly problems: readonly DocumentProblem[];
}

/**
 * Total text length of the documents in a cache. The positions of a document take about fifty times the memory of its
 * text.
 */
const MAX_CHARACTERS = 2 ** 18;

/**
 * Keeps the positions of the documents that were used last.
 *
 * Positions are only needed for findings, and few documents have any. Small inputs fit as a whole. Each reading of an
 * input has one cache, which lives as long as the documents.
 */
export class PositionCache {
  private readonly entries = new Map<
    SourceDocument,
    { readonly positions: FieldPositions; readonly characters: number }
  >();
  private characters = 0;

  /** Adds an entry, and drops the oldest ones until the rest fits. */
  public add(document: SourceDocument, characters: number, positions: FieldPositions): FieldPositions {
    this.entries.set(document, { positions, characters });
    this.characters += characters;
    for (const [oldest, { characters: length }] of this.entries) {
      if (this.characters <= MAX_CHARACTERS || oldest === document) break;
      this.entries.delete(oldest);
      this.characters -= length;
    }
    return positions;
  }

  public get(document: SourceDocument): FieldPositions | undefined {
    return this.entries.get(document)?.positions;
  }
}

/** A document whose positions are cached; if they have been dropped, the text of the document is parsed again. */
export class PositionedDocument implements SourceDocument {
  /**
   * @param start - offset in the file that the positions are relative to
   * @param range - the document in the file
   * @param positions - the positions that reading the value has found
   * @param parsePositions - parses the text again
   */
  public constructor(
    public readonly value: unknown,
    private readonly start: number,
    public readonly range: readonly [number, number],
    private readonly cache: PositionCache,
    positions: FieldPositions,
    private readonly parsePositions: () => FieldPositions,
  ) {
    cache.add(this, this.characters, positions);
  }

  private get characters(): number {
    return this.range[1] - this.range[0];
  }

  public offsetOf(path: FieldPath): number {
    const positions = this.cache.get(this) ?? this.cache.add(this, this.characters, this.parsePositions());
    return this.start + positions.offsetOf(path);
  }
}
