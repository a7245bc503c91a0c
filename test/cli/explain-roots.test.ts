import { folderOf, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const kustomization = (content: string) =>
  `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n${content}`;

const REPOSITORY = folderOf({
  'base/kustomization.yaml': kustomization('resources: [web.yaml, pools.yaml]\n'),
  'base/web.yaml': deployment('web', 1, SMALL),
  'base/pools.yaml': POOLS,
  'overlays/dev/kustomization.yaml': kustomization('resources: [../../base, job.yaml]\nnamespace: dev\n'),
  'overlays/dev/job.yaml': deployment('migrate', 1, SMALL),
  'overlays/prod/kustomization.yaml': kustomization(
    'resources: [../../base]\nnamespace: prod\nreplicas: [{ name: web, count: 3 }]\n',
  ),
});
const WITH_CHART = folderOf({
  'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'plain/web.yaml': [POOLS, deployment('web', 1, SMALL)].join('---\n'),
});
const ONE_ROOT = folderOf({
  'kustomization.yaml': kustomization('resources: [all.yaml]\nnamespace: shop\nreplicas: [{ name: web, count: 2 }]\n'),
  'all.yaml': `${POOLS}---\n${deployment('web', 1, SMALL)}`,
});

interface Result {
  readonly roots: ReadonlyArray<{
    readonly name: string;
    readonly kind: string;
    readonly placements?: ReadonlyArray<{ readonly pod: string }>;
  }>;
}

const explain = (folder: string, ...options: string[]) =>
  run(['explain', folder, '--no-helm', '--no-kustomize', ...options]);

describe('explain in a repository', () => {
  test('explains a pod of one root as its kustomization makes it, below the name of the root', async () => {
    const { code, out, err } = await explain(REPOSITORY, '--pod', 'migrate');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^== dev ==\ndev\/migrate-0 (joins|opens) default-0/);
    expect(out).not.toContain('prod');
  });

  test('explains a pod of several roots in each, and says how to choose one', async () => {
    const { code, out } = await explain(REPOSITORY, '--pod', 'web-0');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^web-0: found in 2 roots, which are deployed separately; choose one with --root, such as --root dev \(also prod\)\n\n== dev ==\ndev\/web-0 /,
    );
    expect(out).toMatch(/\n\n== prod ==\nprod\/web-0 opens /);
  });

  test('explains the pod of the root that --root names, as if it were the only one', async () => {
    const { out } = await explain(REPOSITORY, '--pod', 'web', '--root', 'prod');
    expect(out).toMatch(/^prod\/web-0 opens default-0, .*\n.*\n/);
    expect(
      JSON.parse((await explain(REPOSITORY, '--pod', 'web', '--root', 'prod', '--format', 'json')).out)[0].pod,
    ).toBe('prod/web-0');
  });

  test('prints JSON with the roots that have the pod', async () => {
    const { out } = await explain(REPOSITORY, '--pod', 'web-2', '--format', 'json');
    const { roots } = JSON.parse(out) as Result;
    expect(
      roots.map(({ name, kind, placements }) => [
        name.slice(REPOSITORY.length + 1),
        kind,
        placements!.map(({ pod }) => pod),
      ]),
    ).toEqual([['overlays/prod', 'kustomization', ['prod/web-2']]]);
  });

  test('finds each of several names in its own root', async () => {
    const { code, out } = await explain(REPOSITORY, '--pod', 'migrate', '--pod', 'web-2', '--format', 'json');
    expect(code).toBe(0);
    expect((JSON.parse(out) as Result).roots.map(({ placements }) => placements!.map(({ pod }) => pod))).toEqual([
      ['dev/migrate-0'],
      ['prod/web-2'],
    ]);
  });

  test('rejects a name that no root has, with the nearest names of all roots', async () => {
    const { code, out, err } = await explain(REPOSITORY, '--pod', 'prod/wep');
    expect([code, out, err]).toEqual([
      2,
      '',
      'error: --pod: no pod or workload is called "prod/wep"; did you mean "prod/web" or "dev/web"?\n',
    ]);
  });

  test('names charts that are not searched', async () => {
    const { code, out } = await explain(WITH_CHART, '--pod', 'web-0');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^== plain ==\ndefault\/web-0 opens .*\n[^]*\n\n- not searched: chart; not rendered, because of --no-helm\n$/,
    );
    expect((await explain(WITH_CHART, '--pod', 'api')).err).toMatch(
      /^not searched: chart; not rendered, because of --no-helm\nerror: --pod: no pod or workload is called "api"; did you mean "default\/web"\?\n$/,
    );
  });

  test('explains a single kustomization as it is built', async () => {
    expect((await run(['explain', ONE_ROOT, '--pod', 'shop/web-1'])).out).toMatch(
      /^shop\/web-1 (joins|opens) default-/,
    );
  });
});
