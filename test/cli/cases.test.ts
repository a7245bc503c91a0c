import { join, relative } from 'path';
import { parseAllDocuments } from 'yaml';
import { run } from './run';
import type { Verdict } from '../../src/validation';

const CASES = join(__dirname, 'cases');

interface RootResult {
  readonly name: string;
  readonly verdict?: Verdict;
}

async function checked(name: string) {
  const folder = join(CASES, name);
  const { code, out } = await run(['check', folder, '--format', 'json', '--no-helm', '--no-kustomize']);
  const result = JSON.parse(out) as Verdict & { readonly roots?: readonly RootResult[] };
  const roots = result.roots ?? [{ name: folder, verdict: result }];
  const findings = roots.flatMap(({ verdict }) => verdict?.findings ?? []);
  return {
    code,
    roots: roots.map((root) => ({ ...root, name: relative(folder, root.name) })),
    findings,
    errors: findings.filter(({ severity }) => severity === 'error'),
  };
}

test('merge-conflict markers are one error that names them, and the PDB beside them is no finding', async () => {
  const { code, errors, findings } = await checked('conflict-markers');
  expect(code).toBe(1);
  expect(errors).toMatchObject([{ rule: 'KARP-001', location: { line: 12 } }]);
  expect(errors[0].message).toContain('merge-conflict markers (<<<<<<<, =======, >>>>>>>)');
  expect(findings.filter(({ rule }) => rule === 'KARP-412')).toEqual([]);
});

test('workloads in overlays are planned with the NodePools of their environment', async () => {
  const { code, roots, findings } = await checked('env-overlays-not-linked');
  expect(code).toBe(0);
  expect(findings.filter(({ rule }) => rule === 'KARP-003')).toEqual([]);
  const apps = roots.filter(({ name }) => name.startsWith('app/'));
  expect(apps.map(({ name, verdict }) => [name, verdict!.summary.scheduledPods > 0])).toEqual([
    ['app/overlays/dev', true],
    ['app/overlays/prod', true],
  ]);
});

test('a Job with a generated name is a workload', async () => {
  const { roots } = await checked('generate-name');
  expect(roots[0].verdict!.summary.pods).toBe(1);
});

test('a patch without a target is an error of the root, with the reason of kustomize', async () => {
  const { code, errors } = await checked('kustomize-patch-without-target');
  expect(code).toBe(1);
  expect(errors.map(({ rule, message }) => [rule, message])).toEqual([
    ['KARP-001', expect.stringMatching(/^kustomize refuses to build .*failed to find unique target for patch/)],
  ]);
});

test('a chart without workloads is no error beside workloads that are planned', async () => {
  const { code, roots, errors } = await checked('nothing-to-evaluate');
  expect(code).toBe(0);
  expect(errors).toEqual([]);
  expect(roots.reduce((sum, { verdict }) => sum + (verdict?.summary.scheduledPods ?? 0), 0)).toBe(8);
});

test('objects are judged as the installed release serves them', async () => {
  const { code, roots, findings } = await checked('stale-karpenter-version');
  expect(code).toBe(0);
  expect(findings.filter(({ rule }) => rule === 'KARP-101')).toEqual([]);
  expect(roots[0].verdict!.assumptions).toContainEqual(expect.stringMatching(/^Karpenter is 1\.0\.8\b/));
});

test('a node class that is assumed makes no error about its disk', async () => {
  const { code, roots, errors } = await checked('assumed-class-error');
  expect(code).toBe(0);
  expect(errors).toEqual([]);
  expect(roots[0].verdict!.assumptions).toContainEqual(
    expect.stringContaining('it is assumed to be a stock AL2023 class'),
  );
});

test('pods do not fit on nodes that the assumed DaemonSets of EKS fill', async () => {
  const { code, errors } = await checked('system-daemon-sets');
  expect(code).toBe(1);
  expect(errors).toMatchObject([{ rule: 'KARP-301' }]);
  expect(errors[0].message).toContain('daemonsets use 0.15 CPUs of that');
  expect(errors[0].remedy).toContain('lower cpu from 7910m to 7760m');
});

test('objects of Karpenter 0.31 are converted without loss', async () => {
  const { code, out, err } = await run(['convert', join(CASES, 'old-manifests-converted')]);
  expect(code).toBe(0);
  const [pool, nodeClass] = parseAllDocuments(out).map((document): unknown => document.toJS());
  expect(pool).toMatchObject({
    apiVersion: 'karpenter.sh/v1',
    spec: {
      template: {
        metadata: { labels: { team: 'fruit' } },
        spec: { expireAfter: '168h', nodeClassRef: { name: 'aws' } },
      },
      disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
      limits: { cpu: '100' },
    },
  });
  expect(nodeClass).toMatchObject({
    apiVersion: 'karpenter.k8s.aws/v1',
    spec: {
      amiSelectorTerms: [{ alias: 'al2@latest' }],
      instanceProfile: 'KarpenterInstanceProfile',
      securityGroupSelectorTerms: [{ id: 'sg-0aaaaaaaaaaaaaaa1' }, { id: 'sg-0aaaaaaaaaaaaaaa2' }],
      kubelet: { maxPods: 60, systemReserved: { memory: '200Mi' } },
    },
  });
  expect(err).toMatch(/EKS publishes no AMI of Amazon Linux 2 for Kubernetes 1\.33/);
});

test('an older release is named with the release whose decisions are made', async () => {
  const { roots } = await checked('verdict-for-an-older-release');
  expect(roots[0].verdict!.assumptions).toContainEqual(
    expect.stringMatching(
      /^Karpenter is 1\.8\.1: fields and rules are those of this release, decisions those of 1\.15/,
    ),
  );
});
