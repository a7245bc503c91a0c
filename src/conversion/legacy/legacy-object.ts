import { Node, Pair, Scalar } from 'yaml';
import { ConversionNote, ConversionOptions, Report } from '../note';
import { Field, Fields } from '../yaml/fields';

/** One object of the input in normal form, which is taken apart. */
export class LegacyObject {
  public readonly apiVersion: string;
  public readonly kind: string;
  public readonly metadata: Fields;
  public readonly spec: Fields;
  private readonly sectionKeys = new Map<string, Scalar<string>>();

  public constructor(public readonly root: Fields, public readonly options: ConversionOptions, private readonly report: Report) {
    this.apiVersion = root.text('apiVersion') ?? '';
    this.kind = root.text('kind') ?? '';
    this.metadata = this.takeSection('metadata');
    this.spec = this.takeSection('spec');
  }

  public get name(): string {
    return this.metadata.text('name') ?? '';
  }

  /** Another object that is made of a part of this one. */
  public withRoot(root: Fields): LegacyObject {
    return new LegacyObject(root, this.options, this.report);
  }

  public note(kind: ConversionNote['kind'], message: string, at?: Field | Node): void {
    const node = at instanceof Pair ? at.key : at;
    this.report(kind, node?.range?.[0], message);
  }

  /** Says why a field is not written any more, and keeps it as a comment. */
  public retire(field: Field | undefined, into: Fields, why: string, kind: ConversionNote['kind'] = 'kept'): void {
    if (!field) return;
    this.note(kind, why, field);
    into.keepAsComment(field, why);
  }

  /** Fields of v1 that an earlier API did not have, and dropped. */
  public moveNewFields(from: Fields, into: Fields, names: readonly string[]): void {
    for (const name of names) {
      const field = into.has(name) ? undefined : from.take(name);
      into.add(field);
      if (field) this.note('todo', `${name} is a field of v1: it had no effect in ${this.apiVersion}, and now has`, field);
    }
  }

  /** The same for all that conversion did not know. */
  public retireRest(fields: Fields, into: Fields, path: string): void {
    for (const field of fields.all) {
      const name = field.key.value;
      fields.take(name);
      this.retire(field, into, `${path}${name} is no field of ${this.kind} in ${this.apiVersion}, or no value that it takes`, 'todo');
    }
    into.addComment(fields.map.comment);
  }

  /** The key of `metadata` or `spec`, with the comments at it. */
  public sectionKey(name: 'metadata' | 'spec'): Scalar<string> {
    return this.sectionKeys.get(name) ?? new Scalar(name);
  }

  private takeSection(name: 'metadata' | 'spec'): Fields {
    const section = this.root.inner(name);
    if (!section) return Fields.empty();
    this.sectionKeys.set(name, this.root.take(name)!.key);
    return section;
  }
}

/** What an object of an earlier API becomes. */
export interface Successor {
  readonly object: LegacyObject;
  readonly root: Fields;
  /** Kubelet settings of a pool, which belong to its class now. */
  readonly kubelet?: Fields;
}
