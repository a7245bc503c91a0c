import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { check as judge, renderHtml, RULES } from '../../src/validation';

/** The tests run the compiled package in a process of its own. `npm test` compiles it first. */
const ROOT = join(__dirname, '../..');
const GOOD = `
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: default }
spec:
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
      requirements:
        - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
        - { key: karpenter.k8s.aws/instance-family, operator: In, values: [m5] }
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: { name: default }
spec:
  role: node
  amiSelectorTerms: [{ alias: al2023@v20260101 }]
  subnetSelectorTerms: [{ tags: { karpenter.sh/discovery: demo } }]
  securityGroupSelectorTerms: [{ tags: { karpenter.sh/discovery: demo } }]
`;
const POD = `
---
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: web, image: nginx, resources: { requests: { cpu: CPU, memory: 1Gi } } }]
`;

function run(...args: string[]) {
  return spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
}

function check(yaml: string) {
  const file = join(mkdtempSync(join(tmpdir(), 'package-')), 'all.yaml');
  writeFileSync(file, yaml);
  return run('bin/karpenter-constructs', 'check', file, '--format', 'json');
}

describe('the command', () => {
  test('exits with 0 if every pod fits', () => {
    const { status, stdout, stderr } = check(GOOD + POD.replace('CPU', '1'));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout).summary).toMatchObject({ pods: 1, scheduledPods: 1, nodes: 1 });
  });

  test('loads the AWS SDK, which is not in the bundle, only for catalog update', () => {
    const env = { PATH: process.env.PATH, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' };
    const { status, stderr } = spawnSync(
      process.execPath,
      ['bin/karpenter-constructs', 'catalog', 'update', '--region', 'eu-west-1'],
      { cwd: ROOT, encoding: 'utf8', env },
    );
    expect(status).toBe(2);
    expect(stderr).toContain('error: catalog update: no AWS credentials, ');
    expect(readFileSync(join(ROOT, 'lib/bundle.js'), 'utf8').split('\n')[1]).toMatch(
      /^\/\/ Contains code of (?!.*@aws-sdk)/,
    );
  });

  test('exits with 1 if a pod fits no node', () => {
    const { status, stdout } = check(GOOD + POD.replace('CPU', '200'));
    expect(status).toBe(1);
    expect(JSON.parse(stdout).findings.map(({ rule }: { rule: string }) => rule)).toEqual(['KARP-1001', 'KARP-301']);
  });

  test('exits with 2 if the input is not YAML', () => {
    const { status, stderr } = check('a: [1');
    expect(status).toBe(2);
    expect(stderr).toMatch(/all\.yaml:\d+:\d+/);
  });

  test('prints the same bytes every time', () => {
    const yaml = GOOD + POD.replace('CPU', '1');
    const file = join(mkdtempSync(join(tmpdir(), 'package-')), 'all.yaml');
    writeFileSync(file, yaml);
    const [first, second] = [1, 2].map(() => run('bin/karpenter-constructs', 'check', file).stdout);
    expect(first).toBe(second);
  });
});

test('rules prints the page of a rule without the folder docs, from a compressed file', () => {
  const copy = mkdtempSync(join(tmpdir(), 'copy-'));
  for (const name of ['bin', 'lib'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !path.endsWith('.cache') });
  for (const name of ['data', 'node_modules', 'package.json']) symlinkSync(join(ROOT, name), join(copy, name));
  const { status, stdout } = run(join(copy, 'bin/karpenter-constructs'), 'rules', 'KARP-402');
  expect({ status, stdout }).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^KARP-402 no-pdb\n[^]*\nGood\n\n {4}apiVersion/),
  });
  expect(statSync(join(ROOT, 'lib/cli/rule-pages.json.br')).size).toBeLessThan(100_000);
});

test('check loads its code from one file, and caches the compiled code once', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'package-')), 'all.yaml');
  writeFileSync(file, GOOD + POD.replace('CPU', '1'));
  const cacheFiles = () =>
    readdirSync(join(ROOT, 'lib')).filter((name) => name.endsWith(`-${process.version}-${process.arch}-check.cache`));
  const script = `
    process.on('exit', () => console.error(JSON.stringify(Object.keys(require.cache))));
    process.argv = [process.execPath, 'karpenter-constructs', 'check', ${JSON.stringify(file)}];
    require('./bin/karpenter-constructs');`;
  const { status, stdout, stderr } = run('-e', script);
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('fits on 1 node') });
  const modules = [
    'bin/karpenter-constructs',
    ...['start', 'compiled-module', 'io', 'terminal/wants-progress', 'v8-tuning'].map((name) => `lib/cli/${name}.js`),
  ];
  expect(JSON.parse(stderr)).toEqual(modules.map((path) => join(ROOT, path)));
  expect(cacheFiles()).toHaveLength(1);
});

test('the HTML report is the same as from the sources, although its code is compressed', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'package-')), 'all.yaml');
  const text = GOOD + POD.replace('CPU', '1');
  writeFileSync(file, text);
  const { status, stdout } = run(
    join(ROOT, 'bin/karpenter-constructs'),
    'check',
    file,
    '--format',
    'html',
    '--first-pass',
    '--system-daemonsets',
    'none',
  );
  expect(status).toBe(0);
  expect(stdout).toBe(renderHtml(judge([{ path: file, text }], { region: 'us-east-1' }), undefined, RULES));
  expect(stdout).toContain('<svg ');
});

test('compiled code that was cached for large input is reused for small input', () => {
  const copy = mkdtempSync(join(tmpdir(), 'copy-'));
  for (const name of ['bin', 'lib'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !path.endsWith('.cache') });
  for (const name of ['data', 'node_modules', 'package.json']) symlinkSync(join(ROOT, name), join(copy, name));
  const cacheAfterCheck = (yaml: string) => {
    writeFileSync(join(copy, 'all.yaml'), yaml);
    expect(run(join(copy, 'bin/karpenter-constructs'), 'check', join(copy, 'all.yaml')).status).toBe(0);
    const [name] = readdirSync(join(copy, 'lib')).filter((file) => file.endsWith('-check.cache'));
    return [name, statSync(join(copy, 'lib', name)).mtimeMs];
  };
  expect(cacheAfterCheck(GOOD + '# much\n'.repeat(40_000))).toEqual(cacheAfterCheck(GOOD));
});

test('a program that convert writes runs with the package, and creates the objects that were converted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'program-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'karpenter-constructs'));
  for (const peer of ['cdk8s', 'constructs'])
    symlinkSync(join(ROOT, 'node_modules', peer), join(folder, 'node_modules', peer));
  writeFileSync(join(folder, 'all.yaml'), GOOD);
  const { status, stdout, stderr } = run(
    'bin/karpenter-constructs',
    'convert',
    '--to',
    'typescript',
    join(folder, 'all.yaml'),
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  writeFileSync(
    join(folder, 'main.js'),
    ts.transpile(stdout, { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 }),
  );
  expect(spawnSync(process.execPath, ['main.js'], { cwd: folder, encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
  const objects = (text: string) =>
    parseAllDocuments(text)
      .map((document) => document.toJS() as { kind: string })
      .sort((a, b) => (a.kind < b.kind ? -1 : 1));
  expect(objects(readFileSync(join(folder, 'dist', 'karpenter.k8s.yaml'), 'utf8'))).toEqual(objects(GOOD));
});

test('nodes and plugins load cdk8s, but not aws-cdk-lib', () => {
  const script = `
    const { nodes, plugins } = require('.');
    if (!nodes.NodePool || !plugins.KarpenterVerdict) throw new Error('the exports are missing');
    const loaded = Object.keys(require.cache);
    console.log(JSON.stringify({ aws: loaded.some((f) => f.includes('/aws-cdk-lib/')), cdk8s: loaded.some((f) => f.includes('/cdk8s/')) }));`;
  expect(JSON.parse(run('-e', script).stdout)).toEqual({ aws: false, cdk8s: true });
});

test('the plugin of cdk8s-cli is at the top of the package, and loads no constructs', () => {
  const script = `
    const { validate } = new (require('.').Cdk8sValidation)();
    console.log(typeof validate, Object.keys(require.cache).some((file) => /node_modules.(cdk8s|constructs|aws-cdk-lib)/.test(file)));`;
  expect(run('-e', script).stdout).toBe('function false\n');
});

test('importing the package loads only its index', () => {
  const script = "require('.'); console.log(Object.keys(require.cache).length);";
  expect(Number(run('-e', script).stdout)).toBe(1);
});
