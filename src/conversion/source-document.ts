import { Node, Scalar, YAMLMap } from 'yaml';
import { RenamedKeys, Renaming } from './legacy/renamed-keys';
import { ConversionNote } from './note';
import { asRecord } from '../contract';
import { DocumentTree, SourceText } from '../validation';
import { NormalForm } from './yaml/normal-form';
import { render } from './yaml/render';

export type Note = (kind: ConversionNote['kind'], offset: number | undefined, subject: string, message: string) => void;

/** One document of a file, and what stands around it: between two documents nothing is lost. */
export class SourceDocument {
  private normalForm?: Node | null;

  /**
   * @param start where the document before it ends
   */
  public constructor(private readonly source: SourceText, private readonly start: number, private readonly tree: DocumentTree) {}

  public get end(): number {
    return this.tree.range[1];
  }

  /** Plain objects of the document, those of a list included. */
  public get objects(): ReadonlyArray<Readonly<Record<string, unknown>>> {
    const object = asRecord(this.tree.value);
    const items = object && typeof object.kind === 'string' && object.kind.endsWith('List') && Array.isArray(object.items) ? object.items : [];
    return [object, ...items.map((item) => withTypeOf(asRecord(item), object!))].filter((one) => one !== undefined);
  }

  public get subject(): string {
    const [object] = this.objects;
    return object ? subjectOf(object) : '';
  }

  /** In normal form; undefined where the document holds no object. */
  public get root(): YAMLMap | undefined {
    this.normalForm ??= new NormalForm().copy(this.tree.root);
    return this.normalForm instanceof YAMLMap ? this.normalForm : undefined;
  }

  /** The text as it was, except for renamed keys. */
  public unchangedText(note: Note): string {
    const keys = new RenamedKeys();
    keys.visit(this.tree.root);
    tellKeys(keys, this.subject, note);
    return splice(this.source.text, this.start, this.end, keys.renamings);
  }

  /** Other objects in the place of the document's, between the comments that stood around it. */
  public changedText(roots: readonly YAMLMap[]): string {
    const [from, to] = this.contentRange();
    const before = this.source.text.slice(this.start, from);
    const indent = before.slice(before.lastIndexOf('\n') + 1);
    const head = indent.trim() === '' || indent.startsWith('---') ? before.slice(0, before.length - indent.length) + (indent.startsWith('---') ? '---\n' : '') : before;
    const after = this.source.text.slice(to, this.end).replace(/^[ \t]*\r?\n/, '');
    const text = roots.map((root) => render(withoutLeadingComment(root))).join('---\n');
    return head + (this.source.text.includes('\r\n') ? text.replace(/\n/g, '\r\n') : text) + after;
  }

  private contentRange(): readonly [number, number] {
    const range = this.tree.root?.range;
    return range ? [range[0], range[1]] : [this.start, this.end];
  }
}

/** Kind and name of an object, for a person. */
export function subjectOf({ kind, metadata }: Readonly<Record<string, unknown>>): string {
  return `${typeof kind === 'string' ? kind : 'object'}/${String(asRecord(metadata)?.name ?? '')}`;
}

/** Items of a typed list may leave their own type out. */
function withTypeOf(item: Readonly<Record<string, unknown>> | undefined, list: Readonly<Record<string, unknown>>): typeof item {
  if (!item || item.apiVersion !== undefined || item.kind !== undefined) return item;
  return { ...item, apiVersion: list.apiVersion, kind: String(list.kind).replace(/List$/, '') };
}

/** Renames the keys of an object in normal form. */
export function renameKeys(root: Node, subject: string, note: Note): void {
  const keys = new RenamedKeys();
  keys.visit(root);
  tellKeys(keys, subject, note);
  for (const { scalar, to } of keys.renamings) scalar.value = to;
}

function tellKeys({ renamings, mentions }: RenamedKeys, subject: string, note: Note): void {
  for (const { scalar, to } of renamings) {
    if (to !== '') note('changed', scalar.range?.[0], subject, `${scalar.source ?? scalar.value} is ${to} now`);
  }
  for (const { scalar, key, why } of mentions) note('todo', scalar.range?.[0], subject, `${key} has no meaning any more, and was left as it is: ${why}`);
}

function splice(text: string, start: number, end: number, renamings: readonly Renaming[]): string {
  let result = '';
  let at = start;
  for (const { scalar, to } of [...renamings].sort((a, b) => a.scalar.range![0] - b.scalar.range![0])) {
    const [from, until] = scalar.range!;
    const quote = /^["']/.exec(text.slice(from, from + 1))?.[0] ?? (to === '' ? '"' : '');
    result += `${text.slice(at, from)}${quote}${to}${quote}`;
    at = until;
  }
  return result + text.slice(at, end);
}

/** The comments above the first key are in the text before the document already. */
function withoutLeadingComment(root: YAMLMap): YAMLMap {
  const key = root.items[0]?.key as Scalar | undefined;
  if (key) Object.assign(key, { commentBefore: undefined, spaceBefore: undefined });
  return root;
}
