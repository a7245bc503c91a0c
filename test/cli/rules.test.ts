import { readFileSync } from 'fs';
import { join } from 'path';
import { folderOf, run } from './run';
import { RULES } from '../../src/validation/rules';

const FOLDER = folderOf({});
const list = async (...args: string[]) =>
  (JSON.parse((await run(['rules', '--format', 'json', ...args])).out) as Array<{ id: string }>).map(({ id }) => id);

describe('rules', () => {
  test('lists all rules as a table and as JSON', async () => {
    const rules = JSON.parse((await run(['rules', '--format', 'json'])).out);
    expect(rules[0]).toEqual({
      id: 'KARP-001',
      name: 'unreadable-input',
      severity: 'error',
      summary: expect.any(String),
      chapter: 'Input',
      url: expect.stringMatching(/docs\/rules\/KARP-001\.md$/),
    });
    const table = (await run(['rules'])).out;
    for (const { id, name } of rules) expect(table).toMatch(new RegExp(`^${id} +\\w+ +${name} `, 'm'));
  });

  test('--severity, --chapter and --search select rules of the list', async () => {
    expect(await list('--severity', 'warning')).toEqual(
      RULES.filter(({ severity }) => severity === 'warning').map(({ id }) => id),
    );
    expect(await list('--chapter', 'storage')).toEqual(
      RULES.filter(({ id }) => /^KARP-8\d\d$/.test(id)).map(({ id }) => id),
    );
    expect(await list('--search', 'No-PDB')).toEqual(['KARP-402']);
    expect(await list('--search', 'queue', '--severity', 'info')).toEqual(['KARP-506']);
    expect((await run(['rules', '--search', 'nothing like this'])).out).toBe('No rule matches.\n');
  });

  test.each([
    ['a chapter', ['--chapter', 'storrage'], '--chapter: unknown chapter "storrage"; did you mean "Storage"?'],
    ['a rule', ['KARP-0'], 'unknown rule "KARP-0"; `karpenter-constructs rules` lists all rules'],
    [
      'a filter together with a rule',
      ['KARP-402', '--severity', 'error'],
      '--severity, --chapter and --search select rules of the list',
    ],
  ])('rejects %s that does not apply', async (_, args, message) => {
    const { code, err } = await run(['rules', ...args]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('rules KARP-402', () => {
  test('prints the page of the rule: texts, indented examples, acknowledgement and links', async () => {
    const { code, out } = await run(['rules', 'KARP-402']);
    expect(code).toBe(0);
    expect(out).toMatch(/^KARP-402 no-pdb\n\nwarning · Disruption and availability\n\n/);
    expect(out).toMatch(
      /\n\nWhat happens\n\n.*\n\nWhy it matters\n\n.*\n\nBad\n\n {4}apiVersion: apps\/v1\n.*\n\nGood\n\n {4}apiVersion: apps\/v1\n.*\n\nAcknowledge\n\n/s,
    );
    expect(out).toContain('    karpenter-constructs.dev/acknowledge: "KARP-402=why it is fine"');
    expect(out).toMatch(/\n- https:\/\/karpenter\.sh\/docs\/\S+\n/);
    expect(out).not.toMatch(/```|<!--|\]\(/);
  });

  test('wraps prose in a terminal, but no code', async () => {
    const { out } = await run(['rules', 'KARP-402'], '', { columns: 60 });
    const prose = out.split('\n').filter((line) => !line.startsWith(' ') && !line.includes('/'));
    expect(Math.max(...prose.map(({ length }) => length))).toBeLessThanOrEqual(60);
    expect(out).toContain(
      '        - { maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule,',
    );
  });

  test('accepts ids in any case, numbers and names, and prints several pages in the given order', async () => {
    const { out } = await run(['rules', 'karp-413', '8', 'no-pdb']);
    expect(out.match(/^KARP-\d+ [\w-]+$/gm)).toEqual([
      'KARP-413 pdb-blocks-on-unhealthy',
      'KARP-008 acknowledgement-without-effect',
      'KARP-402 no-pdb',
    ]);
  });

  test('is part of the JSON, and is written to a file without colors', async () => {
    const [rule] = JSON.parse((await run(['rules', 'KARP-402', '--format', 'json'])).out);
    expect(rule).toMatchObject({ id: 'KARP-402', page: expect.stringContaining('# KARP-402 no-pdb\n') });
    const file = join(FOLDER, 'page.txt');
    expect((await run(['rules', 'KARP-402', '--output', file], '', { color: true })).out).toBe('');
    expect(readFileSync(file, 'utf8')).toContain('\n\nWhy it matters\n\n');
    expect((await run(['rules', 'KARP-402'], '', { color: true })).out).toContain('\u001b[1mWhy it matters\u001b[22m');
  });
});
