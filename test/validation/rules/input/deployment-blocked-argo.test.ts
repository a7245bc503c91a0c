import { argo, deploymentsOf, POOL, WORKLOAD } from './gitops-files';

const NODES = { source: { repoURL: 'https://github.com/acme/platform.git', path: 'nodes' } };
const OPEN = {
  sourceRepos: ['https://github.com/acme/*', 'public.ecr.aws/karpenter'],
  destinations: [{ server: 'https://kubernetes.default.svc', namespace: '*' }],
  clusterResourceWhitelist: [{ group: 'karpenter.*', kind: '*' }],
};
const chart = (source: object) => ({ source: { chart: 'karpenter', targetRevision: '1.8.1', ...source } });

describe('KARP-012 deployment-blocked, Argo CD', () => {
  test('passes a project that permits what its Applications deploy', () => {
    expect(deploymentsOf(argo(OPEN, NODES))).toEqual([]);
  });

  test.each([
    [
      'a kind that is not in its list',
      { ...OPEN, clusterResourceWhitelist: [{ group: 'karpenter.sh', kind: '*' }] },
      'spec.clusterResourceWhitelist',
      'add { group: karpenter.k8s.aws, kind: EC2NodeClass } to clusterResourceWhitelist',
    ],
    [
      'any kind without a namespace',
      { ...OPEN, clusterResourceWhitelist: undefined },
      'spec.clusterResourceWhitelist',
      'add { group: karpenter.sh, kind: NodePool } and { group: karpenter.k8s.aws, kind: EC2NodeClass } to clusterResourceWhitelist',
    ],
    [
      'a kind that it refuses',
      { ...OPEN, clusterResourceBlacklist: [{ group: 'karpenter.sh', kind: 'NodePool' }] },
      'spec.clusterResourceBlacklist',
      'remove NodePool from clusterResourceBlacklist',
    ],
    [
      'the repository',
      { ...OPEN, sourceRepos: ['https://github.com/acme-corp/*'] },
      'spec.sourceRepos',
      'add https://github.com/acme/platform.git to sourceRepos',
    ],
    [
      'the namespace',
      { ...OPEN, destinations: [{ name: 'in-cluster', namespace: 'karpenter' }] },
      'spec.destinations',
      'add { server: https://kubernetes.default.svc, namespace: kube-system } to destinations',
    ],
  ])('reports a project that does not permit %s', (_, project, path, remedy) => {
    expect(deploymentsOf(argo(project, NODES))).toMatchObject([
      {
        rule: 'KARP-012',
        severity: 'error',
        location: { file: 'argocd/project.yaml', path: expect.stringContaining('spec') },
        remedy,
      },
    ]);
    expect(path).toMatch(/^spec/);
  });

  test('permits what a pattern or the name of the cluster permits, and does not judge clusters elsewhere', () => {
    const projects = [
      { ...OPEN, destinations: [{ name: 'in-cluster', namespace: 'kube-*' }] },
      { ...OPEN, sourceRepos: ['git@github.com:other/*', 'https://github.com/Acme/platform'] },
      { ...OPEN, sourceRepos: ['!https://github.com/other/*'] },
    ];
    for (const project of projects) expect(deploymentsOf(argo(project, NODES))).toEqual([]);
    const elsewhere = { ...NODES, destination: { name: 'prod', namespace: 'kube-system' } };
    expect(deploymentsOf(argo(OPEN, elsewhere))).toEqual([]);
  });

  test('reports the kinds of the chart of Karpenter', () => {
    expect(deploymentsOf(argo(OPEN, chart({ repoURL: 'public.ecr.aws/karpenter' })))).toMatchObject([
      { message: expect.stringContaining('ClusterRole (rbac.authorization.k8s.io)') },
    ]);
  });

  test('reports a project that is misspelt', () => {
    expect(deploymentsOf(argo(OPEN, { ...NODES, project: 'platfrom' }))).toMatchObject([
      { location: { file: 'argocd/applications.yaml', path: 'spec.project' }, remedy: 'write project: platform' },
    ]);
    expect(deploymentsOf(argo(OPEN, { ...NODES, project: 'team-a' }))).toEqual([]);
  });

  test.each([
    [
      chart({ repoURL: 'oci://public.ecr.aws/karpenter' }),
      'write repoURL: public.ecr.aws/karpenter; from Argo CD 3.1 on',
    ],
    [chart({ repoURL: 'https://public.ecr.aws/karpenter' }), 'write repoURL: public.ecr.aws/karpenter'],
    [chart({ repoURL: 'public.ecr.aws/karpenter/karpenter' }), 'write repoURL: public.ecr.aws/karpenter'],
    [{ source: { repoURL: 'oci://public.ecr.aws/karpenter/karpenter' } }, 'write path: . beside repoURL'],
    [
      { source: { repoURL: 'oci://public.ecr.aws/karpenter', path: '.' } },
      'write repoURL: oci://public.ecr.aws/karpenter/karpenter',
    ],
  ])('reports the URL of %j', (application, remedy) => {
    const project = { ...OPEN, sourceRepos: ['*'], clusterResourceWhitelist: [{ group: '*', kind: '*' }] };
    expect(deploymentsOf(argo(project, application))).toMatchObject([
      { location: { path: 'spec.source.repoURL' }, remedy: expect.stringContaining(remedy) },
    ]);
  });

  test('reports a pattern that leaves out all files, and a tag that the registry does not have', () => {
    const of = (include: string) => deploymentsOf(argo(OPEN, { source: { ...NODES.source, directory: { include } } }));
    expect(of('*.yaml')).toEqual([]);
    expect(of('*.yml')).toMatchObject([{ location: { path: 'spec.source.directory.include' } }]);
    const source = { repoURL: 'public.ecr.aws/karpenter', chart: 'karpenter-crd', targetRevision: 'v1.8.1' };
    const project = { ...OPEN, clusterResourceWhitelist: [{ group: '*', kind: '*' }] };
    expect(deploymentsOf(argo(project, { source: { ...source, chart: 'Karpenter' } }))).toMatchObject([
      { location: { path: 'spec.source.chart' }, remedy: 'write chart: karpenter' },
    ]);
    expect(deploymentsOf(argo(project, { source }))).toMatchObject([
      { location: { path: 'spec.source.targetRevision' }, remedy: 'write 1.8.1' },
    ]);
  });

  test('passes an artifact of OCI, which Argo CD reads since 3.1', () => {
    const project = { ...OPEN, sourceRepos: ['*'] };
    const source = { repoURL: 'oci://public.ecr.aws/karpenter/karpenter', path: '.', targetRevision: '1.8.1' };
    expect(deploymentsOf(argo(project, { source }))).toEqual([]);
  });

  test('reports Applications that deploy the same files to one cluster', () => {
    const repoURL = NODES.source.repoURL;
    const of = (path: string, fields: object = {}) => ({
      source: { repoURL, path, directory: { recurse: true }, ...fields },
    });
    const found = (...applications: object[]) => deploymentsOf(argo(OPEN, ...applications));
    const open = { ...OPEN, clusterResourceWhitelist: [{ group: '*', kind: '*' }] };
    expect(found(of('nodes'), of('apps'))).toEqual([]);
    expect(found(of('nodes'), of('.'))).toMatchObject([
      {
        rule: 'KARP-012',
        severity: 'warning',
        location: { file: 'argocd/applications.yaml', path: 'spec.source.path' },
        subject: { name: 'app-1' },
        message: expect.stringContaining('2 objects that Application app-0 deploys, too: NodePool default and'),
        remedy: "leave it out with directory.exclude: 'nodes/**'",
      },
    ]);
    expect(found(of('.', { directory: { recurse: true, exclude: '{nodes/**,argocd/**}' } }), of('nodes'))).toEqual([]);
    expect(found(of('nodes'), of('nodes'))).toMatchObject([
      { subject: { name: 'app-1' }, remedy: expect.stringContaining('give it a path of its own') },
    ]);
    expect(found(of('nodes'), { ...of('nodes'), destination: { name: 'other', namespace: 'x' } })).toEqual([]);
    const nested = { 'manifests/nodes/pool.yaml': POOL, 'manifests/apps/web.yaml': WORKLOAD };
    expect(deploymentsOf({ ...argo(open, of('manifests/nodes'), of('manifests')), ...nested })).toMatchObject([
      { remedy: 'write path: manifests/apps' },
    ]);
  });
});
