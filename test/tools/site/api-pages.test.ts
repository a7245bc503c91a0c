import { join } from 'node:path';
import { ApiType, readApi } from '../../../tools/site/api-model';
import { apiPages } from '../../../tools/site/api-pages';
import { anchorOf } from '../../../tools/site/headings';
import { submodules } from '../../../tools/site/navigation';

let types: readonly ApiType[];
let pages: ReadonlyMap<string, string>;
beforeAll(async () => {
  types = await readApi(join(__dirname, '../../..'));
  pages = apiPages(types);
});

test('there is a page for each submodule, and one that lists them', () => {
  expect([...pages.keys()].sort()).toEqual([...submodules(), 'index'].sort());
});

test('the list describes each submodule', () => {
  const described = [...pages.get('index')!.matchAll(/^\| \[(\w+)\]\(\w+\.md\) \| \S.*\[Guide\]/gm)].map(
    ([, name]) => name,
  );
  expect(described).toEqual(submodules());
});

test('each type of the compiled API is on the page of its submodule', () => {
  expect(types.length).toBeGreaterThan(100);
  expect(types.filter(({ submodule, name }) => !pages.get(submodule)!.includes(`\n## ${name}\n`))).toEqual([]);
});

test('links between types lead to headings', () => {
  const headings = new Map(
    [...pages].map(([name, text]) => [
      `${name}.md`,
      [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => anchorOf(heading)),
    ]),
  );
  const broken = [...pages].flatMap(([name, text]) =>
    [...text.matchAll(/\]\(([\w-]*(?:\.md)?)#([\w-]+)\)/g)]
      .filter(([, page, anchor]) => headings.get(page === '' ? `${name}.md` : page)?.includes(anchor) !== true)
      .map(([link]) => `${name}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('a property has its type, its description and its default', () => {
  const limits = types.find(({ name }) => name === 'NodePoolLimits')!;
  expect(limits.members.find(({ name }) => name === 'memory')).toMatchObject({
    group: 'Properties',
    type: 'cdk8s.Size',
    default: 'no limit',
    isRequired: false,
    description: 'Memory.',
  });
});

test('a method has its signature and what its parameters are for', () => {
  expect(pages.get('nodes')).toContain(
    '`DisruptionBudget.percent(percent: number, options?: DisruptionBudgetOptions)`',
  );
  expect(pages.get('nodes')).toContain('`percent`: whole number from 0 to 100.');
});
