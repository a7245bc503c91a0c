import type { Case, KubernetesObject } from './corpus';
import { isMap, merge, withValue } from './json-path';
import { edits } from './mutations';
import { Node, nodes } from './schema-walk';
import { variants } from './variants';
import { KindSchema, kindsOf } from '../../src/contract';
import { Dice } from '../schedule/scenario/dice';

const MOST_STEPS = 3;
/** How often a step tries what the schema says, and how often it takes over what another object has there. */
const BY_SCHEMA = 0.1;
const BY_TRANSPLANT = 0.4;
const METADATA_EDITS = 0.05;

/** Patches of metadata, good and bad. */
const METADATA = [
  { name: 'a'.repeat(63) }, { name: 'a'.repeat(64) }, { name: 'a'.repeat(254) }, { name: 'a..b' }, { name: '-a' }, { name: '' }, { name: 5 }, { name: 'ä' },
  { labels: { 'example.com/a': 'b' } }, { labels: { 'example.com/a/b': 'c' } }, { labels: { a: 'b'.repeat(64) } },
  { labels: [] }, { labels: { '': 'a' } },
  { annotations: { 'Example.com/A': 'b' } }, { annotations: { a: true } }, { annotations: 'a' }, { generateName: 'A-' }, { generateName: 'a-' },
  { namespace: 'other' }, { namespace: '' }, { namespace: 'A' }, { finalizers: ['a/b'] }, { finalizers: ['a b'] }, { finalizers: 'a' }, { resourceVersion: '5' }, { uid: 'a' },
  { generation: 5 }, { creationTimestamp: '2026-01-02T03:04:05Z' }, { creationTimestamp: 'today' }, { deletionTimestamp: '2026-01-02T03:04:05Z' },
  { managedFields: [] }, { ownerReferences: [{}] }, { clusterName: 'a' }, { selfLink: 'a' }, { unknown: 1 },
];

/** Objects made of accepted ones by a few random changes each: the same ones for the same seed. */
export function mutants(
  seed: number, count: number, release: string, accepted: readonly KubernetesObject[], all: readonly Case[],
): KubernetesObject[] {
  const dice = new Dice(seed);
  const seen = valuesByField(all, release);
  return Array.from({ length: count }, () => {
    let object = dice.pick(accepted);
    for (let step = dice.between(0, MOST_STEPS - 1); step >= 0; step--) object = mutate(object, release, dice, seen);
    return object;
  });
}

type SeenValues = ReadonlyMap<string, readonly unknown[]>;

/** What the objects written by hand have at each field; those made by the schema are mostly of a wrong type. */
function valuesByField(all: readonly Case[], release: string): SeenValues {
  const seen = new Map<string, Map<string, unknown>>();
  for (const { object } of all.filter(({ field }) => field === undefined)) {
    const kind = kindOf(object, release);
    for (const { field, value } of kind ? nodes(object, kind) : []) {
      const values = seen.get(`${object.kind} ${field}`) ?? new Map<string, unknown>();
      seen.set(`${object.kind} ${field}`, values.set(JSON.stringify(value), value));
    }
  }
  return new Map([...seen].map(([field, values]) => [field, [...values.values()]]));
}

function kindOf({ apiVersion, kind }: KubernetesObject, release: string): KindSchema | undefined {
  return kindsOf(release).find((candidate) => candidate.apiVersion === apiVersion && candidate.kind === kind);
}

function mutate(object: KubernetesObject, release: string, dice: Dice, seen: SeenValues): KubernetesObject {
  if (dice.fraction() < METADATA_EDITS) return { ...object, metadata: merge(object.metadata, dice.pick(METADATA)) };
  const kind = kindOf(object, release)!;
  const found = nodes(object, kind);
  if (found.length === 0) return object;
  const node = dice.pick(found);
  return withValue(object, node.path, replacement(node, String(object.kind), dice, seen)) as KubernetesObject;
}

function replacement(node: Node, kind: string, dice: Dice, seen: SeenValues): unknown {
  const choice = dice.fraction();
  if (choice < BY_SCHEMA) return dice.pick(variants(node.value, node.schema)).value;
  if (choice < BY_SCHEMA + BY_TRANSPLANT) return dice.pick(seen.get(`${kind} ${node.field}`) ?? [node.value]);
  // A field that is not there yet, from an object that has it.
  if (isMap(node.value) && node.schema.properties && dice.fraction() < BY_TRANSPLANT) {
    const name = dice.pick(Object.keys(node.schema.properties));
    const values = seen.get(`${kind} ${node.field}.${name}`);
    return values ? { ...node.value, [name]: dice.pick(values) } : node.value;
  }
  return edits(node.value, dice);
}
