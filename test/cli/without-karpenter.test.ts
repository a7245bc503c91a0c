import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const KUSTOMIZATION = 'resources: [web.yaml]\n';
const MAIN_TF = 'resource "helm_release" "karpenter" {\n  chart   = "karpenter"\n  version = "1.2.1"\n}\n';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'without-'));
  writeFileSync(join(folder, 'web.yaml'), deployment('web', 2, SMALL));
});

afterEach(() => rmSync(folder, { recursive: true }));

async function check(...options: string[]) {
  const { code, out } = await run(['check', folder, ...options]);
  return { code, out: out.replace(/\s+/g, ' ') };
}

describe('a folder without NodePools', () => {
  test('exits with 0 and a warning if no file names Karpenter', async () => {
    const { code, out } = await check();
    expect(code).toBe(0);
    expect(out).toContain('None of the 2 pods is evaluated; no errors, 1 warning');
    expect(out).toContain('because the input has no NodePool, and no file names Karpenter');
  });

  test('exits with 1 if pods that are not evaluated shall fail', async () => {
    expect((await check('--fail-on', 'unevaluated')).code).toBe(1);
  });

  test('exits with 1 if Terraform installs Karpenter', async () => {
    writeFileSync(join(folder, 'main.tf'), MAIN_TF);
    expect((await check()).code).toBe(1);
  });
});

test('the remedy for an app of the CDK without an assembly is cdk synth', async () => {
  rmSync(join(folder, 'web.yaml'));
  writeFileSync(join(folder, 'cdk.json'), '{ "app": "node app.js" }');
  const { code, err } = await run(['check', folder]);
  expect(code).toBe(2);
  expect(err).toContain('run `cdk synth` first, and pass the folder cdk.out');
});

test('the release that Terraform installs is used for a kustomization', async () => {
  writeFileSync(join(folder, 'kustomization.yaml'), KUSTOMIZATION);
  writeFileSync(join(folder, 'pool.yaml'), [NODE_CLASS, nodePool(['m5.large'])].join('---\n'));
  writeFileSync(join(folder, 'main.tf'), MAIN_TF);
  const { out } = await check('--format', 'json', '--no-kustomize');
  const { roots } = JSON.parse(out) as { roots: Array<{ verdict: { assumptions: string[] } }> };
  expect(roots.map(({ verdict }) => verdict.assumptions.some((text) => text.startsWith('Karpenter is 1.2')))).toEqual([
    true,
    true,
  ]);
});
