import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Catalog, DEFAULT_NODE_CLASS, describeInstanceType } from '../../src/catalog';

const POD_ENI = 'vpc.amazonaws.com/pod-eni';
const sample = JSON.parse(readFileSync(join(__dirname, 'fixtures/allocatable-sample.json'), 'utf8')) as Record<
  string,
  Record<string, string>
>;
const rows = Object.entries(sample).map(([name, { ' Resource ': heading, ...published }]) => ({ name, published }));
const catalog = Catalog.load();
const table = catalog.resolve(DEFAULT_NODE_CLASS);

function allocatable(name: string): Record<string, string> {
  return { ...describeInstanceType(table, catalog.names.indexOf(name)).allocatable };
}

function without(
  resource: string,
  { [resource]: left, ...rest }: Readonly<Record<string, string>>,
): Record<string, string> {
  return rest;
}

describe('the published reference of an AL2023 node', () => {
  test('covers 453 types', () => {
    expect(rows).toHaveLength(453);
  });

  test('is reproduced exactly, except for branch interfaces that the reference lacks', () => {
    const wrong = rows
      .map(({ name, published }) => ({
        name,
        published,
        computed: POD_ENI in published ? allocatable(name) : without(POD_ENI, allocatable(name)),
      }))
      .filter(
        ({ published, computed }) =>
          JSON.stringify(Object.entries(published).sort()) !== JSON.stringify(Object.entries(computed).sort()),
      );
    expect(wrong).toEqual([]);
  });

  test('lacks branch interfaces only for types newer than the reference', () => {
    const families = rows
      .filter(({ name, published }) => !(POD_ENI in published) && POD_ENI in allocatable(name))
      .map(({ name }) => name.split('.')[0]);
    expect([...new Set(families)].sort()).toEqual(['c9g', 'm8gn', 'm8in', 'r8gb', 'r8ib', 'r8idb', 'r8in']);
  });
});
