import { Event, EVENT_ID } from 'js-yaml';
import { keyText, scalarStart } from './event-values';
import { FieldPath } from './model';
import { Places } from './places-cache';

/** Where a value is written, and what is in it. */
interface Written {
  readonly offset: number;
  readonly items?: readonly Written[];
  /** By key; the offset is that of the key. */
  readonly fields?: ReadonlyMap<string, { readonly offset: number; readonly value: Written }>;
}

/** The places in a document without aliases. */
export class EventPlaces implements Places {
  private root?: Written;
  private at: number;

  /** @param event - the root's */
  public constructor(private readonly text: string, private readonly events: readonly Event[], event: number) {
    this.at = event;
  }

  public offsetOf(path: FieldPath): number {
    // That of the root is asked of most documents, and of most of them no other.
    if (!this.root && path.length === 0) return this.startOf(this.events[this.at]);
    let place = (this.root ??= this.written());
    let { offset } = place;
    for (const step of path) {
      const item = typeof step === 'number' ? place.items?.[step] : undefined;
      const found = item ? { offset: item.offset, value: item } : place.fields?.get(String(step));
      if (!found) break;
      offset = found.offset;
      place = found.value;
    }
    return offset;
  }

  private written(): Written {
    const event = this.events[this.at];
    const offset = this.startOf(event);
    this.at += 1;
    switch (event.type) {
      case EVENT_ID.SEQUENCE: return { offset, items: this.items() };
      case EVENT_ID.MAPPING: return { offset, fields: this.fields() };
      default: return { offset };
    }
  }

  private startOf(event: Event): number {
    switch (event.type) {
      case EVENT_ID.SCALAR: return Math.max(0, scalarStart(this.text, event));
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING: return event.start;
      default: throw new Error(`no value begins with an event of type ${event.type}`);
    }
  }

  private items(): Written[] {
    const items: Written[] = [];
    while (this.events[this.at].type !== EVENT_ID.POP) items.push(this.written());
    this.at += 1;
    return items;
  }

  private fields(): NonNullable<Written['fields']> {
    const fields = new Map<string, { offset: number; value: Written }>();
    for (let event = this.events[this.at]; event.type === EVENT_ID.SCALAR; event = this.events[this.at]) {
      this.at += 1;
      fields.set(keyText(this.text, event), { offset: scalarStart(this.text, event), value: this.written() });
    }
    this.at += 1;
    return fields;
  }
}
