import { Scalar } from 'yaml';
import { LegacyObject } from './legacy-object';
import { amiFamilyOfClass, asRecord, checkKubeletOfFamily } from '../../contract';
import { valueText } from '../../model';
import { Fields } from '../yaml/fields';
import { jsonOf } from '../yaml/values';

/** A NodePool of the result: a converted one, or one that was v1 already. */
export interface ResultPool {
  readonly object: LegacyObject;
  readonly root: Fields;
  /** Kubelet settings that the legacy pool had itself. */
  readonly kubelet?: Fields;
}

/** An EC2NodeClass of the result. */
export interface ResultNodeClass {
  readonly root: Fields;
  /** Adds another node class after this one. */
  addCopy(root: Fields): void;
  /** Marks this node class as changed by the conversion. */
  markChanged(): void;
}

/** Pools of one node class with equal kubelet settings; `settingsKey` is empty for pools without settings. */
interface KubeletVariant {
  readonly settingsKey: string;
  readonly kubelet?: Fields;
  readonly pools: ResultPool[];
}

/**
 * Moves kubelet settings from pools to the node classes that they refer to. If pools that share a node class have
 * different settings, one variant keeps the node class and each other variant gets a copy of it.
 *
 * @param newClassName returns an unused name that starts with the given one
 */
export function placeKubelets(
  pools: readonly ResultPool[],
  classes: ReadonlyMap<string, ResultNodeClass>,
  newClassName: (name: string) => string,
): void {
  for (const [name, users] of groupByClass(pools)) {
    const target = classes.get(name);
    const variants = variantsOf(users);
    if (!target) leaveAsComments(variants, name);
    else placeVariants(variants, name, target, newClassName);
  }
}

function placeVariants(
  variants: readonly KubeletVariant[],
  name: string,
  target: ResultNodeClass,
  newClassName: (name: string) => string,
): void {
  const hasSettings = target.root.inner('spec')?.has('kubelet') ?? false;
  const keeper = variants.find(({ settingsKey }) => settingsKey === '') ?? (hasSettings ? undefined : variants[0]);
  for (const variant of variants.filter((candidate) => candidate !== keeper && candidate.kubelet)) {
    const copy = new Fields(target.root.map.clone() as typeof target.root.map);
    const copyName = newClassName(`${name}-${variant.pools[0].object.name}`);
    copy.inner('metadata')?.set('name', copyName);
    setKubelet(copy, variant);
    target.addCopy(copy);
    for (const pool of variant.pools) nodeClassRefOf(pool)?.set('name', copyName);
    noteChange(
      variant,
      `the kubelet settings move to a new EC2NodeClass ${copyName}: the NodePools that share ${name} have different settings`,
    );
  }
  if (!keeper?.kubelet) return;
  setKubelet(target.root, keeper);
  target.markChanged();
  noteChange(keeper, `the kubelet settings move to EC2NodeClass ${name}`);
}

function setKubelet(root: Fields, { kubelet, pools: [{ object }] }: KubeletVariant): void {
  const spec = root.inner('spec');
  spec?.take('kubelet');
  spec?.set('kubelet', kubelet!.map.clone());
  if (spec) dropUnsupported(object, spec);
}

/** Comments out settings that the AMI family ignores: v1 reports a node class with them as not ready. */
function dropUnsupported(object: LegacyObject, spec: Fields): void {
  const kubelet = spec.inner('kubelet')!;
  const family = amiFamilyOfClass(asRecord(jsonOf(spec.map))!);
  for (const {
    path: [field],
    problem,
  } of checkKubeletOfFamily([], asRecord(jsonOf(kubelet.map))!, family)) {
    const [first] = kubelet.items('clusterDNS');
    object.commentOut(kubelet.take(valueText(field)), spec, `kubelet: ${field} ${problem}`);
    // These AMI families used the first address only.
    if (field === 'clusterDNS') kubelet.set('clusterDNS', [jsonOf(first)]);
  }
  spec.dropEmpty('kubelet');
}

function leaveAsComments(variants: readonly KubeletVariant[], name: string): void {
  for (const { kubelet, pools } of variants) {
    for (const pool of kubelet ? pools : []) {
      const holder = Fields.empty();
      holder.set('kubelet', pool.kubelet);
      const why = `kubelet settings belong to the EC2NodeClass in v1, and EC2NodeClass ${name} is not in the input`;
      pool.object.note('todo', why);
      pool.root.inner('spec')?.keepAsComment(holder.find('kubelet')!, why);
    }
  }
}

function noteChange({ pools }: KubeletVariant, message: string): void {
  for (const { object } of pools) object.note('changed', message);
}

function groupByClass(pools: readonly ResultPool[]): Map<string, ResultPool[]> {
  const groups = new Map<string, ResultPool[]>();
  for (const pool of pools) {
    const name = nodeClassRefOf(pool)?.text('name') ?? '';
    groups.set(name, [...(groups.get(name) ?? []), pool]);
  }
  return groups;
}

function variantsOf(pools: readonly ResultPool[]): KubeletVariant[] {
  const variants: KubeletVariant[] = [];
  for (const pool of pools) {
    const kubelet = pool.kubelet && toClassKubelet(pool.object, pool.kubelet, pool.root.inner('spec')!);
    const settingsKey = kubelet ? canonicalJson(jsonOf(kubelet.map)) : '';
    const variant = variants.find((candidate) => candidate.settingsKey === settingsKey);
    if (variant) variant.pools.push(pool);
    else variants.push({ settingsKey, kubelet, pools: [pool] });
  }
  return variants;
}

/** JSON text with sorted keys. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`)
    .join()}}`;
}

function nodeClassRefOf({ root }: ResultPool): Fields | undefined {
  return root.inner('spec')?.inner('template')?.inner('spec')?.inner('nodeClassRef');
}

/** The kubelet settings of a pool as an EC2NodeClass accepts them; undefined if none is left. */
function toClassKubelet(object: LegacyObject, kubelet: Fields, comments: Fields): Fields | undefined {
  object.commentOut(
    kubelet.take('containerRuntime'),
    comments,
    'kubelet: containerRuntime has no successor, every AMI runs containerd',
    'kept',
  );
  for (const name of ['systemReserved', 'kubeReserved']) quoteAmounts(kubelet.inner(name));
  if (!kubelet.isEmpty) return kubelet;
  comments.addComment(kubelet.map.comment);
  return undefined;
}

/** Quotes amounts: a pool could have numbers, an EC2NodeClass needs strings. */
function quoteAmounts(amounts: Fields | undefined): void {
  for (const { value } of amounts?.entries ?? []) {
    const scalar = value as Scalar;
    if (typeof jsonOf(scalar) === 'number')
      Object.assign(scalar, { value: valueText(jsonOf(scalar)), type: Scalar.QUOTE_DOUBLE });
  }
}
