import { YAMLMap, YAMLSeq } from 'yaml';
import { EC2_NODE_CLASS_API, NODE_POOL_API } from '../contract';
import { convertAwsNodeTemplate } from './legacy/aws-node-template';
import { convertBetaNodeClass } from './legacy/beta-node-class';
import { convertBetaNodePool } from './legacy/beta-node-pool';
import { LegacyObject, Successor } from './legacy/legacy-object';
import { convertNodeClaim } from './legacy/node-claim';
import { convertProvisioner } from './legacy/provisioner';
import { ConversionOptions } from './note';
import { Note, renameKeys, SourceDocument, subjectOf } from './source-document';
import { Fields } from './yaml/fields';
import { plainOf } from './yaml/plain';

type Converter = (object: LegacyObject, newClassName: (name: string) => string) => Successor[];

const CONVERTERS: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['karpenter.sh/v1beta1 NodePool', (object) => [convertBetaNodePool(object)]],
  ['karpenter.sh/v1beta1 NodeClaim', (object) => [convertNodeClaim(object)]],
  ['karpenter.k8s.aws/v1beta1 EC2NodeClass', (object) => [convertBetaNodeClass(object)]],
]);

const GROUPS: readonly string[] = [NODE_POOL_API.group, EC2_NODE_CLASS_API.group];

/** Kinds that had one version only. A manifest with another version is treated as this one. */
const KINDS_OF_ONE_VERSION: ReadonlyMap<string, Converter> = new Map<string, Converter>([
  ['Provisioner', convertProvisioner],
  ['Machine', (object) => [convertNodeClaim(object)]],
  ['AWSNodeTemplate', (object) => [convertAwsNodeTemplate(object)]],
]);

/** Objects that stay what they are, and that kubelet settings of others have to do with. */
const SERVED = [NODE_POOL_API, EC2_NODE_CLASS_API].map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);

/** One object of a document, and what it becomes. */
export class Unit {
  public readonly object: LegacyObject;
  public isChanged: boolean;
  public successors: Successor[];

  public constructor(root: YAMLMap, type: string, options: ConversionOptions, note: Note, newClassName: (name: string) => string) {
    const subject = subjectOfNode(root);
    const start = root.range?.[0];
    const converter = converterOf(type);
    this.isChanged = converter !== undefined;
    if (converter) renameKeys(root, subject, note);
    const fields = new Fields(converter ? root : root.clone() as YAMLMap);
    this.object = new LegacyObject(fields, options, (kind, offset, message) => note(kind, offset ?? start, subject, message));
    this.successors = converter?.(this.object, newClassName) ?? [{ object: this.object, root: new Fields(root) }];
  }

  public get roots(): YAMLMap[] {
    return this.successors.map(({ root }) => root.map);
  }
}

/** A document and the objects in it that have to do with conversion. */
export class DocumentUnits {
  public readonly units: Unit[] = [];
  private readonly list?: { readonly root: YAMLMap; readonly items: YAMLSeq; readonly units: ReadonlyMap<unknown, Unit> };

  public constructor(public readonly source: SourceDocument, create: (root: YAMLMap, type: string) => Unit) {
    const { root } = source;
    if (!root) return;
    const items = itemsOf(root);
    const units = new Map((items ? items.items : [root]).filter((item) => item instanceof YAMLMap).flatMap((item) => {
      const type = typeOf(item, root);
      return isConcerned(type) ? [[item as unknown, create(item, type)] as const] : [];
    }));
    this.units = [...units.values()];
    if (items) this.list = { root, items, units };
  }

  /** Text of the result; a document in which nothing changes stays as it was, byte for byte. */
  public text(note: Note): string {
    if (!this.units.some(({ isChanged }) => isChanged)) return this.source.unchangedText(note);
    return this.source.changedText(this.list ? [this.renderList(note)] : this.units.flatMap(({ roots }) => roots));
  }

  /** Items of a list stay where they are; one of a typed list can only be in a plain one with what it becomes. */
  private renderList(note: Note): YAMLMap {
    const { root, items, units } = this.list!;
    const fields = new Fields(root);
    for (const [name, value] of [['apiVersion', 'v1'], ['kind', 'List']]) fields.set(name, value);
    items.items = items.items.flatMap((item) => {
      const unit = units.get(item);
      if (unit) return unit.roots;
      if (item instanceof YAMLMap) renameKeys(item, subjectOfNode(item), note);
      return [item];
    });
    return root;
  }
}

function subjectOfNode(root: YAMLMap): string {
  return subjectOf(plainOf(root) as Record<string, unknown>);
}

/** Whether conversion has to do with an object of this type. */
export function isConcerned(type: string): boolean {
  return converterOf(type) !== undefined || SERVED.includes(type);
}

function converterOf(type: string): Converter | undefined {
  const [apiVersion, kind] = type.split(' ');
  return GROUPS.includes(apiVersion.split('/')[0]) ? CONVERTERS.get(type) ?? KINDS_OF_ONE_VERSION.get(kind) : undefined;
}

function itemsOf(root: YAMLMap): YAMLSeq | undefined {
  const fields = new Fields(root);
  const items = fields.find('items')?.value;
  return (fields.text('kind') ?? '').endsWith('List') && items instanceof YAMLSeq ? items : undefined;
}

/** Items of a typed list may leave their own type out, and then get it. */
function typeOf(item: YAMLMap, root: YAMLMap): string {
  const fields = new Fields(item);
  const list = new Fields(root);
  if (item !== root && !fields.has('apiVersion') && !fields.has('kind')) {
    fields.set('apiVersion', list.text('apiVersion'));
    fields.set('kind', list.text('kind')?.replace(/List$/, ''));
  }
  return `${fields.text('apiVersion')} ${fields.text('kind')}`;
}
