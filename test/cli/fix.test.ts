import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'fs';
import { join } from 'path';
import { install, restorePath } from './installed-programs';
import { newFolder, run } from './run';
import { schemaViolations } from '../validation/report/sarif-schema/violations';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const BROKEN_CLASS = `# our nodes\n${NODE_CLASS.replace('role: node', 'roel: node # by Terraform')}`;
const FIXED_CLASS = `# our nodes\n${NODE_CLASS.replace('role: node', 'role: node # by Terraform')}`;
const POOL = nodePool(['m5.large']);
const SPREAD =
  '      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }]\n';
const WEB = deployment('web', 2, SMALL, SPREAD);

const folderWith = (files: Readonly<Record<string, string>> = {}) =>
  newFolder({ 'class.yaml': BROKEN_CLASS, 'pool.yaml': POOL, 'web.yaml': WEB, ...files });
afterEach(restorePath);

const textOf = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

test('--fix changes the file, says what it has changed, and reports what is left', async () => {
  const folder = folderWith();
  const { code, out, err } = await run(['check', folder, '--fix']);
  expect(textOf(folder, 'class.yaml')).toBe(FIXED_CLASS);
  expect(textOf(folder, 'pool.yaml')).toBe(POOL);
  expect(err).toBe(`fixed ${folder}/class.yaml:6: rename roel to role (KARP-100)\n`);
  expect(code).toBe(0);
  expect(out).toBe((await run(['check', folder])).out);
});

test('--fix makes fixes that other mistakes have hidden, and a second --fix changes nothing', async () => {
  const folder = folderWith({
    'pool.yaml': POOL.replace('group: karpenter.k8s.aws, ', '').replace(
      'operator: In, values: [m5',
      'operator: in, values: [m5',
    ),
  });
  const first = await run(['check', folder, '--fix']);
  expect(first.err.split('\n').filter((line) => line.startsWith('fixed '))).toHaveLength(3);
  const before = textOf(folder, 'pool.yaml');
  const second = await run(['check', folder, '--fix']);
  expect(second.err).toBe('fixed nothing: no finding has a safe fix\n');
  expect(second.out).toBe(first.out);
  expect(textOf(folder, 'pool.yaml')).toBe(before);
});

test('--dry-run prints a diff, changes nothing, and returns 1 if there is a fix', async () => {
  const folder = folderWith();
  const { code, out, err } = await run(['check', folder, '--fix', '--dry-run']);
  expect([code, err]).toEqual([1, '']);
  expect(out).toBe(
    [
      `--- ${folder}/class.yaml`,
      `+++ ${folder}/class.yaml`,
      '@@ -3,7 +3,7 @@',
      ' kind: EC2NodeClass',
      ' metadata: { name: main }',
      ' spec:',
      '-  roel: node # by Terraform',
      '+  role: node # by Terraform',
      '   amiSelectorTerms: [{ alias: al2023@v20250915 }]',
      '   subnetSelectorTerms: [{ tags: { a: b } }]',
      '   securityGroupSelectorTerms: [{ tags: { a: b } }]',
      '',
    ].join('\n'),
  );
  expect(textOf(folder, 'class.yaml')).toBe(BROKEN_CLASS);
  writeFileSync(join(folder, 'class.yaml'), FIXED_CLASS);
  expect(await run(['check', folder, '--fix', '--dry-run'])).toEqual({ code: 0, out: '', err: '' });
});

test('keeps the permissions of the file, and leaves no other file behind', async () => {
  const folder = folderWith();
  chmodSync(join(folder, 'class.yaml'), 0o640);
  await run(['check', folder, '--fix']);
  expect(statSync(join(folder, 'class.yaml')).mode & 0o777).toBe(0o640); // eslint-disable-line no-bitwise -- permissions
  expect(readdirSync(folder).sort()).toEqual(['class.yaml', 'pool.yaml', 'web.yaml']);
});

test('refuses to replace a symbolic link or a read-only file, and changes no file at all', async () => {
  const folder = folderWith({
    'a.yaml': POOL.replace('group: karpenter.k8s.aws, ', '').replaceAll('default', 'other'),
  });
  const linked = newFolder({ 'real/class.yaml': BROKEN_CLASS, 'pool.yaml': POOL, 'web.yaml': WEB });
  symlinkSync(join(linked, 'real/class.yaml'), join(linked, 'class.yaml'));
  const before = textOf(folder, 'a.yaml');
  chmodSync(join(folder, 'class.yaml'), 0o444);
  expect(await run(['check', folder, '--fix'])).toEqual({
    code: 2,
    out: '',
    err: `error: --fix: ${folder}/class.yaml is read-only; make it writable, or run with --dry-run to see the changes\n`,
  });
  expect(textOf(folder, 'a.yaml')).toBe(before);
  const files = ['class.yaml', 'pool.yaml', 'web.yaml'].map((name) => join(linked, name));
  expect(await run(['check', ...files, '--fix'])).toEqual({
    code: 2,
    out: '',
    err: `error: --fix: ${linked}/class.yaml is a symbolic link, which would be replaced by a file; name the file that it links to\n`,
  });
  expect(lstatSync(join(linked, 'class.yaml')).isSymbolicLink()).toBe(true);
});

test.each([
  [
    'standard input',
    ['-', '--fix'],
    'error: --fix: standard input is not a file that can be changed; name the files\n',
  ],
  [
    '--dry-run without --fix',
    ['pool.yaml', '--dry-run'],
    'error: --dry-run: only --fix changes files; write --fix --dry-run\n',
  ],
])('refuses %s', async (_, args, err) => {
  expect(await run(['check', ...args], BROKEN_CLASS)).toEqual({ code: 2, out: '', err });
});

test('does not change what helm template has written, nor a field that a kustomization patches', async () => {
  const rendered = `# Source: chart/templates/class.yaml\n${BROKEN_CLASS}`;
  const chart = folderWith({ 'class.yaml': rendered });
  await run(['check', chart, '--fix']);
  expect(textOf(chart, 'class.yaml')).toBe(rendered);
  const patch =
    'apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: { name: main }\nspec: { roel: other }\n';
  const patched = folderWith({
    'pool.yaml': POOL.replace('group: karpenter.k8s.aws, ', ''),
    'kustomization.yaml': 'resources: [class.yaml, pool.yaml, web.yaml]\npatches: [{ path: patch.yaml }]\n',
    'patch.yaml': patch,
  });
  const { err } = await run(['check', patched, '--fix']);
  expect(err).toBe(`fixed ${patched}/pool.yaml:8: write group: karpenter.k8s.aws (KARP-103)\n`);
  expect([textOf(patched, 'class.yaml'), textOf(patched, 'patch.yaml')]).toEqual([BROKEN_CLASS, patch]);
});

test('does not make fixes that may change the meaning; JSON and SARIF have them', async () => {
  const folder = folderWith({
    'class.yaml': FIXED_CLASS,
    'web.yaml': `${WEB}---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web }\nspec: { maxUnavailable: 1, selector: { matchLabels: { app: web } } }\n`,
  });
  const { err, out } = await run(['check', folder, '--fix', '--format', 'json']);
  expect(err).toBe('fixed nothing: no finding has a safe fix\n');
  const fixes = (JSON.parse(out) as { findings: Array<{ fix?: { title: string; safe: boolean } }> }).findings.flatMap(
    ({ fix }) => fix ?? [],
  );
  expect(fixes).toMatchObject([{ title: 'write unhealthyPodEvictionPolicy: AlwaysAllow', safe: false }]);
  const log = JSON.parse((await run(['check', folder, '--format', 'sarif'])).out) as {
    runs: Array<{ results: Array<{ fixes?: unknown[] }> }>;
  };
  expect(schemaViolations(JSON.stringify(log))).toEqual([]);
  expect(log.runs[0].results.flatMap((result) => result.fixes ?? [])).toMatchObject([
    {
      description: { text: 'write unhealthyPodEvictionPolicy: AlwaysAllow (check that this is what you want)' },
      artifactChanges: [
        {
          replacements: [
            {
              deletedRegion: { startLine: 17 },
              insertedContent: { text: ', unhealthyPodEvictionPolicy: AlwaysAllow' },
            },
          ],
        },
      ],
    },
  ]);
});

test('--fix changes the value that a chart renders, and renders the chart with it', async () => {
  const rendering = `for last; do :; done
value=$(cat "$last/values.yaml" values-*.yaml 2>/dev/null | sed -n 's/.*operator"*: *"*\\([^"}]*\\).*/\\1/p' | tail -n 1)
echo '# Source: app/templates/pool.yaml'
sed "s/{{ .Values.operator }}/$value/" "$last/templates/pool.yaml"`;
  install({ helm: rendering });
  const folder = folderWith({
    'class.yaml': FIXED_CLASS,
    'pool.yaml': '',
    'app/Chart.yaml': 'name: app\n',
    'app/values.yaml': '# of the pool\noperator: in\n',
    'app/templates/pool.yaml': POOL.replace(
      'operator: In, values: [m5',
      'operator: {{ .Values.operator }}, values: [m5',
    ),
  });
  const { err } = await run(['check', folder, '--fix']);
  expect(err).toBe(`fixed ${folder}/app/values.yaml:2: write operator: In (KARP-100)\n`);
  expect(textOf(folder, 'app/values.yaml')).toBe('# of the pool\noperator: In\n');
});
