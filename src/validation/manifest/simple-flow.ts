import { checkDepth, listOf, SimpleMap, SimpleNode } from './simple-node';
import { simpleKey, simpleScalar } from './simple-scalar';
import { NOT_SIMPLE, SimpleText } from './simple-text';

const [COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [...',:[]{}'].map((mark) => mark.charCodeAt(0));

export function isFlow(text: SimpleText): boolean {
  return text.next() === OPEN_MAP || text.next() === OPEN_LIST;
}

/** Reads a flow collection: over several lines, as JSON is, where it is the whole document, and on one where it stands in a block. */
export class SimpleFlow {
  public constructor(private readonly text: SimpleText, private readonly isDocument: boolean) {}

  /** @param start of the node: that of its key, if it has one */
  public read(start: number, depth: number): SimpleNode {
    checkDepth(depth);
    return this.text.next() === OPEN_MAP ? this.map(start, depth) : this.list(start, depth);
  }

  private map(start: number, depth: number): SimpleNode {
    const map = new SimpleMap();
    this.each(CLOSE_MAP, (keyStart) => {
      const key = simpleKey(this.text, true);
      if (key === undefined) throw NOT_SIMPLE;
      this.text.pass(COLON);
      this.passBlanks();
      map.add(key, this.value(keyStart, depth + 1));
    });
    return map.at(start);
  }

  private list(start: number, depth: number): SimpleNode {
    const items: SimpleNode[] = [];
    this.each(CLOSE_LIST, (itemStart) => items.push(this.value(itemStart, depth + 1)));
    return listOf(start, items);
  }

  private value(start: number, depth: number): SimpleNode {
    return isFlow(this.text) ? this.read(start, depth) : { start, value: simpleScalar(this.text, true) };
  }

  private each(close: number, read: (start: number) => void): void {
    this.text.at += 1;
    this.passBlanks();
    if (this.text.next() !== close) {
      read(this.text.at);
      this.passBlanks();
      while (this.text.next() === COMMA) {
        this.text.at += 1;
        this.passBlanks();
        read(this.text.at);
        this.passBlanks();
      }
    }
    this.text.pass(close);
  }

  private passBlanks(): void {
    if (this.isDocument) this.text.passBlanks(); else this.text.passSpaces();
  }
}
