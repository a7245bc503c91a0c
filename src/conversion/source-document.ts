import { Node, Scalar, YAMLMap } from 'yaml';
import { LegacyKeyFinder, KeyReplacement } from './legacy/legacy-keys';
import { ReportNote } from './note';
import { asRecord } from '../contract';
import { valueText } from '../model';
import { DocumentTree, SourceText } from '../validation';
import { render } from './yaml/values';
import { YamlNormalizer } from './yaml/yaml-normalizer';

/** One YAML document of a file, with the text between the previous document and this one. */
export class FileDocument {
  private normalized?: Node | null;

  /**
   * @param start offset in the file at which the previous document ends
   */
  public constructor(
    private readonly source: SourceText,
    private readonly start: number,
    private readonly tree: DocumentTree,
  ) {}

  public get end(): number {
    return this.tree.range[1];
  }

  /** The objects of the document as JSON, with the items of a list. */
  public get objects(): ReadonlyArray<Readonly<Record<string, unknown>>> {
    const object = asRecord(this.tree.value);
    const items =
      object && typeof object.kind === 'string' && object.kind.endsWith('List') && Array.isArray(object.items)
        ? object.items
        : [];
    return [object, ...items.map((item) => withTypeOf(asRecord(item), object!))].filter((item) => item !== undefined);
  }

  public get subject(): string {
    const [object] = this.objects;
    return object ? objectTitle(object) : '';
  }

  /** The normalized object; undefined if the document is not a mapping. */
  public get root(): YAMLMap | undefined {
    this.normalized ??= new YamlNormalizer().normalize(this.tree.root);
    return this.normalized instanceof YAMLMap ? this.normalized : undefined;
  }

  /** The original text, with legacy keys replaced. */
  public unchangedText(note: ReportNote): string {
    const finder = new LegacyKeyFinder();
    finder.visit(this.tree.root);
    noteLegacyKeys(finder, this.subject, note);
    return replaceScalars(this.source.text, this.start, this.end, finder.replacements);
  }

  /** Text with these objects instead of the original ones, between the original comments around them. */
  public changedText(roots: readonly YAMLMap[]): string {
    const [from, to] = this.contentRange();
    const before = this.source.text.slice(this.start, from);
    const indent = before.slice(before.lastIndexOf('\n') + 1);
    const head =
      indent.trim() === '' || indent.startsWith('---')
        ? before.slice(0, before.length - indent.length) + (indent.startsWith('---') ? '---\n' : '')
        : before;
    const after = this.source.text.slice(to, this.end).replace(/^[ \t]*\r?\n/, '');
    const text = roots.map((root) => render(withoutLeadingComment(root))).join('---\n');
    return head + (this.source.text.includes('\r\n') ? text.replace(/\n/g, '\r\n') : text) + after;
  }

  private contentRange(): readonly [number, number] {
    const range = this.tree.root?.range;
    return range ? [range[0], range[1]] : [this.start, this.end];
  }
}

/** `Kind/name` of an object, for messages. */
export function objectTitle({ kind, metadata }: Readonly<Record<string, unknown>>): string {
  return `${typeof kind === 'string' ? kind : 'object'}/${valueText(asRecord(metadata)?.name ?? '')}`;
}

/** Items of a typed list may omit their own type. */
function withTypeOf(
  item: Readonly<Record<string, unknown>> | undefined,
  list: Readonly<Record<string, unknown>>,
): typeof item {
  if (!item || item.apiVersion !== undefined || item.kind !== undefined) return item;
  return { ...item, apiVersion: list.apiVersion, kind: valueText(list.kind).replace(/List$/, '') };
}

/** Replaces legacy keys in a normalized object. */
export function renameKeys(root: Node, subject: string, note: ReportNote): void {
  const finder = new LegacyKeyFinder();
  finder.visit(root);
  noteLegacyKeys(finder, subject, note);
  for (const { scalar, to } of finder.replacements) scalar.value = to;
}

function noteLegacyKeys(
  { replacements: renamings, mentions }: LegacyKeyFinder,
  subject: string,
  note: ReportNote,
): void {
  for (const { scalar, to } of renamings) {
    if (to !== '') note('changed', scalar.range?.[0], subject, `${scalar.source ?? scalar.value} becomes ${to}`);
  }
  for (const { scalar, key, why } of mentions)
    note('todo', scalar.range?.[0], subject, `${key} has no effect in v1, and was not replaced: ${why}`);
}

function replaceScalars(text: string, start: number, end: number, renamings: readonly KeyReplacement[]): string {
  let result = '';
  let copiedUntil = start;
  for (const { scalar, to } of [...renamings].sort((a, b) => a.scalar.range![0] - b.scalar.range![0])) {
    const [from, until] = scalar.range!;
    const quote = /^["']/.exec(text.slice(from, from + 1))?.[0] ?? (to === '' ? '"' : '');
    result += `${text.slice(copiedUntil, from)}${quote}${to}${quote}`;
    copiedUntil = until;
  }
  return result + text.slice(copiedUntil, end);
}

/** Comments above the first key are part of the text before the document, so they must not be written twice. */
function withoutLeadingComment(root: YAMLMap): YAMLMap {
  const key = root.items[0]?.key as Scalar | undefined;
  if (key) Object.assign(key, { commentBefore: undefined, spaceBefore: undefined });
  return root;
}
