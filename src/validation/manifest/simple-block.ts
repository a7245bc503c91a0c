import { isFlow, SimpleFlow } from './simple-flow';
import { checkDepth, listOf, SimpleMap, SimpleNode } from './simple-node';
import { simpleKey, simpleScalar } from './simple-scalar';
import { NOT_SIMPLE, SimpleText } from './simple-text';

/** Tabs, Windows line ends, and what editors show as nothing. */
// eslint-disable-next-line no-control-regex -- it looks for these
const INVISIBLE = /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]/;
const [SPACE, DASH, COLON] = [...' -:'].map((mark) => mark.charCodeAt(0));

/**
 * Reads a document of the kind that most manifests are: mappings and lists by indentation, flow collections on one line, or JSON, with
 * scalars of one line, and comments. Undefined for any other, and for any with an error: those are the library's. What both read
 * is the same.
 */
export function readSimple(text: string): SimpleNode | 'empty' | undefined {
  if (INVISIBLE.test(text)) return undefined;
  try {
    return new SimpleBlocks(new SimpleText(text)).document();
  } catch (error) {
    if (error === NOT_SIMPLE) return undefined;
    throw error;
  }
}

class SimpleBlocks {
  /** Of what comes next, which begins a line; -1 at the end. */
  private indent = -1;

  public constructor(private readonly text: SimpleText) {}

  public document(): SimpleNode | 'empty' {
    this.indent = this.text.passToContent();
    if (this.indent < 0) return 'empty';
    const root = isFlow(this.text) ? this.flowDocument() : this.block(this.text.at, this.indent, 0);
    if (this.indent >= 0) throw NOT_SIMPLE;
    return root;
  }

  private flowDocument(): SimpleNode {
    return this.thenLineEnd(new SimpleFlow(this.text, true).read(this.text.at, 0));
  }

  private block(start: number, indent: number, depth: number): SimpleNode {
    checkDepth(depth);
    if (this.isItem()) return this.list(start, indent, depth);
    const keyStart = this.text.at;
    return this.map(start, indent, depth, keyStart, simpleKey(this.text, false));
  }

  /** From behind its first key on. */
  private map(start: number, indent: number, depth: number, firstStart: number, first: string | undefined): SimpleNode {
    const map = new SimpleMap();
    let keyStart = firstStart;
    let key = first;
    for (;;) {
      if (key === undefined) throw NOT_SIMPLE;
      map.add(key, this.mapped(keyStart, indent, depth));
      if (this.indent !== indent) break;
      keyStart = this.text.at;
      key = simpleKey(this.text, false);
    }
    if (this.indent > indent) throw NOT_SIMPLE;
    return map.at(start);
  }

  /** What stands behind a key. */
  private mapped(start: number, indent: number, depth: number): SimpleNode {
    this.text.pass(COLON);
    this.text.passSpaces();
    if (!this.text.isLineEnd()) return this.inline(start, depth);
    this.passLineEnd();
    if (this.indent > indent) return this.block(start, this.indent, depth + 1);
    return this.indent === indent && this.isItem() ? this.list(start, indent, depth + 1) : { start, value: null };
  }

  private list(start: number, indent: number, depth: number): SimpleNode {
    const items: SimpleNode[] = [];
    do {
      items.push(this.item(indent, depth));
    } while (this.indent === indent && this.isItem());
    if (this.indent > indent) throw NOT_SIMPLE;
    return listOf(start, items);
  }

  private item(indent: number, depth: number): SimpleNode {
    const dash = this.text.at;
    this.text.pass(DASH);
    this.text.passSpaces();
    const start = this.text.at;
    const key = simpleKey(this.text, false);
    if (key === undefined) return this.inline(start, depth);
    checkDepth(depth);
    return this.map(start, indent + start - dash, depth + 1, start, key);
  }

  /** A value on the line of its key or dash. */
  private inline(start: number, depth: number): SimpleNode {
    if (isFlow(this.text)) return this.thenLineEnd(new SimpleFlow(this.text, false).read(start, depth + 1));
    return this.thenLineEnd({ start, value: simpleScalar(this.text, false) });
  }

  private thenLineEnd(node: SimpleNode): SimpleNode {
    this.passLineEnd();
    return node;
  }

  private passLineEnd(): void {
    this.text.passLineEnd();
    this.indent = this.text.passToContent();
  }

  private isItem(): boolean {
    return this.text.next() === DASH && this.text.next(1) === SPACE;
  }
}
