import { deploymentsOf, FLUX, fluxKustomization as kustomization, POOL, release, WORKLOAD } from './gitops-files';

const flux = (files: Readonly<Record<string, string>>) => deploymentsOf({ ...FLUX, ...files });
const nodes = (fields: object = {}, name = 'nodes') => kustomization(name, { path: './nodes', ...fields });
const apps = (fields: object = {}) => kustomization('apps', { path: './apps', ...fields });

describe('KARP-012 deployment-blocked, Flux', () => {
  test('passes a repository in which each name leads to an object', () => {
    expect(
      flux({
        'clusters/prod/nodes.yaml': nodes({ dependsOn: [{ name: 'controllers' }] }),
        'clusters/prod/apps.yaml': apps({
          dependsOn: [{ name: 'nodes', namespace: 'flux-system' }],
          healthChecks: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'web' }],
        }),
      }),
    ).toEqual([]);
  });

  test.each([
    ['a misspelt dependency', { dependsOn: [{ name: 'node' }] }, 'spec.dependsOn[0].name', 'write name: nodes'],
    [
      'a dependency in another namespace',
      { dependsOn: [{ name: 'nodes', namespace: 'apps' }] },
      'spec.dependsOn[0].namespace',
      'write namespace: flux-system in dependsOn',
    ],
    [
      'a dependency that nothing in the repository defines',
      { dependsOn: [{ name: 'databases' }] },
      'spec.dependsOn[0].name',
      'write the name of a Kustomization that exists (there are controllers, flux-system and nodes), or remove the entry',
    ],
    [
      'a dependency on a HelmRelease',
      { dependsOn: [{ name: 'karpenter' }] },
      'spec.dependsOn[0].name',
      'a Kustomization waits only for Kustomizations: write name: controllers, which deploys HelmRelease karpenter, and wait: true there',
    ],
    [
      'a misspelt source',
      { sourceRef: { kind: 'GitRepository', name: 'flux-sytem' } },
      'spec.sourceRef.name',
      'write name: flux-system',
    ],
    [
      'a source of another kind',
      { sourceRef: { kind: 'OCIRepository', name: 'flux-system' } },
      'spec.sourceRef.kind',
      'write kind: GitRepository',
    ],
    [
      'itself',
      { dependsOn: [{ name: 'apps' }] },
      'spec.dependsOn[0].name',
      'remove apps from dependsOn of Kustomization apps',
    ],
    [
      'a health check that is misspelt',
      { healthChecks: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'wep', namespace: 'web' }] },
      'spec.healthChecks[0].name',
      'write name: web',
    ],
  ])('reports a Kustomization that waits for %s', (_, fields, path, remedy) => {
    const found = flux({ 'clusters/prod/nodes.yaml': nodes(), 'clusters/prod/apps.yaml': apps(fields) });
    expect(found).toMatchObject([{ rule: 'KARP-012', location: { file: 'clusters/prod/apps.yaml', path }, remedy }]);
  });

  test('says nothing about names that another repository or a program may define', () => {
    const { 'clusters/prod/flux-system/gotk-sync.yaml': bootstrap, ...others } = FLUX;
    expect(bootstrap).toBeDefined();
    const found = deploymentsOf({
      ...others,
      'clusters/prod/nodes.yaml': nodes({ dependsOn: [{ name: 'databases' }] }),
      'clusters/prod/apps.yaml': apps({
        dependsOn: [{ name: '${dependency}' }, { name: 'nodes-2' }],
        postBuild: { substituteFrom: [{ kind: 'ConfigMap', name: 'cluster-vars' }] },
      }),
      'clusters/prod/more.yaml': nodes({ path: './more' }, 'nodes-1'),
      'more/pool.yaml': POOL.replaceAll('default', 'more'),
    });
    expect(found).toEqual([]);
  });

  test('reports a circle once, and a part that its parent waits for', () => {
    const circle = flux({
      'clusters/prod/nodes.yaml': nodes({ dependsOn: [{ name: 'apps' }] }),
      'clusters/prod/apps.yaml': apps({ dependsOn: [{ name: 'nodes' }] }),
    });
    expect(circle.map(({ message }) => message)).toEqual([
      expect.stringContaining('is in a circle of Kustomizations that wait for each other (nodes → apps → nodes)'),
    ]);
    const parent = flux({
      'clusters/prod/all.yaml': kustomization('all', { path: './parts', wait: true }),
      'parts/nodes.yaml': nodes({ dependsOn: [{ name: 'all' }] }),
    });
    expect(parent).toMatchObject([{ location: { file: 'parts/nodes.yaml', path: 'spec.dependsOn[0].name' } }]);
  });

  test('reports NodePools in the Kustomization that installs their CRDs', () => {
    const both = { ...FLUX, 'controllers/pool.yaml': POOL, 'nodes/pool.yaml': WORKLOAD };
    expect(deploymentsOf(both)).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('together with HelmRelease karpenter') },
    ]);
  });

  test('reports values that are almost in the repository, and a chart that is almost one of Karpenter', () => {
    const values = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'cluster-vars', namespace: 'flux-system' },
      data: { region: 'us-east-1' },
    });
    const substituteFrom = (name: string) => [{ kind: 'ConfigMap', name }];
    const found = (name: string) =>
      flux({
        'clusters/prod/vars.yaml': values,
        'clusters/prod/apps.yaml': apps({ postBuild: { substituteFrom: substituteFrom(name) } }),
      });
    expect(found('cluster-vars')).toEqual([]);
    expect(found('other')).toEqual([]);
    expect(found('cluster-var')).toMatchObject([{ remedy: 'write name: cluster-vars' }]);
    const repository = { url: 'oci://public.ecr.aws/karpenter', type: 'oci' };
    const chart = release(repository).replace('"chart": "karpenter"', '"chart": "karpentr"');
    expect(flux({ 'controllers/karpenter.yaml': chart })).toMatchObject([{ remedy: 'write chart: karpenter' }]);
  });

  test.each([
    ['v1.8.1', 'write 1.8.1'],
    ['0.34.0', 'write v0.34.0'],
    ['1.8.1', undefined],
    ['>=1.8', undefined],
  ])('knows the tags of the registry: %s', (version, remedy) => {
    const repository = { url: 'oci://public.ecr.aws/karpenter', type: 'oci' };
    const text = release(repository).replace('"1.8.1"', JSON.stringify(version));
    const found = flux({ 'controllers/karpenter.yaml': text });
    expect(found.map((finding) => finding.remedy)).toEqual(remedy === undefined ? [] : [remedy]);
  });

  test.each([
    ['an oci URL without a type', 'oci://public.ecr.aws/karpenter', {}, 'write type: oci'],
    ['type: oci with https', 'https://charts.acme.io', { type: 'oci' }, 'remove type: oci'],
    [
      'a registry with https',
      'https://public.ecr.aws/karpenter',
      {},
      'write url: oci://public.ecr.aws/karpenter and type: oci',
    ],
    [
      'a URL that contains the chart',
      'oci://public.ecr.aws/karpenter/karpenter',
      { type: 'oci' },
      'write url: oci://public.ecr.aws/karpenter',
    ],
  ])('reports a HelmRepository with %s', (_, url, fields, remedy) => {
    expect(flux({ 'controllers/karpenter.yaml': release({ url, ...fields }) })).toMatchObject([
      {
        location: { path: 'spec.url' },
        remedy,
        message: expect.stringContaining('HelmRelease karpenter is never installed'),
      },
    ]);
  });

  test('reports Kustomizations that deploy the same files to one cluster', () => {
    const twice = (path: string) =>
      flux({ 'clusters/prod/apps.yaml': apps(), 'clusters/prod/all.yaml': kustomization('all', { path }) });
    expect(twice('./nodes')).toEqual([]);
    expect(twice('./apps')).toMatchObject([
      {
        severity: 'warning',
        message: expect.stringContaining('1 object that Kustomization'),
        remedy: expect.stringContaining('path of its own'),
      },
    ]);
    const nested = {
      'clusters/prod/web/web.yaml': WORKLOAD,
      'clusters/prod/web.yaml': kustomization('web', { path: './clusters/prod/web' }),
    };
    expect(flux(nested)).toMatchObject([
      {
        location: { file: 'clusters/prod/flux-system/gotk-sync.yaml', path: 'spec.path' },
        remedy:
          'let only one of them deploy web: list it in no kustomization.yaml below clusters/prod, or move it out of there',
      },
    ]);
    const staging = { 'clusters/staging/apps.yaml': apps(), 'clusters/prod/apps.yaml': apps() };
    expect(flux(staging)).toEqual([]);
  });

  test('reports HelmReleases that write one release', () => {
    const url = { url: 'oci://public.ecr.aws/karpenter', type: 'oci' };
    const twice = (spec: object) =>
      flux({
        'controllers/other.yaml': release(url, spec)
          .replaceAll('"karpenter"', '"other"')
          .replace(/"(chart|releaseName)": "other"/g, '"$1": "karpenter"'),
      });
    expect(twice({})).toEqual([]);
    expect(twice({ releaseName: 'karpenter' })).toMatchObject([
      {
        location: { file: 'controllers/other.yaml' },
        remedy: 'write a releaseName of its own, or remove one of them',
      },
    ]);
  });
});
