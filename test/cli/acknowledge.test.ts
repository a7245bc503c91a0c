import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import { folderOf, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const SINGLE = [NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, 'cpu: 500m')].join('---\n');

const all = folderOf({ '.git/HEAD': '' });

/** A new folder with files, which is deleted with the folder of all tests. */
function newFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(all, 'project-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** A folder with one Deployment of one pod without a memory request, and a karpenter-constructs.yaml above it. */
function project(constructs: string, files: Record<string, string> = {}): string {
  return newFolder({
    '.git/HEAD': '',
    'karpenter-constructs.yaml': constructs,
    'manifests/app/web.yaml': SINGLE,
    ...files,
  });
}

const checkIn = (folder: string, ...flags: string[]) => run(['check', join(folder, 'manifests/app'), ...flags]);

const unwrapped = (text: string) => text.replaceAll(/\n +/g, ' ');

describe('karpenter-constructs.yaml', () => {
  test('is found above the input, and its acknowledgements do not fail the run', async () => {
    const folder = project(
      'acknowledge:\n  - rule: KARP-306\n    subject: Deployment/web\n    reason: measured\n    until: 2999-03-31\n',
    );
    expect((await checkIn(folder, '--fail-on', 'warning')).code).toBe(0);
    expect((await checkIn(folder, '--fail-on', 'warning', '--today', '2999-04-01')).code).toBe(1);
    expect((await checkIn(folder, '--scenario', 'drift', '--at', '2999-04-01T00:00Z', '--verbose')).out).toContain(
      'ended on 2999-03-31',
    );
    const { out } = await checkIn(folder);
    expect(unwrapped(out)).toContain(
      `warning KARP-306 Deployment web: measured, until 2999-03-31 (${join(folder, 'karpenter-constructs.yaml')}:2:5)`,
    );
  });

  test('has acknowledgements that end on the current day', async () => {
    const folder = project(
      'acknowledge:\n  - { rule: KARP-306, subject: Deployment/web, reason: measured, until: 2024-01-01 }\n',
    );
    const { code, out } = await checkIn(folder, '--fail-on', 'warning', '--verbose');
    expect(code).toBe(1);
    expect(unwrapped(out)).toContain('ended on 2024-01-01');
  });

  test('is not searched above a Git repository, and is no manifest', async () => {
    const above = newFolder({
      'karpenter-constructs.yaml': 'nonsense: 1\n',
      'repo/.git/HEAD': '',
      'repo/web.yaml': SINGLE,
    });
    expect((await run(['check', join(above, 'repo')])).code).toBe(0);
    const within = newFolder({ '.git/HEAD': '', 'karpenter-constructs.yaml': 'acknowledge: []\n', 'web.yaml': SINGLE });
    expect((await run(['check', within])).out).not.toContain('karpenter-constructs.yaml');
  });

  test('changes severities and sets flags, which the command line overrides', async () => {
    const folder = project(
      'severity: { KARP-306: error }\nflags:\n  region: eu-west-1\n  zones: [eu-west-1a, eu-west-1b]\n  settings: values.yaml\n  explain: true\n',
      {
        'values.yaml': 'settings:\n  preferencePolicy: Ignore\n',
      },
    );
    const { code, out } = await checkIn(folder, '--verbose');
    expect(code).toBe(1);
    expect(out).toContain('in eu-west-1a, eu-west-1b');
    expect(out).toContain('\nPlacements\n');
    const other = await checkIn(folder, '--region', 'eu-central-1', '--zones', 'eu-central-1a', '--fail-on', 'never');
    expect(other.code).toBe(0);
    expect(other.out).toContain('in eu-central-1a');
  });

  test.each([
    [
      'acknowledge:\n  - rule: KARP-401\n',
      '2:5: the acknowledgement of KARP-401 has no reason, so nobody can tell whether it still holds; write reason: <why it is fine>',
    ],
    [
      'acknowledge:\n  - { rule: single-replica, reason: a }\n',
      '2:13: must be a rule id, got "single-replica"; write for example rule: KARP-401',
    ],
    [
      'acknowledge:\n  - { rule: KARP-401, reason: a, subject: web }\n',
      'must name an object, got "web"; write for example subject: Deployment/shop/web',
    ],
    [
      'acknowledge:\n  - { rule: KARP-401, reason: a, until: 2026-02-30 }\n',
      'must be a day, got "2026-02-30"; write until: 2026-02-28',
    ],
    ...[
      ['30.06.2027', '2027-06-30'],
      ['1.7.27', '2027-07-01'],
      ['06/30/2027', '2027-06-30'],
      ['30/06/2027', '2027-06-30'],
      ['06/05/2027', '2027-06-05, or 2027-05-06 if the day comes first'],
      ['2027-6-30', '2027-06-30'],
      ['2027/06/30', '2027-06-30'],
      ['20270630', '2027-06-30'],
      ['"2027-06-30T00:00:00Z"', '2027-06-30'],
      ['30 June 2027', '2027-06-30'],
      ['Jun 30 2027', '2027-06-30'],
      ['never', 'YYYY-MM-DD, a day of the calendar'],
    ].map(([until, day]) => [
      `acknowledge:\n  - { rule: KARP-401, reason: a, until: ${until} }\n`,
      `; write until: ${day}`,
    ]),
    ['acknowledge:\n  - { rule: KARP-401, raeson: a }\n', 'unknown key "raeson"; did you mean "reason"?'],
    ['acknowledge: KARP-401\n', '1:14: must be a list; write - rule: KARP-401, with a reason below it'],
    ['acknowledge: [KARP-401]\n', 'must be an object, got "KARP-401"; write rule: KARP-401'],
    ['severity: { KARP-401: warn }\n', 'unknown severity "warn"; did you mean "warning"?'],
    ['severity: { single-replica: info }\n', '"single-replica" is not a rule id; write for example KARP-402: info'],
    ['severity: info\n', 'must be an object, got "info"; write for example KARP-402: info'],
    ['flags: { reigon: eu-west-1 }\n', 'unknown flag "reigon"; did you mean "region"?'],
    ['flags: { region: nowhere }\n', '--region: "nowhere" is not an AWS region'],
    ['flags: { explain: 1 }\n', '--explain: 1 is not true or false; write true'],
    ['flags: { output: a.txt }\n', 'unknown flag "output"'],
    ['ignore: []\n', 'unknown key "ignore"'],
    ['- a\n', 'must be an object, got ["a"]'],
    ['a: [\n', 'invalid YAML: '],
  ])('is refused with its place: %j', async (constructs, message) => {
    const folder = project(constructs);
    const { code, err, out } = await checkIn(folder);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(`error: ${join(folder, 'karpenter-constructs.yaml')}:`);
    expect(err).toContain(message);
  });
});

describe('--baseline', () => {
  test('reports only what is new since --write-baseline', async () => {
    const folder = project('{}\n');
    const file = join(folder, 'baseline.json');
    const written = await checkIn(folder, '--fail-on', 'warning', '--write-baseline', file);
    expect(written.code).toBe(0);
    expect(written.err).toBe(`wrote 2 findings to ${file}\n`);
    expect(JSON.parse(readFileSync(file, 'utf8')).findings).toHaveLength(2);
    const { code, out } = await checkIn(folder, '--fail-on', 'warning', '--baseline', file);
    expect(code).toBe(0);
    expect(unwrapped(out)).toContain(`2 findings of the baseline ${file}`);
    const more = join(newFolder({ 'api.yaml': deployment('api', 1, SMALL).replace('memory: 1Gi', '') }), 'api.yaml');
    const grown = await run(['check', join(folder, 'manifests/app'), more, '--fail-on', 'warning', '--baseline', file]);
    expect(grown.code).toBe(1);
    expect(grown.out).toContain('Deployment api: 1 container without memory requests');
    expect((await checkIn(folder, '--baseline', file, '--write-baseline', file)).err).toContain('wrote 2 findings');
  });

  test('is refused if it is missing or is no baseline', async () => {
    const folder = project('{}\n');
    const file = join(folder, 'manifests/app/web.yaml');
    for (const path of [file, `${file}.json`]) {
      const { code, err } = await checkIn(folder, '--baseline', path);
      expect(code).toBe(2);
      expect(err).toMatch(/^error: --baseline: .* cannot be used, .*; write it with --write-baseline /);
    }
    expect((await checkIn(folder, '--write-baseline', folder)).err).toContain('--write-baseline: cannot be written');
    expect((await checkIn(folder, '--today', '1.4.2026')).err).toBe(
      'error: --today: "1.4.2026" is not a day; write 2026-04-01\n',
    );
  });
});

test('with several roots, reports an acknowledgement only if it matches in none of them', async () => {
  const variant = (name: string, kind: string) => ({
    [`overlays/${name}/kustomization.yaml`]: `resources: [${kind}.yaml]\n`,
    [`overlays/${name}/${kind}.yaml`]: SINGLE.replaceAll('web', kind),
  });
  const folder = newFolder({
    '.git/HEAD': '',
    ...variant('stage', 'web'),
    ...variant('prod', 'api'),
    'karpenter-constructs.yaml':
      'acknowledge:\n  - { rule: KARP-306, subject: Deployment/web, reason: a }\n  - { rule: KARP-306, subject: Deployment/db, reason: b }\n',
  });
  const { out } = await run(['check', folder, '--verbose']);
  expect(out).toContain('2 roots are deployed separately');
  expect(unwrapped(out)).toContain('the acknowledgement of KARP-306 about Deployment/db matches no finding');
  expect(out).not.toContain('about Deployment/web matches');
  expect(unwrapped(out)).toContain('warning KARP-306 Deployment web: a (');
  expect((await run(['check', folder, '--format', 'markdown'])).out).toContain('warning KARP-306 Deployment web: a (');
});

describe('other commands', () => {
  const acknowledge = 'acknowledge:\n  - { rule: KARP-306, subject: Deployment/web, reason: measured }\n';
  const changed = (folder: string) => {
    writeFileSync(join(folder, 'manifests/before.yaml'), SINGLE.split('---').slice(0, 2).join('---'));
    return ['diff', join(folder, 'manifests/before.yaml'), join(folder, 'manifests/app')];
  };

  test('diff lists acknowledged findings apart, and they are not new', async () => {
    const folder = project(acknowledge);
    const { out, code } = await run([...changed(folder), '--fail-on', 'warning']);
    expect(code).toBe(0);
    expect(out).toContain(
      `Acknowledged\n  warning KARP-306 Deployment web: measured (${join(folder, 'karpenter-constructs.yaml')}:2:5)`,
    );
    expect(out).toMatch(/^1 new note; none resolved\.$/m);
    expect(JSON.parse((await run([...changed(folder), '--format', 'json'])).out).acknowledged).toMatchObject([
      { rule: 'KARP-306', acknowledgement: { reason: 'measured' } },
    ]);
    expect((await run([...changed(folder), '--format', 'markdown'])).out).toContain(
      'KARP-306 Deployment web: measured',
    );
  });

  test('diff honours a baseline', async () => {
    const folder = project('acknowledge: []\n');
    const baseline = join(folder, 'baseline.json');
    await checkIn(folder, '--write-baseline', baseline);
    expect((await run([...changed(folder), '--fail-on', 'warning'])).code).toBe(1);
    const { code, out } = await run([...changed(folder), '--fail-on', 'warning', '--baseline', baseline]);
    expect(code).toBe(0);
    expect(out).toContain(`findings of the baseline ${baseline}`);
  });

  test('explain lists acknowledged findings about the pods', async () => {
    const folder = project(acknowledge);
    const explained = await run(['explain', join(folder, 'manifests/app'), '--pod', 'web']);
    expect(explained.out).toContain('Acknowledged\n  warning KARP-306 Deployment web: measured');
    const other = newFolder({
      '.git/HEAD': '',
      'karpenter-constructs.yaml': acknowledge,
      'all.yaml': `${SINGLE}---\n${deployment('api', 1, SMALL)}`,
    });
    expect((await run(['explain', other, '--pod', 'api'])).out).not.toContain('Acknowledged');
  });

  test('use the default flags of the file, except those of check only', async () => {
    const folder = project('flags: { region: eu-west-1, each: true, format: sarif, fail-on: unevaluated }\n');
    expect((await run(['explain', join(folder, 'manifests/app'), '--pod', 'web'])).out).toContain('eu-west-1a');
    expect((await run(changed(folder))).out).toContain('eu-west-1a');
  });
});
