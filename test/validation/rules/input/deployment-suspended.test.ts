import { argo, deploymentsOf, FLUX, fluxKustomization, release } from './gitops-files';

const SUSPENDED = fluxKustomization('nodes', { path: './nodes', suspend: true });
const suspended = (files: Readonly<Record<string, string>>) => deploymentsOf({ ...FLUX, ...files });

describe('KARP-013 deployment-suspended', () => {
  test('reports a Kustomization with NodePools, and not one with workloads only', () => {
    expect(suspended({ 'clusters/prod/nodes.yaml': SUSPENDED })).toMatchObject([
      {
        rule: 'KARP-013',
        severity: 'warning',
        location: { path: 'spec.suspend' },
        message: expect.stringContaining('1 NodePool and 1 EC2NodeClass of it are never applied'),
      },
    ]);
    const apps = fluxKustomization('apps', { path: './apps', suspend: true });
    expect(suspended({ 'clusters/prod/apps.yaml': apps })).toEqual([]);
  });

  test('reports the HelmRelease of Karpenter, and the repository of its chart', () => {
    const repository = { url: 'oci://public.ecr.aws/karpenter', type: 'oci' };
    const [asRelease, asSource] = [release(repository, { suspend: true }), release({ ...repository, suspend: true })];
    expect(suspended({ 'controllers/karpenter.yaml': asRelease })).toHaveLength(1);
    expect(suspended({ 'controllers/karpenter.yaml': asSource })).toMatchObject([
      { message: expect.stringContaining('HelmRelease karpenter gets no files') },
    ]);
  });

  test.each([
    ['beside it', SUSPENDED.replace('"suspend": true', '"suspend": true # until the migration is over')],
    ['above it', SUSPENDED.replace('"suspend": true', '# until the migration is over\n"suspend": true')],
  ])('respects a comment %s', (_, text) => {
    expect(suspended({ 'clusters/prod/nodes.yaml': text })).toEqual([]);
  });

  test('reports an Application that Argo CD skips', () => {
    const source = { repoURL: 'public.ecr.aws/karpenter', chart: 'karpenter', targetRevision: '1.8.1' };
    const files = argo(
      {
        sourceRepos: ['*'],
        destinations: [{ server: '*', namespace: '*' }],
        clusterResourceWhitelist: [{ group: '*', kind: '*' }],
      },
      { source },
    );
    const skipped = files['argocd/applications.yaml'].replace(
      '"namespace": "argocd"',
      '"namespace": "argocd", "annotations": { "argocd.argoproj.io/skip-reconcile": "true" }',
    );
    expect(deploymentsOf(files)).toEqual([]);
    expect(deploymentsOf({ ...files, 'argocd/applications.yaml': skipped })).toMatchObject([{ rule: 'KARP-013' }]);
  });
});
