import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { navigationBar, Section, sidebar, submodules } from '../../../tools/site/navigation';
import { addressOf, DOCS, docsPages } from '../../../tools/site/pages';

function addressesIn(sections: ReadonlyArray<Section | { readonly link: string }>): string[] {
  return sections.flatMap((each) => [
    ...(each.link === undefined ? [] : [each.link]),
    ...('items' in each ? addressesIn(each.items) : []),
  ]);
}

const GENERATED = ['/api/', ...submodules().map((name) => `/api/${name}`)];
const pages = docsPages().map(addressOf);
const beside = addressesIn(sidebar());

test('the sidebar lists each page of docs/ once, except the home page', () => {
  expect(pages.filter((page) => page !== '/' && beside.filter((address) => address === page).length !== 1)).toEqual([]);
});

test('the sidebar has no address without a page', () => {
  expect(beside.filter((address) => !pages.includes(address) && !GENERATED.includes(address))).toEqual([]);
});

test('the bar at the top has no address without a page', () => {
  const addresses = addressesIn(navigationBar() as Section[]).filter((address) => !address.startsWith('https:'));
  const isFile = (address: string) => existsSync(join(DOCS, 'public', address));
  expect(
    addresses.filter((address) => !pages.includes(address) && !GENERATED.includes(address) && !isFile(address)),
  ).toEqual([]);
});

test('the sidebar has the rules by chapter', () => {
  const rules = sidebar().find(({ text }) => text === 'Rules')!;
  expect(rules.items.map(({ text }) => text)).toContain('Disruption and availability');
  expect(addressesIn(rules.items)).toContain('/rules/KARP-301');
});
