/**
 * Runs programs that write to the console.
 *
 * @jest-environment node
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAsUser } from './run-as-user';

const PAGE = readFileSync(join(__dirname, '../../docs/setups.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
const [CDK8S] = BLOCKS;
const CDK = BLOCKS.find((block) => block.includes('infra.Karpenter'))!;

describe('docs/setups.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'setups-'));
  let json: string;
  beforeAll(() => {
    process.env.CDK8S_OUTDIR = folder;
    const read = "exports.json = (app.node.findChild('Verdict') as plugins.KarpenterVerdict).json;";
    ({ json } = runAsUser(`${CDK8S}\n${read}`) as { json: string });
  });
  afterAll(() => {
    delete process.env.CDK8S_OUTDIR;
    rmSync(folder, { recursive: true });
  });

  test('has a program for cdk8s in ten lines, without findings', () => {
    const { findings, nodePools } = JSON.parse(json);
    expect([findings, nodePools.map(({ name }: { name: string }) => name)]).toEqual([[], ['general']]);
    expect(CDK8S.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(10);
  });

  test('has a program for the AWS CDK in ten lines besides its imports', () => {
    expect(CDK.split('\n').filter((line) => line !== '' && !line.startsWith('import')).length).toBeLessThanOrEqual(10);
  });

  test('has limits, budgets and expiry of the setup in its table', () => {
    expect(PAGE).toContain('| limits | 240 vCPUs: 200 for pods, and 20% headroom, at least 32 vCPUs |');
    const manifest = readFileSync(join(folder, 'nodes.k8s.yaml'), 'utf8');
    expect(manifest).toMatch(/limits:\n +cpu: "240"/);
    expect(manifest).toContain('expireAfter: Never');
    expect(manifest).toMatch(/duration: 20h\n +nodes: "0"\n +reasons:\n +- Drifted\n +schedule: 0 6 \* \* /);
  });
});
