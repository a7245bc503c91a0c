import { readFileSync } from 'fs';
import { join } from 'path';
import { newFolder, run } from './run';

const EXAMPLE = join(__dirname, '../../examples/how-to/usage');
const MANIFESTS = join(EXAMPLE, 'manifests');
const USAGE = join(EXAMPLE, 'usage');

describe('recommend --usage', () => {
  test('prints the price with the requests, and what was not used', async () => {
    const { code, out, err } = await run(['recommend', MANIFESTS, '--usage', USAGE]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^Requests from usage: \$[\d,]+\/month on \d+ nodes? → /);
    expect(out).toContain('- no manifest of pod shop/old-report-6b5d4c7f9-zq5wn: not used (');
  });

  test('uses the headroom', async () => {
    const cpu = join(USAGE, 'cpu.json');
    const { out } = await run(['recommend', MANIFESTS, '--usage', cpu, '--headroom', '50', '--format', 'json']);
    // 0.41 CPUs and half of it.
    expect(JSON.parse(out)).toMatchObject({ headroom: 0.5, workloads: [{ requests: [{ after: 615 }] }] });
  });

  test('reads usage from standard input', async () => {
    const { code, out } = await run(
      ['recommend', MANIFESTS, '--usage', '-'],
      readFileSync(join(USAGE, 'vpa.yaml'), 'utf8'),
    );
    expect([code, out.includes('CPU 500m → 163m (VPA)')]).toEqual([0, true]);
  });

  test('ends with exit code 2 if no figure can be used', async () => {
    const folder = newFolder({ 'empty.json': '{"status":"success","data":{"resultType":"vector","result":[]}}' });
    const { code, out } = await run(['recommend', MANIFESTS, '--usage', folder]);
    expect([code, out.includes('- the result is empty: the query matches nothing (')]).toEqual([2, true]);
  });

  test.each([
    [['--usage', USAGE, '--apply', '1'], '--apply: cannot be combined with --usage'],
    [['--usage', USAGE, '--cluster', USAGE], '--cluster: cannot be combined with --usage'],
    [['--headroom', '10'], '--headroom: needs --usage'],
    [['--usage', USAGE, '--headroom', 'much'], 'write a percentage from 0 to 500, such as 20'],
    [['--usage', '/nowhere'], '/nowhere: no such file or folder'],
  ])('rejects %j', async (flags, message) => {
    const { code, err } = await run(['recommend', MANIFESTS, ...flags]);
    expect([code, err.includes(message)]).toEqual([2, true]);
  });

  test('asks for a root if the input has several', async () => {
    const workloads = readFileSync(join(MANIFESTS, 'workloads.yaml'), 'utf8');
    const folder = newFolder({
      'a/kustomization.yaml': 'resources: [w.yaml]\n',
      'a/w.yaml': workloads,
      'b/kustomization.yaml': 'resources: [w.yaml]\n',
      'b/w.yaml': workloads,
    });
    const { code, err } = await run(['recommend', folder, '--usage', USAGE]);
    expect([code, err.includes('--usage: needs one root, got 2')]).toEqual([2, true]);
  });
});
