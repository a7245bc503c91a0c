import { COLLECTION_STYLE, Event, EVENT_ID, getScalarValue, MappingEvent, SCALAR_STYLE, ScalarEvent } from 'js-yaml';
import { MappingValue } from './mapping-value';
import { plainScalarKey, plainScalarValue } from './plain-scalar';
import { DocumentProblem } from './source-document';

/** The value of one document, and the event from which its positions can be found. */
export interface EventDocument {
  readonly value: unknown;
  /** Index of the event that begins the root value. */
  readonly root: number;
}

/**
 * The document needs the syntax tree reader: it is a scalar, an item or a key is empty, or a key is not a scalar, is
 * `<<` or stands where js-yaml should not accept one.
 */
export class UncommonDocumentError extends Error {}

/** Turns parser events into plain JSON values. */
export class EventValueReader {
  public readonly problems: DocumentProblem[] = [];
  /** Index of the next event. */
  private index = 0;

  public constructor(
    private readonly text: string,
    private readonly events: readonly Event[],
  ) {}

  /** @throws UncommonDocumentError if only the syntax tree reader can read the text */
  public readAll(): EventDocument[] {
    const documents: EventDocument[] = [];
    while (this.index < this.events.length) {
      // Skips the event that begins the document.
      this.index += 1;
      const root = this.index;
      if (isNonEmptyScalar(this.events[root])) throw new UncommonDocumentError();
      documents.push({ value: this.value(), root });
      this.index += 1;
    }
    return documents;
  }

  private value(): unknown {
    const event = this.events[this.index];
    this.index += 1;
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return scalarValue(this.text, event);
      case EVENT_ID.SEQUENCE:
        return this.sequence();
      case EVENT_ID.MAPPING:
        return this.mapping(event);
      default:
        throw new UncommonDocumentError();
    }
  }

  private sequence(): unknown[] {
    const items: unknown[] = [];
    for (let event = this.events[this.index]; event.type !== EVENT_ID.POP; event = this.events[this.index]) {
      if (event.type === EVENT_ID.SCALAR && event.valueStart < 0) throw new UncommonDocumentError();
      items.push(this.value());
    }
    this.index += 1;
    return items;
  }

  private mapping({ start, style }: MappingEvent): unknown {
    const mapping = new MappingValue(this.problems);
    for (let event = this.events[this.index]; event.type !== EVENT_ID.POP; event = this.events[this.index]) {
      if (event.type !== EVENT_ID.SCALAR || event.valueStart < 0) throw new UncommonDocumentError();
      this.index += 1;
      const key = keyEventText(this.text, event);
      const offset = scalarStart(this.text, event);
      const isMisplaced = style === COLLECTION_STYLE.BLOCK && offset !== start && !beginsLine(this.text, offset);
      if (key === '<<' || isMisplaced) throw new UncommonDocumentError();
      mapping.add(key, this.value(), offset);
    }
    this.index += 1;
    return mapping.result();
  }
}

function isNonEmptyScalar(event: Event): boolean {
  return event.type === EVENT_ID.SCALAR && event.valueStart >= 0;
}

/** js-yaml takes text after a quoted list item for the next key of the mapping that contains the list. */
function beginsLine(text: string, offset: number): boolean {
  let before = offset - 1;
  while (text.charCodeAt(before) === SPACE) before -= 1;
  return before < 0 || text.charCodeAt(before) === LINE_FEED;
}

const SPACE = 0x20;
const LINE_FEED = 0x0a;

/** Offset of the first character; for quoted and block scalars that is the quote, `|` or `>`. */
export function scalarStart(text: string, { style, valueStart }: ScalarEvent): number {
  if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) return valueStart - 1;
  if (style === SCALAR_STYLE.PLAIN) return valueStart;
  const before = text.slice(text.lastIndexOf('\n', valueStart - 2) + 1, valueStart);
  return valueStart - before.length + before.search(/[|>][-+\d]*(?:[ ]+#.*|[ ]*)\r?\n?$/);
}

function scalarValue(text: string, scalar: ScalarEvent): unknown {
  const written = getScalarValue(text, scalar);
  return scalar.style === SCALAR_STYLE.PLAIN ? plainScalarValue(written) : written;
}

export function keyEventText(text: string, key: ScalarEvent): string {
  const written = getScalarValue(text, key);
  return key.style === SCALAR_STYLE.PLAIN ? plainScalarKey(written) : written;
}
