import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CA_BUNDLE, NODE_CLASSES, NODE_POOLS, nodeClass } from './hash-cases';
import { nodeClassHash, nodeClassHashAfter, nodePoolHash } from '../../../src/contract';

type Hashes = Readonly<Record<string, string>>;
const karpenters: { readonly nodePools: Hashes; readonly nodeClasses: Hashes } = JSON.parse(
  readFileSync(join(__dirname, '../../conformance/facts.json'), 'utf8'),
);

describe('nodePoolHash', () => {
  test.each(Object.entries(NODE_POOLS))("equals Karpenter's hash: %s", (name, manifest) => {
    expect(nodePoolHash(manifest)).toBe(karpenters.nodePools[name]);
  });

  test('does not change with fields that cause no drift', () => {
    for (const name of ['other requirements', 'all that is not the template'])
      expect(nodePoolHash(NODE_POOLS[name])).toBe(nodePoolHash(NODE_POOLS.plain));
  });
});

describe('nodeClassHash', () => {
  test.each(Object.entries(NODE_CLASSES))("equals Karpenter's hash: %s", (name, manifest) => {
    expect(nodeClassHash(manifest, CA_BUNDLE)).toBe(karpenters.nodeClasses[name]);
  });

  test.each(Object.entries(NODE_CLASSES))('is computed after a change without the CA bundle: %s', (name, manifest) => {
    expect(nodeClassHashAfter(karpenters.nodeClasses.plain, nodeClass(), manifest)).toBe(karpenters.nodeClasses[name]);
  });
});
