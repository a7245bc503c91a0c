import { Node, Pair, Scalar } from 'yaml';
import { ConversionNote, ConversionOptions, ReportObjectNote } from '../note';
import { Field, Fields } from '../yaml/fields';

/** One normalized object of the input. Converters take its fields out one by one. */
export class LegacyObject {
  public readonly apiVersion: string;
  public readonly kind: string;
  public readonly metadata: Fields;
  public readonly spec: Fields;
  private readonly sectionKeys = new Map<string, Scalar<string>>();

  public constructor(
    public readonly root: Fields,
    public readonly options: ConversionOptions,
    private readonly report: ReportObjectNote,
  ) {
    this.apiVersion = root.text('apiVersion') ?? '';
    this.kind = root.text('kind') ?? '';
    this.metadata = this.takeSection('metadata');
    this.spec = this.takeSection('spec');
  }

  public get name(): string {
    return this.metadata.text('name') ?? '';
  }

  /** A legacy object for a part of this one, such as an inline node class. */
  public withRoot(root: Fields): LegacyObject {
    return new LegacyObject(root, this.options, this.report);
  }

  public note(kind: ConversionNote['kind'], message: string, place?: Field | Node): void {
    const node = place instanceof Pair ? place.key : place;
    this.report(kind, node?.range?.[0], message);
  }

  /** Writes a field as a comment with the reason why it is no longer a field, and adds a note. */
  public commentOut(field: Field | undefined, into: Fields, why: string, kind: ConversionNote['kind'] = 'kept'): void {
    if (!field) return;
    this.note(kind, why, field);
    into.keepAsComment(field, why);
  }

  /** Moves fields of v1 that the legacy API did not have: its API server dropped them. */
  public moveV1Fields(from: Fields, into: Fields, names: readonly string[]): void {
    for (const name of names) {
      const field = into.has(name) ? undefined : from.take(name);
      into.add(field);
      if (field)
        this.note(
          'todo',
          `${name} is a field of v1: it had no effect in ${this.apiVersion}, and takes effect now`,
          field,
        );
    }
  }

  /** Writes all remaining fields as comments: the conversion does not know them. */
  public commentOutRest(fields: Fields, into: Fields, path: string): void {
    for (const field of fields.entries) {
      const name = field.key.value;
      fields.take(name);
      this.commentOut(
        field,
        into,
        `${path}${name} is an unknown field of ${this.kind} in ${this.apiVersion}, or has an invalid value`,
        'todo',
      );
    }
    into.addComment(fields.map.comment);
  }

  /** The key `metadata` or `spec` with its comments. */
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

/** A v1 object that replaces a legacy object, wholly or in part. */
export interface Successor {
  readonly object: LegacyObject;
  readonly root: Fields;
  /** Kubelet settings of a legacy pool: in v1 they belong to its EC2NodeClass. */
  readonly kubelet?: Fields;
}
