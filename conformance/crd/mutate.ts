import { edits } from './mutations';
import { KindSchema, kindsOf } from '../../src/contract';
import type { Case, KubernetesObject } from '../../test/support/api-objects/corpus';
import { isMap, merge, withValue } from '../../test/support/api-objects/json-path';
import { Node, nodes } from '../../test/support/api-objects/schema-walk';
import { variants } from '../../test/support/api-objects/variants';
import { Dice } from '../../test/support/schedule-scenario/dice';

const MAX_STEPS = 3;
/** Share of steps that use a variant of the schema, and share that copy the value of another object. */
const BY_SCHEMA = 0.1;
const BY_TRANSPLANT = 0.4;
const METADATA_EDITS = 0.05;

/** Patches of metadata, valid and invalid. */
const METADATA = [
  { name: 'a'.repeat(63) },
  { name: 'a'.repeat(64) },
  { name: 'a'.repeat(254) },
  { name: 'a..b' },
  { name: '-a' },
  { name: '' },
  { name: 5 },
  { name: 'ä' },
  { labels: { 'example.com/a': 'b' } },
  { labels: { 'example.com/a/b': 'c' } },
  { labels: { a: 'b'.repeat(64) } },
  { labels: [] },
  { labels: { '': 'a' } },
  { annotations: { 'Example.com/A': 'b' } },
  { annotations: { a: true } },
  { annotations: 'a' },
  { generateName: 'A-' },
  { generateName: 'a-' },
  { namespace: 'other' },
  { namespace: '' },
  { namespace: 'A' },
  { finalizers: ['a/b'] },
  { finalizers: ['a b'] },
  { finalizers: 'a' },
  { resourceVersion: '5' },
  { uid: 'a' },
  { generation: 5 },
  { creationTimestamp: '2026-01-02T03:04:05Z' },
  { creationTimestamp: 'today' },
  { deletionTimestamp: '2026-01-02T03:04:05Z' },
  { managedFields: [] },
  { ownerReferences: [{}] },
  { clusterName: 'a' },
  { selfLink: 'a' },
  { unknown: 1 },
];

/** Accepted objects with a few random changes each: always the same for the same seed. */
export function mutants(
  seed: number,
  count: number,
  release: string,
  accepted: readonly KubernetesObject[],
  all: readonly Case[],
): KubernetesObject[] {
  const dice = new Dice(seed);
  const seen = valuesByField(all, release);
  return Array.from({ length: count }, () => {
    let object = dice.pick(accepted);
    for (let step = dice.between(0, MAX_STEPS - 1); step >= 0; step--) object = mutate(object, release, dice, seen);
    return object;
  });
}

type SeenValues = ReadonlyMap<string, readonly unknown[]>;

/** Values of each field in the objects written by hand; the generated ones mostly have a wrong type. */
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
  const objectNodes = nodes(object, kind);
  if (objectNodes.length === 0) return object;
  const node = dice.pick(objectNodes);
  return withValue(object, node.path, replacement(node, String(object.kind), dice, seen)) as KubernetesObject;
}

function replacement(node: Node, kind: string, dice: Dice, seen: SeenValues): unknown {
  const choice = dice.fraction();
  if (choice < BY_SCHEMA) return dice.pick(variants(node.value, node.schema)).value;
  if (choice < BY_SCHEMA + BY_TRANSPLANT) return dice.pick(seen.get(`${kind} ${node.field}`) ?? [node.value]);
  // Adds a missing field with the value of another object.
  if (isMap(node.value) && node.schema.properties && dice.fraction() < BY_TRANSPLANT) {
    const name = dice.pick(Object.keys(node.schema.properties));
    const values = seen.get(`${kind} ${node.field}.${name}`);
    return values ? { ...node.value, [name]: dice.pick(values) } : node.value;
  }
  return edits(node.value, dice);
}
