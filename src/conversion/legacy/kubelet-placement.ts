import { toClassKubelet } from './kubelet';
import { LegacyObject } from './legacy-object';
import { amiFamilyOfClass, asRecord, checkKubeletOfFamily } from '../../contract';
import { Fields } from '../yaml/fields';
import { plainOf } from '../yaml/plain';

/** A NodePool of the result, converted or v1 all along. */
export interface PlacedPool {
  readonly object: LegacyObject;
  readonly root: Fields;
  /** What its kubelets are to be like, of a pool that said so itself. */
  readonly kubelet?: Fields;
}

/** An EC2NodeClass of the result. */
export interface PlacedClass {
  readonly root: Fields;
  /** Puts another class behind this one. */
  addCopy(root: Fields): void;
  /** Says that the class is not what it was. */
  touch(): void;
}

/** Pools that want the same of their kubelets; `key` is empty where they say nothing. */
interface Variant { readonly key: string; readonly kubelet?: Fields; readonly pools: PlacedPool[] }

/**
 * Moves kubelet settings from pools to the classes that they refer to. Where pools that share a class differ, all but
 * one kind of them get a copy of the class.
 *
 * @param newClassName makes a name unique
 */
export function placeKubelets(pools: readonly PlacedPool[], classes: ReadonlyMap<string, PlacedClass>, newClassName: (name: string) => string): void {
  for (const [name, users] of groupByClass(pools)) {
    const target = classes.get(name);
    const variants = variantsOf(users);
    if (!target) leaveAsComments(variants, name);
    else place(variants, name, target, newClassName);
  }
}

function place(variants: readonly Variant[], name: string, target: PlacedClass, newClassName: (name: string) => string): void {
  const own = target.root.inner('spec')?.has('kubelet') ?? false;
  const first = variants.find(({ key }) => key === '') ?? (own ? undefined : variants[0]);
  for (const variant of variants.filter((candidate) => candidate !== first && candidate.kubelet)) {
    const copy = new Fields(target.root.map.clone() as typeof target.root.map);
    const copyName = newClassName(`${name}-${variant.pools[0].object.name}`);
    copy.inner('metadata')?.set('name', copyName);
    setKubelet(copy, variant);
    target.addCopy(copy);
    for (const pool of variant.pools) refTo(pool)?.set('name', copyName);
    tell(variant, `the kubelet settings are in an EC2NodeClass of their own now, ${copyName}: NodePools that share ${name} differ in them`);
  }
  if (!first?.kubelet) return;
  setKubelet(target.root, first);
  target.touch();
  tell(first, `the kubelet settings are in EC2NodeClass ${name} now`);
}

function setKubelet(root: Fields, { kubelet, pools: [{ object }] }: Variant): void {
  const spec = root.inner('spec');
  spec?.take('kubelet');
  spec?.set('kubelet', kubelet!.map.clone());
  if (spec) dropUnsupported(object, spec);
}

/** What the AMI family never handed to the kubelet, and now makes the class not ready. */
function dropUnsupported(object: LegacyObject, spec: Fields): void {
  const kubelet = spec.inner('kubelet')!;
  const family = amiFamilyOfClass(asRecord(plainOf(spec.map))!);
  for (const { path: [field], problem } of checkKubeletOfFamily([], asRecord(plainOf(kubelet.map))!, family)) {
    const [first] = kubelet.items('clusterDNS');
    object.retire(kubelet.take(String(field)), spec, `kubelet: ${field} ${problem}`);
    // These families took the first address and no other.
    if (field === 'clusterDNS') kubelet.set('clusterDNS', [plainOf(first)]);
  }
  spec.dropEmpty('kubelet');
}

function leaveAsComments(variants: readonly Variant[], name: string): void {
  for (const { kubelet, pools } of variants) {
    for (const pool of kubelet ? pools : []) {
      const holder = Fields.empty();
      holder.set('kubelet', pool.kubelet);
      const why = `EC2NodeClass ${name} is not among the files, and the kubelet settings belong to it now`;
      pool.object.note('todo', why);
      pool.root.inner('spec')?.keepAsComment(holder.find('kubelet')!, why);
    }
  }
}

function tell({ pools }: Variant, message: string): void {
  for (const { object } of pools) object.note('changed', message);
}

function groupByClass(pools: readonly PlacedPool[]): Map<string, PlacedPool[]> {
  const groups = new Map<string, PlacedPool[]>();
  for (const pool of pools) {
    const name = refTo(pool)?.text('name') ?? '';
    groups.set(name, [...groups.get(name) ?? [], pool]);
  }
  return groups;
}

function variantsOf(pools: readonly PlacedPool[]): Variant[] {
  const variants: Variant[] = [];
  for (const pool of pools) {
    const kubelet = pool.kubelet && toClassKubelet(pool.object, pool.kubelet, pool.root.inner('spec')!);
    const key = kubelet ? canonical(plainOf(kubelet.map)) : '';
    const same = variants.find((variant) => variant.key === key);
    if (same) same.pools.push(pool); else variants.push({ key, kubelet, pools: [pool] });
  }
  return variants;
}

/** The same text for the same settings, in whatever order they are written. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key])}`).join()}}`;
}

function refTo({ root }: PlacedPool): Fields | undefined {
  return root.inner('spec')?.inner('template')?.inner('spec')?.inner('nodeClassRef');
}
