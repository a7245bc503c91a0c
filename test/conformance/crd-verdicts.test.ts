import { Case, corpus } from '../../conformance/crd/corpus';
import { ON_PURPOSE } from '../../conformance/crd/differences';
import { digestOf, readRecord, recordedVerdict } from '../../conformance/crd/recorded';
import { nodes, places } from '../../conformance/crd/schema-walk';
import { ourVerdict } from '../../conformance/crd/verdicts';
import { RELEASES } from '../../conformance/versions/releases';
import { KARPENTER_RELEASES, KindSchema, kindsOf } from '../../src/contract';

/** There are thousands of objects, and slow machines. */
const LONG_MS = 180_000;

const record = readRecord();

function accepted({ name }: Case, release: string): boolean {
  const verdict = recordedVerdict(record, name, release);
  if (verdict === undefined) throw new Error(`${name}: no verdict of ${release}`);
  return verdict.length === 0;
}

function isOfKind({ object }: Case, { apiVersion, kind }: KindSchema): boolean {
  return object.apiVersion === apiVersion && object.kind === kind;
}

function fieldsOf(cases: readonly Case[], kind: KindSchema): ReadonlySet<string> {
  return new Set(cases.flatMap(({ object }) => nodes(object, kind).map(({ field }) => field)));
}

/** `spec.taints[].key` of `spec.taints[0].key`. */
function fieldOf(path: string): string {
  return path.replace(/\[\d+\]/g, '[]');
}

test('every release whose CRDs this package has was asked', () => {
  expect(RELEASES.map(({ provider }) => provider)).toEqual(KARPENTER_RELEASES);
  expect(Object.keys(record.digests)).toEqual([...KARPENTER_RELEASES].reverse());
});

describe.each(KARPENTER_RELEASES)('Karpenter %s', (release) => {
  const cases = corpus(release);

  test('the recorded verdicts are on the objects of the corpus; if it has changed, npx tsx conformance/crd/record.ts asks again', () => {
    expect(digestOf(cases)).toBe(record.digests[release]);
  });

  test('we accept and refuse what Karpenter and the API server accept and refuse', () => {
    const different = cases.filter((found) => {
      const ours = ourVerdict(found.object, release);
      const onPurpose = ON_PURPOSE.some((known) => known.applies(found.object, release));
      return ours.crash !== undefined || (ours.accepted !== accepted(found, release) && !onPurpose);
    });
    expect(different.map(({ name }) => name)).toEqual([]);
  }, LONG_MS);

  test('each field is in an object that is accepted, and one that is not differs from it in this field alone', () => {
    for (const kind of kindsOf(release)) {
      const ofKind = cases.filter((found) => isOfKind(found, kind));
      const passing = fieldsOf(ofKind.filter((found) => accepted(found, release)), kind);
      const failing = new Set(ofKind.filter((found) => found.field !== undefined && !accepted(found, release)).map(({ field }) => field));
      const fields = places(kind).map(({ field }) => field);
      expect(fields.length).toBeGreaterThan(5);
      expect(fields.filter((field) => !passing.has(field)).map((field) => `${kind.kind} ${field} is in no accepted object`)).toEqual([]);
      expect(fields.filter((field) => !failing.has(field)).map((field) => `${kind.kind} ${field} is wrong in no object`)).toEqual([]);
    }
  });

  test('each rule of CEL is kept by an object and broken by another, but for those that compare an object with what it was', () => {
    for (const kind of kindsOf(release)) {
      const ofKind = cases.filter((found) => isOfKind(found, kind));
      const passing = fieldsOf(ofKind.filter((found) => accepted(found, release)), kind);
      const broken = new Set(ofKind.flatMap(({ name }) => recordedVerdict(record, name, release)!)
        .filter((refusal) => refusal.class === 'cel').map(({ field, detail }) => `${fieldOf(field)}: ${detail}`));
      const rules = places(kind).flatMap(({ field, schema }) => (schema['x-kubernetes-validations'] ?? [])
        .filter(({ rule }) => !rule.includes('oldSelf')).map(({ message }) => ({ field, message })));
      expect(rules.filter(({ field }) => !passing.has(field)).map(({ field, message }) => `${kind.kind} ${field}: ${message} is kept by no object`)).toEqual([]);
      expect(rules.map(({ field, message }) => `${field}: ${message}`).filter((rule) => !broken.has(rule)).map((rule) => `${kind.kind} ${rule} is broken by no object`))
        .toEqual([]);
    }
  });
});
