import { REPOSITORY, siteLink } from '../../../tools/site/links';

test.each<[string, string, string, string]>([
  ['a page of the site', 'explain.md', 'reports.md#on-github', 'reports.md#on-github'],
  ['the API reference', 'nodes.md', '../API.md', '/api/'],
  [
    'a file of the repository',
    'rules/KARP-301.md',
    '../../examples/rules/pool.yaml',
    `${REPOSITORY}/blob/main/examples/rules/pool.yaml`,
  ],
  ['a folder of the repository', 'languages.md', '../examples/languages', `${REPOSITORY}/tree/main/examples/languages`],
  ['another host', 'nodes.md', 'https://karpenter.sh', 'https://karpenter.sh'],
  ['a heading', 'nodes.md', '#example', '#example'],
])('resolves a link to %s', (_, page, link, expected) => {
  expect(siteLink(page, link)).toBe(expected);
});

test('refuses a link to a file that does not exist', () => {
  expect(() => siteLink('nodes.md', '../src/missing.ts')).toThrow(
    'docs/nodes.md links to ../src/missing.ts, which does not exist',
  );
});
