import { YAMLMap, YAMLSeq } from 'yaml';
import { EC2_NODE_CLASS_API, NODE_POOL_API } from '../contract';
import { convertBetaNodePool } from './legacy/beta-node-pool';
import { LegacyObject, Successor } from './legacy/legacy-object';
import { convertNodeClaim } from './legacy/node-claim';
import { convertAwsNodeTemplate, convertBetaNodeClass } from './legacy/node-class';
import { convertProvisioner } from './legacy/provisioner';
import { ConversionOptions, ReportNote } from './note';
import { renameKeys, FileDocument, objectTitle } from './source-document';
import { Fields } from './yaml/fields';
import { jsonOf } from './yaml/values';

type Converter = (object: LegacyObject, newClassName: (name: string) => string) => Successor[];

const CONVERTERS: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['karpenter.sh/v1beta1 NodePool', (object) => [convertBetaNodePool(object)]],
  ['karpenter.sh/v1beta1 NodeClaim', (object) => [convertNodeClaim(object)]],
  ['karpenter.k8s.aws/v1beta1 EC2NodeClass', (object) => [convertBetaNodeClass(object)]],
]);

const GROUPS: readonly string[] = [NODE_POOL_API.group, EC2_NODE_CLASS_API.group];

/** Kinds that had one API version only: a manifest is converted whatever version it states. */
const KINDS_OF_ONE_VERSION: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['Provisioner', convertProvisioner],
  ['Machine', (object) => [convertNodeClaim(object)]],
  ['AWSNodeTemplate', (object) => [convertAwsNodeTemplate(object)]],
]);

/** v1 objects: they stay v1, and kubelet settings of legacy pools may move to them. */
const CURRENT_TYPES = [NODE_POOL_API, EC2_NODE_CLASS_API].map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);

/** One object of a document with the objects that replace it. */
export class ObjectConversion {
  public readonly object: LegacyObject;
  public isChanged: boolean;
  public successors: Successor[];

  public constructor(
    root: YAMLMap,
    type: string,
    options: ConversionOptions,
    note: ReportNote,
    newClassName: (name: string) => string,
  ) {
    const subject = subjectOfNode(root);
    const start = root.range?.[0];
    const converter = converterOf(type);
    this.isChanged = converter !== undefined;
    if (converter) renameKeys(root, subject, note);
    const fields = new Fields(converter ? root : (root.clone() as YAMLMap));
    this.object = new LegacyObject(fields, options, (kind, offset, message) =>
      note(kind, offset ?? start, subject, message),
    );
    this.successors = converter?.(this.object, newClassName) ?? [{ object: this.object, root: new Fields(root) }];
  }

  public get roots(): YAMLMap[] {
    return this.successors.map(({ root }) => root.map);
  }
}

/** A document with the conversions of its Karpenter objects. */
export class DocumentConversion {
  public readonly conversions: ObjectConversion[] = [];
  private readonly list?: {
    readonly root: YAMLMap;
    readonly items: YAMLSeq;
    readonly conversions: ReadonlyMap<unknown, ObjectConversion>;
  };

  public constructor(
    public readonly source: FileDocument,
    create: (root: YAMLMap, type: string) => ObjectConversion,
  ) {
    const { root } = source;
    if (!root) return;
    const items = itemsOf(root);
    const conversions = new Map(
      (items ? items.items : [root])
        .filter((item) => item instanceof YAMLMap)
        .flatMap((item) => {
          const type = typeOf(item, root);
          return isRelevantType(type) ? [[item as unknown, create(item, type)] as const] : [];
        }),
    );
    this.conversions = [...conversions.values()];
    if (items) this.list = { root, items, conversions };
  }

  /** Text of the result. A document without changes stays byte for byte the same, except for legacy keys. */
  public text(note: ReportNote): string {
    if (!this.conversions.some(({ isChanged }) => isChanged)) return this.source.unchangedText(note);
    return this.source.changedText(
      this.list ? [this.renderList(note)] : this.conversions.flatMap(({ roots }) => roots),
    );
  }

  /** Replaces items in place. The result is always a plain `List`, because a typed list cannot hold other kinds. */
  private renderList(note: ReportNote): YAMLMap {
    const { root, items, conversions } = this.list!;
    const fields = new Fields(root);
    for (const [name, value] of [
      ['apiVersion', 'v1'],
      ['kind', 'List'],
    ])
      fields.set(name, value);
    items.items = items.items.flatMap((item) => {
      const conversion = conversions.get(item);
      if (conversion) return conversion.roots;
      if (item instanceof YAMLMap) renameKeys(item, subjectOfNode(item), note);
      return [item];
    });
    return root;
  }
}

function subjectOfNode(root: YAMLMap): string {
  return objectTitle(jsonOf(root) as Record<string, unknown>);
}

/** Whether the conversion changes objects of this type, or moves settings to them. `type` is `apiVersion kind`. */
export function isRelevantType(type: string): boolean {
  return converterOf(type) !== undefined || CURRENT_TYPES.includes(type);
}

function converterOf(type: string): Converter | undefined {
  const [apiVersion, kind] = type.split(' ');
  return GROUPS.includes(apiVersion.split('/')[0])
    ? (CONVERTERS.get(type) ?? KINDS_OF_ONE_VERSION.get(kind))
    : undefined;
}

function itemsOf(root: YAMLMap): YAMLSeq | undefined {
  const fields = new Fields(root);
  const items = fields.find('items')?.value;
  return (fields.text('kind') ?? '').endsWith('List') && items instanceof YAMLSeq ? items : undefined;
}

/** `apiVersion kind` of an object. Sets both fields on an item of a typed list that omits them. */
function typeOf(item: YAMLMap, root: YAMLMap): string {
  const fields = new Fields(item);
  const list = new Fields(root);
  if (item !== root && !fields.has('apiVersion') && !fields.has('kind')) {
    fields.set('apiVersion', list.text('apiVersion'));
    fields.set('kind', list.text('kind')?.replace(/List$/, ''));
  }
  return `${fields.text('apiVersion')} ${fields.text('kind')}`;
}
