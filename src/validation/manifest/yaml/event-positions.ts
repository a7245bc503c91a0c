import { Event, EVENT_ID } from 'js-yaml';
import { keyEventText, scalarStart } from './event-values';
import { FieldPositions } from './source-document';
import { valueText } from '../../../model';
import { FieldPath } from '../model';

/** Offset of a value and of the values inside it. */
interface ValuePosition {
  readonly offset: number;
  readonly items?: readonly ValuePosition[];
  /** By key; the offset is that of the key. */
  readonly fields?: ReadonlyMap<string, { readonly offset: number; readonly value: ValuePosition }>;
}

/** Positions in a document without aliases, built from its parser events on first use. */
export class EventPositions implements FieldPositions {
  private root?: ValuePosition;
  /** Index of the next event. */
  private index: number;

  /** @param rootIndex - index of the event that begins the root value */
  public constructor(
    private readonly text: string,
    private readonly events: readonly Event[],
    rootIndex: number,
  ) {
    this.index = rootIndex;
  }

  public offsetOf(path: FieldPath): number {
    // Most documents are asked for the offset of their root only: that needs no tree.
    if (!this.root && path.length === 0) return this.startOf(this.events[this.index]);
    let position = (this.root ??= this.valuePosition());
    let { offset } = position;
    for (const step of path) {
      const item = typeof step === 'number' ? position.items?.[step] : undefined;
      const child = item ? { offset: item.offset, value: item } : position.fields?.get(valueText(step));
      if (!child) break;
      offset = child.offset;
      position = child.value;
    }
    return offset;
  }

  private valuePosition(): ValuePosition {
    const event = this.events[this.index];
    const offset = this.startOf(event);
    this.index += 1;
    switch (event.type) {
      case EVENT_ID.SEQUENCE:
        return { offset, items: this.items() };
      case EVENT_ID.MAPPING:
        return { offset, fields: this.fields() };
      default:
        return { offset };
    }
  }

  private startOf(event: Event): number {
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return Math.max(0, scalarStart(this.text, event));
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING:
        return event.start;
      default:
        throw new Error(`a value cannot begin with an event of type ${event.type}`);
    }
  }

  private items(): ValuePosition[] {
    const items: ValuePosition[] = [];
    while (this.events[this.index].type !== EVENT_ID.POP) items.push(this.valuePosition());
    this.index += 1;
    return items;
  }

  private fields(): NonNullable<ValuePosition['fields']> {
    const fields = new Map<string, { offset: number; value: ValuePosition }>();
    for (let event = this.events[this.index]; event.type === EVENT_ID.SCALAR; event = this.events[this.index]) {
      this.index += 1;
      fields.set(keyEventText(this.text, event), {
        offset: scalarStart(this.text, event),
        value: this.valuePosition(),
      });
    }
    this.index += 1;
    return fields;
  }
}
