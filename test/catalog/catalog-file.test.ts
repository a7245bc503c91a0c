import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compactCatalog, readInstanceTypes } from '../../data/generate';

test('data/catalog.json equals what data/generate.ts writes for data/instance-types.json', () => {
  const current = compactCatalog(readInstanceTypes());
  // Not toBe: a difference of 200 kB would be printed.
  expect(readFileSync(join(__dirname, '../../data/catalog.json'), 'utf8') === current).toBe(true);
});

test('the generator rejects a pod count that no number of interfaces explains', () => {
  const [type] = readInstanceTypes();
  expect(() => compactCatalog([{ ...type, eniLimitedPods: 57 }])).toThrow('a1.medium: no whole number of interfaces gives 57 pods');
});
