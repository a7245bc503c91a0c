import { COLLECTION_STYLE, Event, EVENT_ID, getScalarValue, MappingEvent, SCALAR_STYLE, ScalarEvent } from 'js-yaml';
import { DocumentProblem } from './document-problem';
import { MappingValue } from './mapping-value';
import { plainKey, plainValue } from './written-scalar';

/** One document: its value, and the events from which its places can be found. */
export interface EventDocument {
  readonly value: unknown;
  /** Of its root. */
  readonly event: number;
}

/** A document that is a text; a key that is no text, `<<` or not where a key belongs, or nothing where a key or an item is expected. */
export class UncommonDocument extends Error {}

/** Turns events into plain JSON values. */
export class EventValueReader {
  public readonly problems: DocumentProblem[] = [];
  private at = 0;

  public constructor(private readonly text: string, private readonly events: readonly Event[]) {}

  /** @throws UncommonDocument for what is left to the other reader. */
  public readAll(): EventDocument[] {
    const documents: EventDocument[] = [];
    while (this.at < this.events.length) {
      // Of the document.
      this.at += 1;
      const event = this.at;
      if (isText(this.events[event])) throw new UncommonDocument();
      documents.push({ value: this.value(), event });
      this.at += 1;
    }
    return documents;
  }

  private value(): unknown {
    const event = this.events[this.at];
    this.at += 1;
    switch (event.type) {
      case EVENT_ID.SCALAR: return scalarValue(this.text, event);
      case EVENT_ID.SEQUENCE: return this.sequence();
      case EVENT_ID.MAPPING: return this.mapping(event);
      default: throw new UncommonDocument();
    }
  }

  private sequence(): unknown[] {
    const items: unknown[] = [];
    for (let event = this.events[this.at]; event.type !== EVENT_ID.POP; event = this.events[this.at]) {
      if (event.type === EVENT_ID.SCALAR && event.valueStart < 0) throw new UncommonDocument();
      items.push(this.value());
    }
    this.at += 1;
    return items;
  }

  private mapping({ start, style }: MappingEvent): unknown {
    const mapping = new MappingValue(this.problems);
    for (let event = this.events[this.at]; event.type !== EVENT_ID.POP; event = this.events[this.at]) {
      if (event.type !== EVENT_ID.SCALAR || event.valueStart < 0) throw new UncommonDocument();
      this.at += 1;
      const key = keyText(this.text, event);
      const offset = scalarStart(this.text, event);
      if (key === '<<' || style === COLLECTION_STYLE.BLOCK && offset !== start && !beginsLine(this.text, offset)) throw new UncommonDocument();
      mapping.add(key, this.value(), offset);
    }
    this.at += 1;
    return mapping.result();
  }
}

function isText(event: Event): boolean {
  return event.type === EVENT_ID.SCALAR && event.valueStart >= 0;
}

/** The library takes what stands behind a quoted item of a list for the next key of the mapping that the list is in. */
function beginsLine(text: string, offset: number): boolean {
  let before = offset - 1;
  while (text.charCodeAt(before) === SPACE) before -= 1;
  return before < 0 || text.charCodeAt(before) === LINE_FEED;
}

const SPACE = 0x20;
const LINE_FEED = 0x0a;

/** Offset of the first character: of the quote, or of the `|` or `>`. */
export function scalarStart(text: string, { style, valueStart }: ScalarEvent): number {
  if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) return valueStart - 1;
  if (style === SCALAR_STYLE.PLAIN) return valueStart;
  const before = text.slice(text.lastIndexOf('\n', valueStart - 2) + 1, valueStart);
  return valueStart - before.length + before.search(/[|>][-+\d]*(?:[ ]+#.*|[ ]*)\r?\n?$/);
}

function scalarValue(text: string, scalar: ScalarEvent): unknown {
  const written = getScalarValue(text, scalar);
  return scalar.style === SCALAR_STYLE.PLAIN ? plainValue(written) : written;
}

export function keyText(text: string, key: ScalarEvent): string {
  const written = getScalarValue(text, key);
  return key.style === SCALAR_STYLE.PLAIN ? plainKey(written) : written;
}
