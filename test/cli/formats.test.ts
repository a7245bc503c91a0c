import { join, relative } from 'path';
import type { Log } from 'sarif';
import { folderOf, newFolder, run } from './run';
import { schemaViolations } from '../validation/report/sarif-schema/violations';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const GOOD = [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n');
const BIG = [GOOD, deployment('big', 1, 'cpu: 64, memory: 1Gi')].join('---\n');
const folder = folderOf({ 'app.yaml': BIG, 'broken.yaml': 'a: [', 'a b.yaml': 'a: [' });

const sarifOf = async (path: string, stdin = '') => {
  const { code, out, err } = await run(['check', path, '--format', 'sarif'], stdin);
  return { code, err, run: (JSON.parse(out) as Log).runs[0] };
};

describe('--format sarif', () => {
  test('contains findings with files relative to the working directory or absolute, and keeps the exit code', async () => {
    const inside = relative(process.cwd(), __filename);
    expect((await sarifOf(inside)).run.results![0].locations![0].physicalLocation!.artifactLocation).toEqual({
      uri: 'test/cli/formats.test.ts',
      uriBaseId: '%SRCROOT%',
    });
    const {
      code,
      run: { results },
    } = await sarifOf(join(folder, 'app.yaml'));
    expect(code).toBe(1);
    expect(results!.find(({ level }) => level === 'error')).toMatchObject({
      message: { text: expect.stringContaining('Deployment big: each pod requests 64 CPUs') },
      locations: [
        { physicalLocation: { artifactLocation: { uri: expect.stringMatching(/^file:\/\/\/.*\/app\.yaml$/) } } },
      ],
    });
  });

  test('meets the schema for files anywhere', async () => {
    for (const path of [folder, '-', join(folder, 'a b.yaml')])
      expect(schemaViolations((await run(['check', path, '--format', 'sarif'], BIG)).out)).toEqual([]);
  });

  test('describes each rule that it uses', async () => {
    const {
      run: { tool, results },
    } = await sarifOf('-', BIG);
    expect(tool.driver.rules!.map(({ id }) => id)).toEqual([...new Set(results!.map(({ ruleId }) => ruleId))].sort());
    for (const { shortDescription } of tool.driver.rules!) expect(shortDescription!.text).toMatch(/\.$/);
  });

  test('marks the run as failed if a file cannot be read', async () => {
    const {
      code,
      err,
      run: { invocations },
    } = await sarifOf(join(folder, 'broken.yaml'));
    expect(code).toBe(2);
    expect(err).toMatch(/^error: .*broken\.yaml:1:/);
    expect(invocations![0].executionSuccessful).toBe(false);
  });

  test('rejects a scenario before input is read', async () => {
    expect(await run(['check', '/nowhere', '--format', 'sarif', '--scenario', 'drift'])).toEqual({
      code: 2,
      out: '',
      err: 'error: --format: sarif cannot contain scenarios; write html, markdown or json, or omit --scenario\n',
    });
  });
});

describe('--format unix', () => {
  test('prints each finding on one line with its place, severity, object, remedy and rule, and keeps the exit code', async () => {
    const file = join(folder, 'app.yaml');
    const { code, out, err } = await run(['check', file, '--format', 'unix'], '', { color: true, columns: 40 });
    expect({ code, err }).toEqual({ code: 1, err: '' });
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => /^(.*):(\d+):(\d+): (error|warning|info): .* \[(KARP-\d+)\]$/.exec(line)?.[1])).toEqual(
      lines.map(() => file),
    );
    expect(out).toMatch(
      /:\d+:\d+: error: Deployment big: each pod requests 64 CPUs, more than .*; allow instance type \S+ in NodePool default \(the nodes of the plan then cost [^)]*\) \[KARP-301\]\n/,
    );
  });

  test('says which pods are not evaluated', async () => {
    const claim = 'name: data, persistentVolumeClaim: { claimName: missing }';
    const text = GOOD.replace('containers:', `volumes: [{ ${claim} }]\n      containers:`);
    expect((await run(['check', '-', '--format', 'unix'], text)).out).toMatch(
      /^note: 2 pods not evaluated \(2 × default\/web\): .*missing/m,
    );
  });

  test('has the findings of all roots', async () => {
    const roots = newFolder({
      'a/kustomization.yaml': 'resources: [app.yaml]',
      'a/app.yaml': BIG,
      'b/kustomization.yaml': 'resources: [app.yaml]',
      'b/app.yaml': BIG,
    });
    const { code, out } = await run(['check', roots, '--format', 'unix']);
    expect(code).toBe(1);
    for (const root of ['a', 'b']) expect(out).toContain(`${join(roots, root, 'app.yaml')}:`);
  });

  test('prints nothing if there is nothing to report', async () => {
    const config = newFolder({ 'karpenter-constructs.yaml': 'severity: {}', 'pool.yaml': NODE_CLASS });
    expect(await run(['check', config, '--format', 'unix'])).toEqual({ code: 0, out: '', err: '' });
  });
});

describe('--format codequality', () => {
  test('is a list of issues with paths relative to the working directory and distinct fingerprints', async () => {
    const { code, out } = await run(['check', 'examples/explain/shop.yaml', '--format', 'codequality']);
    expect(code).toBe(1);
    const issues = JSON.parse(out) as Array<{ fingerprint: string }>;
    expect(issues).toContainEqual({
      description: expect.stringMatching(
        /^Deployment shop\/report: each pod requests 29 GiB memory, .*; lower memory from 29Gi to /,
      ),
      check_name: 'KARP-301',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      severity: 'critical',
      location: { path: 'examples/explain/shop.yaml', lines: { begin: 54 } },
    });
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
  });
});

describe('--format markdown', () => {
  test('contains the verdict without colors, and keeps the exit code', async () => {
    const { code, out } = await run(['check', '-', '--format', 'markdown'], BIG, { color: true, columns: 40 });
    expect(code).toBe(1);
    expect(out).toMatch(/^## 2 of 3 pods fit on 1 node, from .*; 1 pod does not fit; 1 error, 1 warning, 1 note\.\n\n/);
    expect(out).not.toContain('\u001b');
  });

  test('contains the scenario', async () => {
    const { out } = await run(['check', '-', '--format', 'markdown', '--scenario', 'drift'], GOOD);
    expect(out).toContain('### Impact\n\n```text\ndrift: 1 node');
  });
});

describe('--format html', () => {
  test('is a self-contained page with verdict and scenario', async () => {
    const { code, out } = await run(['check', '-', '--format', 'html', '--scenario', 'drift'], GOOD, {
      color: true,
      columns: 40,
    });
    expect(code).toBe(0);
    expect(out).toMatch(
      /^<!doctype html>[^]*<h1>All 2 pods fit on 1 node[^]*<h2 id="h-scenarios">Scenarios<\/h2>[^]*<svg /,
    );
  });
});
