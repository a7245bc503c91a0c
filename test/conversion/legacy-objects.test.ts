import fc from 'fast-check';
import { legacyObjects } from './legacy-objects';
import { convert, refusals } from './setup';

const toText = (objects: readonly object[]) => objects.map((object) => JSON.stringify(object)).join('\n---\n');

/** All keys and scalars of a value, as strings. */
function atoms(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(atoms);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, child]) => [key, ...atoms(child)]);
  return [String(value)];
}

/** Keys and values that v1 renames, splits, rounds or moves. */
const RENAMED = new RegExp(
  `^(?:${[
    'karpenter\\.sh/(?:v1alpha5|v1beta1|provisioner-name)',
    'karpenter\\.k8s\\.aws/(?:v1alpha1|v1beta1)',
    'Provisioner',
    'AWSNodeTemplate',
    'providerRef',
    'kubelet(?:Configuration)?',
    'ttlSeconds.*',
    'consolidation',
    'enabled',
    'resources',
    'limits',
    'WhenUnderutilized',
    '(?:subnet|securityGroup|ami)Selector',
    'aws.*',
    '.*,.*',
    'true|false|\\d+',
    'amiFamily|AL2|AL2023|Bottlerocket|Ubuntu|Windows\\d+',
    '1500M|100Mi',
    // Keys whose object may be empty.
    'labels|annotations|taints|metadata|disruption|metadataOptions|kubeReserved|systemReserved|blockDeviceMappings|tags',
  ].join('|')})$`,
);

describe('converting generated legacy objects', () => {
  test('returns objects that the API server and Karpenter accept', () => {
    fc.assert(
      fc.property(legacyObjects, (objects) => {
        const { text } = convert(toText(objects));
        expect(refusals(text).map(({ message }) => message)).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  test('changes nothing when the result is converted again', () => {
    fc.assert(
      fc.property(legacyObjects, (objects) => {
        const { text } = convert(toText(objects));
        expect(convert(text)).toMatchObject({ text, notes: [] });
      }),
      { numRuns: 50 },
    );
  });

  test('keeps every key and value, in the objects or in comments', () => {
    fc.assert(
      fc.property(legacyObjects, (objects) => {
        const { text } = convert(toText(objects));
        const lost = atoms(objects)
          .flatMap((atom) => atom.split(/\s+/))
          .filter((atom) => !RENAMED.test(atom) && !text.includes(atom));
        expect(lost).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
