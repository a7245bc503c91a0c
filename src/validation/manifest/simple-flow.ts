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
    for (let isMore = this.begin(CLOSE_MAP); isMore; isMore = this.goOn(CLOSE_MAP)) {
      const keyStart = this.text.at;
      const key = simpleKey(this.text, true);
      if (key === undefined) throw NOT_SIMPLE;
      this.text.pass(COLON);
      this.passBlanks();
      map.add(key, this.value(keyStart, depth + 1));
    }
    return map.at(start);
  }

  private list(start: number, depth: number): SimpleNode {
    const items: SimpleNode[] = [];
    for (let isMore = this.begin(CLOSE_LIST); isMore; isMore = this.goOn(CLOSE_LIST)) items.push(this.value(this.text.at, depth + 1));
    return listOf(start, items);
  }

  private value(start: number, depth: number): SimpleNode {
    return isFlow(this.text) ? this.read(start, depth) : { start, value: simpleScalar(this.text, true) };
  }

  /** Over the opening mark, to the first entry; false where there is none. */
  private begin(close: number): boolean {
    this.text.at += 1;
    this.passBlanks();
    if (this.text.next() !== close) return true;
    this.text.at += 1;
    return false;
  }

  /** To the next entry; false behind the last one. */
  private goOn(close: number): boolean {
    this.passBlanks();
    const isMore = this.text.next() === COMMA;
    this.text.pass(isMore ? COMMA : close);
    if (isMore) this.passBlanks();
    return isMore;
  }

  private passBlanks(): void {
    if (this.isDocument) this.text.passBlanks(); else this.text.passSpaces();
  }
}
