import { digestOf, readRecord, recordedVerdict } from '../../../conformance/crd/recorded';
import { INTENDED_DIFFERENCES, ourVerdict } from '../../../conformance/crd/verdicts';
import { RELEASES } from '../../../conformance/versions/releases';
import { KARPENTER_RELEASES, KindSchema, kindsOf } from '../../../src/contract';
import { Case, corpus } from '../../support/api-objects/corpus';
import { nodes, places } from '../../support/api-objects/schema-walk';

/** Enough for thousands of objects on slow machines. */
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

/** The field of a path: `spec.taints[].key` for `spec.taints[0].key`. */
function fieldOf(path: string): string {
  return path.replace(/\[\d+\]/g, '[]');
}

test('the record has verdicts of every release whose CRDs this package contains', () => {
  expect(RELEASES.map(({ provider }) => provider)).toEqual(KARPENTER_RELEASES);
  expect(Object.keys(record.digests)).toEqual([...KARPENTER_RELEASES].reverse());
});

describe.each(KARPENTER_RELEASES)('Karpenter %s', (release) => {
  const cases = corpus(release);

  test('the recorded verdicts belong to the current corpus; after a change, run npx tsx conformance/crd/record.ts', () => {
    expect(digestOf(cases)).toBe(record.digests[release]);
  });

  test(
    'accepts and rejects the same objects as Karpenter and the API server',
    () => {
      const different = cases.filter((corpusCase) => {
        const ours = ourVerdict(corpusCase.object, release);
        const onPurpose = INTENDED_DIFFERENCES.some((difference) => difference.applies(corpusCase.object, release));
        return ours.crash !== undefined || (ours.accepted !== accepted(corpusCase, release) && !onPurpose);
      });
      expect(different.map(({ name }) => name)).toEqual([]);
    },
    LONG_MS,
  );

  test('each field is in an accepted object, and in a rejected one that differs from it only in this field', () => {
    for (const kind of kindsOf(release)) {
      const ofKind = cases.filter((corpusCase) => isOfKind(corpusCase, kind));
      const passing = fieldsOf(
        ofKind.filter((corpusCase) => accepted(corpusCase, release)),
        kind,
      );
      const rejected = ofKind.filter((corpusCase) => corpusCase.field !== undefined && !accepted(corpusCase, release));
      const failing = new Set(rejected.map(({ field }) => field));
      const fields = places(kind).map(({ field }) => field);
      expect(fields.length).toBeGreaterThan(5);
      expect(
        fields.filter((field) => !passing.has(field)).map((field) => `${kind.kind} ${field} is in no accepted object`),
      ).toEqual([]);
      expect(
        fields.filter((field) => !failing.has(field)).map((field) => `${kind.kind} ${field} is invalid in no object`),
      ).toEqual([]);
    }
  });

  test('each CEL rule is met by one object and broken by another, except rules that compare with the old object', () => {
    for (const kind of kindsOf(release)) {
      const ofKind = cases.filter((corpusCase) => isOfKind(corpusCase, kind));
      const passing = fieldsOf(
        ofKind.filter((corpusCase) => accepted(corpusCase, release)),
        kind,
      );
      const broken = new Set(
        ofKind
          .flatMap(({ name }) => recordedVerdict(record, name, release)!)
          .filter((refusal) => refusal.class === 'cel')
          .map(({ field, detail }) => `${fieldOf(field)}: ${detail}`),
      );
      const rules = places(kind).flatMap(({ field, schema }) =>
        (schema['x-kubernetes-validations'] ?? [])
          .filter(({ rule }) => !rule.includes('oldSelf'))
          .map(({ message }) => ({ field, message })),
      );
      expect(
        rules
          .filter(({ field }) => !passing.has(field))
          .map(({ field, message }) => `${kind.kind} ${field}: ${message} is met by no object`),
      ).toEqual([]);
      expect(
        rules
          .map(({ field, message }) => `${field}: ${message}`)
          .filter((rule) => !broken.has(rule))
          .map((rule) => `${kind.kind} ${rule} is broken by no object`),
      ).toEqual([]);
    }
  });
});
