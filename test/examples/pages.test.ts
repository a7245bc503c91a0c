import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { anchorOf } from '../../tools/site/headings';
import { REPOSITORY } from '../../tools/site/links';
import { docsPages } from '../../tools/site/pages';
import { run } from '../cli/run';

const ROOT = join(__dirname, '../..');
const FOLDERS = ['', 'conformance', 'data', 'examples', 'test/aws'];
/** Parts of pages in docs/troubleshooting. Their links are relative to that folder, and checked there. */
const SOURCES = /^troubleshooting\//;
const PAGES = [
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: folder === 'examples', encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && file !== 'API.md' && !SOURCES.test(file))
      .map((file) => join(folder, file)),
  ),
  ...docsPages().map((page) => `docs/${page}`),
];
const GUIDES = PAGES.filter((page) => page === 'README.md' || /^docs\/(?!rules\/|decisions\/)/.test(page));
const COMMANDS = ['check', 'explain', 'instance-types', 'convert', 'rules'];

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');
const prose = (page: string) => read(page).replaceAll(/^```.*?^```/gms, '');

/** The anchors that GitHub derives from the headings, and those that the page has. */
function anchors(page: string): string[] {
  const text = prose(page);
  return [
    ...[...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading)),
    ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id),
  ];
}

function isBroken(page: string, link: string): boolean {
  const [path, anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  return !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchors(target).includes(anchor));
}

test('README.md links to files that exist, with addresses that also work on npm and Construct Hub', () => {
  const links = [...read('README.md').matchAll(/(?<=\]\(|\b(?:src|srcset|href)=")[^)"\s]+/g)].map(([link]) => link);
  expect(links.filter((link) => !link.startsWith('https://'))).toEqual([]);
  const own = links
    .filter((link) => link.startsWith(REPOSITORY))
    .map((link) => link.slice(REPOSITORY.length).replace(/^\/(blob|tree|raw)\/main\//, ''));
  expect(own.length).toBeGreaterThan(20);
  expect(own.filter((link) => isBroken('README.md', link))).toEqual([]);
});

test.each(PAGES)('%s has no broken links to pages, files or headings', (page) => {
  const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link)
    .filter((link) => !/^\w+:/.test(link));
  expect(links.filter((link) => isBroken(page, link))).toEqual([]);
});

describe('command-line options', () => {
  const options = new Map<string, string[]>();
  beforeAll(async () => {
    for (const command of COMMANDS) {
      const { out } = await run([command, '--help']);
      options.set(
        command,
        [...out.split('\nExamples:')[0].matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option),
      );
    }
  });

  test('are each mentioned in README.md or docs/', () => {
    const text = GUIDES.map(read).join('\n');
    const documentable = [...new Set([...options.values()].flat())].filter((option) => option !== '--help');
    expect(documentable.filter((option) => !new RegExp(`${option}\\b`).test(text))).toEqual([]);
  });

  test('exist if a page shows them', () => {
    const lines = GUIDES.flatMap((page) => [
      ...read(page).matchAll(/karpenter-constructs (check|explain|instance-types|convert|rules)\b([^\n|`#]*)/g),
    ]);
    const unknown = lines.filter(([, command, rest]) =>
      (rest.match(/(?<=\s)--[a-z-]+/g) ?? []).some((option) => !options.get(command)!.includes(option)),
    );
    expect(lines.length).toBeGreaterThan(20);
    expect(unknown.map(([line]) => line)).toEqual([]);
  });
});

test('docs/validation.md lists the keys of the JSON verdict in order', async () => {
  const [, table] = /\*\*JSON\.\*\*.*?\n\n(.*?)\n\n/s.exec(read('docs/validation.md')) ?? [];
  const keys = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key);
  const { out } = await run([
    'check',
    join(ROOT, 'examples/how-to/cheaper'),
    '--first-pass', // the keys of settled fleets have a table of their own
    '--cost-by',
    'namespace',
    '--format',
    'json',
  ]);
  expect(keys).toEqual([...Object.keys(JSON.parse(out)), 'scenarios']);
});

test('docs/scenarios.md shows exactly the scenario summary that check prints', async () => {
  const { code, out } = await run([
    'check',
    join(ROOT, 'examples/explain/shop.yaml'),
    '--scenario',
    'all',
    '--fail-on',
    'never',
  ]);
  expect(code).toBe(0);
  const [, block] = /shop\.yaml --scenario all\n```\n\n```text\n(.*?)```/s.exec(read('docs/scenarios.md')) ?? [];
  expect(out).toContain(`\n\n${block}\nconsolidation: `);
});
