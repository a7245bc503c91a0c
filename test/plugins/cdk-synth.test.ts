import { spawnSync } from 'child_process';
import { mkdtempSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { bundleSource } from '../support/command-line';

const ROOT = join(__dirname, '../..');
const BIN = join(ROOT, 'node_modules/.bin');

/** Runs the CDK CLI with the app in cdk-app/. */
describe('cdk synth', () => {
  let outdir: string;
  /** One file loads in a fraction of the time of its sources. */
  let bundle: string;
  beforeAll(async () => {
    bundle = join(mkdtempSync(join(tmpdir(), 'cdk-app-')), 'app.js');
    await bundleSource('test/plugins/cdk-app/app.ts', bundle);
  });
  beforeEach(() => {
    outdir = mkdtempSync(join(tmpdir(), 'cdk-synth-'));
  });
  afterEach(() => rmSync(outdir, { recursive: true }));

  function synth(cpu: string, ...more: string[]) {
    const args = [
      'synth',
      '--quiet',
      '--app',
      `${process.execPath} ${bundle}`,
      '--output',
      outdir,
      '--context',
      `cpu=${cpu}`,
      '--no-notices',
      '--no-version-reporting',
      '--no-color',
      ...more,
    ];
    // The CDK's own template rules are slow and do not check Karpenter.
    const { status, stderr, stdout } = spawnSync(join(BIN, 'cdk'), args, {
      cwd: outdir,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: '', NODE_PATH: join(ROOT, 'node_modules'), CDK_VALIDATION: 'false' },
    });
    return { status, text: `${stdout}${stderr}` };
  }

  test('fails for a Deployment that fits on no node, with construct, reason, remedy and rule', () => {
    const { status, text } = synth('200');
    expect(status).not.toBe(0);
    expect(text).toMatch(/app\.js:\d+/);
    expect(text).toContain(
      'Deployment web: each pod requests 200 CPUs, more than the one instance type that NodePool default allows',
    );
    expect(text).toContain('Prod/Objects');
    expect(text).toContain('Suggested fix: write 200m instead of 200 if thousandths of a CPU are meant');
    expect(text).toContain('Karpenter::KARP-301');
  });

  test('fails with the reason if the templates cannot be checked', () => {
    const { status, text } = synth('1', '--context', 'values=missing.yaml');
    expect(status).not.toBe(0);
    expect(text).toContain('the templates cannot be checked: missing.yaml: cannot be read');
  });

  test('passes if every pod has a node, and prints a summary', () => {
    const { status, text } = synth('500m');
    // The CDK may print other messages first.
    expect({ status, text }).toEqual({
      status: 0,
      text: expect.stringMatching(/^karpenter verdict: 2 of 2 pods on 1 node, /m),
    });
    expect(JSON.parse(readFileSync(join(outdir, 'karpenter-verdict.json'), 'utf8')).summary).toMatchObject({
      scheduledPods: 2,
    });
  });
});
