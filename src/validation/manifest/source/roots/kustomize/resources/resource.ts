import { PatchedField, ProtectedObject, RenamedObject, ReplacedList } from '../../../../model';
import { KustomizeRefusal } from '../refusal';
import { apiVersionOf, effectiveNamespace, GroupVersionKind, ResourceId, splitApiVersion } from './resource-id';
import { clone, PlainFields, isFields, mappingAt, newFields, setTextMap, textEntries, textOf } from '../values';

/** A document of a file, or an item of a list in it. */
export interface ResourceSource {
  /** Counts how often files are used: the same file may be used twice. */
  readonly use: number;
  /** The text of the object before changes, as JSON. */
  readonly key: string;
}

interface PreviousId {
  readonly name: string;
  readonly namespace: string;
  readonly kind: string;
}

/**
 * An object in a build. kustomize keeps the facts besides the fields in annotations, and removes them at the end.
 *
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/resource/resource.go
 */
export class Resource {
  public previous: readonly PreviousId[] = [];
  public prefixes: readonly string[] = [];
  public suffixes: readonly string[] = [];
  public needsHash = false;
  /** How a generated object replaces one of the same id. */
  public behavior: 'create' | 'merge' | 'replace' = 'create';
  /** Whether a generator has made it. */
  public isGenerated = false;
  public variables: readonly string[] = [];
  /** The last prefix or suffix of the name. */
  public renamedBy?: Pick<RenamedObject, 'file' | 'field'>;
  /** Where the annotation is written that protects its pods from disruption. @default - in the object, or nowhere */
  public protectedBy?: Pick<ProtectedObject, 'path'> & Partial<Pick<ProtectedObject, 'file'>>;
  /** What strategic merge patches have replaced, in their order. */
  public replacedLists: ReadonlyArray<Omit<ReplacedList, 'built'>> = [];

  /** What patches have written, in their order. */
  public patchedFields: readonly PatchedField[] = [];

  /** @param fields undefined if a patch has deleted the object */
  public constructor(
    public fields: PlainFields | undefined,
    public source?: ResourceSource,
  ) {}

  public copy(source = this.source): Resource {
    const copy = new Resource(clone(this.fields), source);
    const { previous, prefixes, suffixes, needsHash, behavior, isGenerated, variables } = this;
    const { renamedBy, replacedLists, patchedFields, protectedBy } = this;
    return Object.assign(copy, {
      previous,
      prefixes,
      suffixes,
      needsHash,
      behavior,
      isGenerated,
      variables,
      renamedBy,
      replacedLists,
      patchedFields,
      protectedBy,
    });
  }

  public get isEmpty(): boolean {
    return this.fields === undefined || Object.keys(this.fields).length === 0;
  }

  public get kind(): string {
    return textOf(this.fields?.kind);
  }

  public get apiVersion(): string {
    return textOf(this.fields?.apiVersion);
  }

  public get name(): string {
    return textOf(this.metadata?.name);
  }

  public get namespace(): string {
    return textOf(this.metadata?.namespace);
  }

  public get labels(): Map<string, string> {
    return textEntries(this.metadata?.labels);
  }

  public get annotations(): Map<string, string> {
    return textEntries(this.metadata?.annotations);
  }

  public get kindInfo(): GroupVersionKind {
    return { ...splitApiVersion(this.apiVersion), kind: this.kind };
  }

  public get id(): ResourceId {
    return { ...this.kindInfo, name: this.name, namespace: this.namespace };
  }

  /** Ids before changes of the name, the namespace or the kind; the oldest first. */
  public get previousIds(): ResourceId[] {
    const version = splitApiVersion(this.apiVersion);
    return this.previous.map((previous) => ({ ...version, ...previous }));
  }

  public get originalId(): ResourceId {
    return this.previousIds[0] ?? this.id;
  }

  /** Whether kustomize has annotated the object, so that a JSON patch finds annotations in any case. */
  public get hasBuildFacts(): boolean {
    return this.previous.length > 0 || this.isGenerated || this.prefixes.length > 0 || this.suffixes.length > 0;
  }

  public keepId(): void {
    const { id } = this;
    this.previous = [...this.previous, { name: id.name, namespace: effectiveNamespace(id), kind: id.kind }];
  }

  public setName(name: string): void {
    mappingAt(this.presentFields, 'metadata').name = name;
  }

  public setNamespace(namespace: string): void {
    const metadata = mappingAt(this.presentFields, 'metadata');
    if (namespace === '') delete metadata.namespace;
    else metadata.namespace = namespace;
  }

  public setKind(kind: GroupVersionKind): void {
    this.presentFields.kind = kind.kind;
    this.presentFields.apiVersion = apiVersionOf(kind);
  }

  public setLabels(labels: ReadonlyMap<string, string>): void {
    setTextMap(mappingAt(this.presentFields, 'metadata'), 'labels', labels);
  }

  public setAnnotations(annotations: ReadonlyMap<string, string>): void {
    setTextMap(mappingAt(this.presentFields, 'metadata'), 'annotations', annotations);
  }

  /** @throws Refusal if a kind or a name is missing, which every object needs */
  public validate(): void {
    if (this.kind === '')
      throw new KustomizeRefusal(`missing kind in object {{${this.apiVersion} } {{${this.name} ${this.namespace}}}}`);
    if (!this.kind.endsWith('List') && this.name === '')
      throw new KustomizeRefusal(
        `missing metadata.name in object {{${this.apiVersion} ${this.kind}} {{ ${this.namespace}}}}`,
      );
  }

  private get metadata(): PlainFields | undefined {
    const metadata = this.fields?.metadata;
    return isFields(metadata) ? metadata : undefined;
  }

  private get presentFields(): PlainFields {
    return (this.fields ??= newFields());
  }
}
