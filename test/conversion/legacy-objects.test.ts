import fc from 'fast-check';
import { legacyObjects } from './legacy-objects';
import { convert, refusals } from './setup';

const toText = (objects: readonly object[]) => objects.map((object) => JSON.stringify(object)).join('\n---\n');

/** Every text, number and key in a value. */
function atoms(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(atoms);
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([key, child]) => [key, ...atoms(child)]);
  return [String(value)];
}

/** What is called otherwise in v1, split, rounded, or moved. */
const RENAMED = new RegExp(`^(?:${[
  'karpenter\\.sh/(?:v1alpha5|v1beta1|provisioner-name)', 'karpenter\\.k8s\\.aws/(?:v1alpha1|v1beta1)', 'Provisioner', 'AWSNodeTemplate', 'providerRef',
  'kubelet(?:Configuration)?', 'ttlSeconds.*', 'consolidation', 'enabled', 'resources', 'limits', 'WhenUnderutilized', '(?:subnet|securityGroup|ami)Selector',
  'aws.*', '.*,.*', 'true|false|\\d+', 'amiFamily|AL2|AL2023|Bottlerocket|Ubuntu|Windows\\d+', '1500M|100Mi',
  // Objects without a field.
  'labels|annotations|taints|metadata|disruption|metadataOptions|kubeReserved|systemReserved|blockDeviceMappings|tags',
].join('|')})$`);

describe('any objects of an earlier API', () => {
  test('become objects that the API server and Karpenter accept', () => {
    fc.assert(fc.property(legacyObjects, (objects) => {
      const { text } = convert(toText(objects));
      expect(refusals(text).map(({ message }) => message)).toEqual([]);
    }), { numRuns: 80 });
  });

  test('become the same when they are converted again', () => {
    fc.assert(fc.property(legacyObjects, (objects) => {
      const { text } = convert(toText(objects));
      expect(convert(text)).toMatchObject({ text, notes: [] });
    }), { numRuns: 50 });
  });

  test('leave no key and no value behind: what is not in the objects is in the comments', () => {
    fc.assert(fc.property(legacyObjects, (objects) => {
      const { text } = convert(toText(objects));
      const lost = atoms(objects).flatMap((atom) => atom.split(/\s+/)).filter((atom) => !RENAMED.test(atom) && !text.includes(atom));
      expect(lost).toEqual([]);
    }), { numRuns: 50 });
  });
});
