import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { check as judge, renderHtml } from '../../src/validation';

/** The package as it is published: compiled, in a process of its own. `npm test` compiles it first. */
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
  test('exits with 0 where everything fits', () => {
    const { status, stdout, stderr } = check(GOOD + POD.replace('CPU', '1'));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout).summary).toMatchObject({ pods: 1, scheduledPods: 1, nodes: 1 });
  });

  test('exits with 1 where a pod never can', () => {
    const { status, stdout } = check(GOOD + POD.replace('CPU', '200'));
    expect(status).toBe(1);
    expect(JSON.parse(stdout).findings.map(({ rule }: { rule: string }) => rule)).toEqual(['KARP-301']);
  });

  test('exits with 2 where the input is no YAML', () => {
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

test('a check of common manifests loads its code from one file, and compiles it once', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'package-')), 'all.yaml');
  writeFileSync(file, GOOD + POD.replace('CPU', '1'));
  const kept = () => readdirSync(join(ROOT, 'lib/cli')).filter((name) => name.endsWith(`-${process.version}-${process.arch}-check.cache`));
  const script = `
    process.on('exit', () => console.error(JSON.stringify(Object.keys(require.cache))));
    process.argv = [process.execPath, 'karpenter-constructs', 'check', ${JSON.stringify(file)}];
    require('./bin/karpenter-constructs');`;
  const { status, stdout, stderr } = run('-e', script);
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('fits on 1 node') });
  const modules = ['bin/karpenter-constructs', ...['start', 'compiled-module', 'io', 'v8-tuning'].map((name) => `lib/cli/${name}.js`)];
  expect(JSON.parse(stderr)).toEqual(modules.map((path) => join(ROOT, path)));
  expect(kept()).toHaveLength(1);
});

test('a page is drawn without the library that the repository draws charts with, and is the same', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'package-')), 'all.yaml');
  const text = GOOD + POD.replace('CPU', '1');
  writeFileSync(file, text);
  expect(readFileSync(join(ROOT, 'lib/validation/report/html/page.js'), 'utf8')).not.toMatch(/require\("echarts/);
  const { status, stdout } = run(join(ROOT, 'bin/karpenter-constructs'), 'check', file, '--format', 'html');
  expect(status).toBe(0);
  expect(stdout).toBe(renderHtml(judge([{ path: file, text }], { region: 'us-east-1' })));
  expect(stdout).toContain('<svg ');
});

test('what was compiled while there was much to read is taken where there is little', () => {
  const copy = mkdtempSync(join(tmpdir(), 'copy-'));
  for (const name of ['bin', 'lib']) cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !path.endsWith('.cache') });
  for (const name of ['data', 'node_modules', 'package.json']) symlinkSync(join(ROOT, name), join(copy, name));
  const kept = (yaml: string) => {
    writeFileSync(join(copy, 'all.yaml'), yaml);
    expect(run(join(copy, 'bin/karpenter-constructs'), 'check', join(copy, 'all.yaml')).status).toBe(0);
    const [name] = readdirSync(join(copy, 'lib/cli')).filter((each) => each.endsWith('-check.cache'));
    return [name, statSync(join(copy, 'lib/cli', name)).mtimeMs];
  };
  expect(kept(GOOD + '# much\n'.repeat(40_000))).toEqual(kept(GOOD));
});

test('the program that convert writes runs beside the package, and makes what it was written from', () => {
  const folder = mkdtempSync(join(tmpdir(), 'program-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'karpenter-constructs'));
  for (const peer of ['cdk8s', 'constructs']) symlinkSync(join(ROOT, 'node_modules', peer), join(folder, 'node_modules', peer));
  writeFileSync(join(folder, 'all.yaml'), GOOD);
  const { status, stdout, stderr } = run('bin/karpenter-constructs', 'convert', '--to', 'typescript', join(folder, 'all.yaml'));
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  writeFileSync(join(folder, 'main.js'), ts.transpile(stdout, { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 }));
  expect(spawnSync(process.execPath, ['main.js'], { cwd: folder, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  const objects = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as { kind: string })
    .sort((a, b) => a.kind < b.kind ? -1 : 1);
  expect(objects(readFileSync(join(folder, 'dist', 'karpenter.k8s.yaml'), 'utf8'))).toEqual(objects(GOOD));
});

test('a cdk8s user loads no aws-cdk-lib', () => {
  const script = `
    const { nodes, plugins } = require('.');
    if (!nodes.NodePool || !plugins.KarpenterVerdict) throw new Error('the exports are missing');
    const loaded = Object.keys(require.cache);
    console.log(JSON.stringify({ aws: loaded.some((f) => f.includes('/aws-cdk-lib/')), cdk8s: loaded.some((f) => f.includes('/cdk8s/')) }));`;
  expect(JSON.parse(run('-e', script).stdout)).toEqual({ aws: false, cdk8s: true });
});

test('importing the package alone loads none of its parts', () => {
  const script = "require('.'); console.log(Object.keys(require.cache).length);";
  expect(Number(run('-e', script).stdout)).toBe(1);
});
