import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { check, renderJson } from '../../src/validation';
import { run } from '../cli/run';

const ROOT = join(__dirname, '../..');
const FOLDERS = ['', 'conformance', 'data', 'docs', 'docs/decisions', 'examples', 'test-aws'];
const PAGES = FOLDERS.flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: folder === 'examples', encoding: 'utf8' })
  .filter((file) => file.endsWith('.md') && file !== 'API.md')
  .map((file) => join(folder, file)));
const GUIDES = PAGES.filter((page) => page === 'README.md' || /^docs.[^/\\]*$/.test(page));
const COMMANDS = ['check', 'explain', 'instance-types', 'convert', 'rules'];

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');
const prose = (page: string) => read(page).replaceAll(/^```.*?^```/gms, '');

/** The anchors that GitHub derives from the headings. */
function anchors(page: string): string[] {
  return [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading.toLowerCase().replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-'));
}

test.each(PAGES)('%s has no broken links to pages, files or headings', (page) => {
  const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link).filter((link) => !/^\w+:/.test(link));
  const broken = links.filter((link) => {
    const [path, anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    return !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchors(target).includes(anchor));
  });
  expect(broken).toEqual([]);
});

describe('command-line options', () => {
  const options = new Map<string, string[]>();
  beforeAll(async () => {
    for (const command of COMMANDS) {
      const { out } = await run([command, '--help']);
      options.set(command, [...out.split('\nExamples:')[0].matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option));
    }
  });

  test('are each mentioned in README.md or docs/', () => {
    const text = GUIDES.map(read).join('\n');
    const documentable = [...new Set([...options.values()].flat())].filter((option) => option !== '--help');
    expect(documentable.filter((option) => !new RegExp(`${option}\\b`).test(text))).toEqual([]);
  });

  test('exist if a page shows them', () => {
    const lines = GUIDES.flatMap((page) => [...read(page).matchAll(/karpenter-constructs (check|explain|instance-types|convert|rules)\b([^\n|`#]*)/g)]);
    const unknown = lines.filter(([, command, rest]) => (rest.match(/(?<=\s)--[a-z-]+/g) ?? []).some((option) => !options.get(command)!.includes(option)));
    expect(lines.length).toBeGreaterThan(20);
    expect(unknown.map(([line]) => line)).toEqual([]);
  });
});

test('docs/validation.md lists the keys of the JSON verdict in order', () => {
  const [, table] = /\*\*JSON\.\*\*.*?\n\n(.*?)\n\n/s.exec(read('docs/validation.md')) ?? [];
  const keys = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key);
  expect(keys).toEqual([...Object.keys(JSON.parse(renderJson(check([])))), 'scenarios']);
});

test('docs/scenarios.md shows exactly the scenario summary that check prints', async () => {
  const { code, out } = await run(['check', join(ROOT, 'examples/explain/shop.yaml'), '--scenario', 'all', '--fail-on', 'never']);
  expect(code).toBe(0);
  const [, block] = /shop\.yaml --scenario all\n```\n\n```text\n(.*?)```/s.exec(read('docs/scenarios.md')) ?? [];
  expect(out).toContain(`\n\n${block}\nconsolidation: `);
});
