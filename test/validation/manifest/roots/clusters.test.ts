import { rootsOf } from '../../../../src/validation';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../setup';

const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const application = (name: string, source: string, destination: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${name} }\nspec:\n  source: { ${source} }\n  destination: { ${destination} }\n---\n`;
const applicationSet = (generator: string, source: string, destination: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: set }\nspec:\n  generators: [${generator}]\n  template: { spec: { source: { ${source} }, destination: { ${destination} } } }\n`;
const flux = (name: string, path: string, fields = '') =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name} }\nspec:\n  path: ${path}\n  sourceRef: { kind: GitRepository, name: flux-system }\n${fields}---\n`;
const REPO = 'repoURL: https://github.com/acme/shop.git';

/** The files of each root, by its name. */
function rootsIn(files: Readonly<Record<string, string>>) {
  const sources = Object.entries(files).map(([path, text]) => ({ path, text, isFound: true }));
  return Object.fromEntries(
    rootsOf(sources).map(({ name, sources: found }) => [name, found.map(({ path }) => path).sort()]),
  );
}

const FOLDERS = {
  'east/pools.yaml': POOLS,
  'east/web.yaml': deployment('web', 1, SMALL),
  'west/api.yaml': deployment('api', 1, SMALL),
};

describe('Argo CD', () => {
  test('makes one root for each cluster that Applications deploy to', () => {
    const apps =
      application('east', `${REPO}, path: east`, 'server: "https://east"') +
      application('west', `${REPO}, path: west`, 'name: west');
    expect(rootsIn({ ...FOLDERS, 'apps.yaml': apps })).toEqual({
      'cluster https://east': ['east/pools.yaml', 'east/web.yaml'],
      'cluster west': ['west/api.yaml'],
    });
  });

  test('joins the paths of one cluster', () => {
    const apps =
      application('east', `${REPO}, path: east`, 'name: in-cluster') +
      application('west', `${REPO}, path: west`, 'server: "https://kubernetes.default.svc"') +
      application('other', `${REPO}, path: other`, 'name: other');
    expect(
      Object.keys(rootsIn({ ...FOLDERS, 'other/web.yaml': deployment('web', 1, SMALL), 'apps.yaml': apps })),
    ).toEqual(['cluster in-cluster', 'cluster other']);
  });

  test('divides nothing if there is one destination', () => {
    const apps =
      application('east', `${REPO}, path: east`, 'name: one') + application('west', `${REPO}, path: west`, 'name: one');
    expect(Object.keys(rootsIn({ ...FOLDERS, 'apps.yaml': apps }))).toEqual(['.']);
  });

  test('divides nothing if applications are alternatives that define the same object', () => {
    const apps =
      application('east', `${REPO}, path: east`, 'name: one') +
      application('copy', `${REPO}, path: copy`, 'name: one') +
      application('west', `${REPO}, path: west`, 'name: two');
    expect(
      Object.keys(rootsIn({ ...FOLDERS, 'copy/web.yaml': deployment('web', 2, SMALL), 'apps.yaml': apps })).filter(
        (name) => name.startsWith('cluster'),
      ),
    ).toEqual([]);
  });

  test('does not use the NodePools of one cluster for another', () => {
    const apps =
      application('east', `${REPO}, path: east`, 'name: east') +
      application('west', `${REPO}, path: west`, 'name: west');
    expect(rootsIn({ ...FOLDERS, 'apps.yaml': apps })['cluster west']).toEqual(['west/api.yaml']);
  });

  test('counts charts and other repositories in one note', () => {
    const apps =
      application('east', `${REPO}, path: east`, 'name: east') +
      application('west', `${REPO}, path: west`, 'name: west') +
      application('chart', 'repoURL: "https://charts.example.com", chart: redis', 'name: east') +
      application('gone', `${REPO}, path: gone`, 'name: east') +
      application('foreign', 'repoURL: https://github.com/acme/other, path: west', 'name: east');
    const sources = Object.entries({ ...FOLDERS, 'apps.yaml': apps }).map(([path, text]) => ({
      path,
      text,
      isFound: true,
    }));
    const roots = rootsOf(sources, { repositories: new Set(['shop']) });
    expect(roots.map(({ notes }) => notes)).toEqual([
      ['3 sources of Argo CD and Flux are not judged: the repository, the chart or the cluster is not in the input'],
      [],
    ]);
  });

  test('fills in the elements of a list', () => {
    const set = applicationSet(
      '{ list: { elements: [{ name: east }, { name: west }] } }',
      `${REPO}, path: "{{name}}"`,
      'name: "{{ .name }}"',
    );
    expect(Object.keys(rootsIn({ ...FOLDERS, 'set.yaml': set }))).toEqual(['cluster east', 'cluster west']);
  });

  test('combines the directories of Git with a list', () => {
    const matrix =
      '{ matrix: { generators: [{ git: { directories: [{ path: apps/* }, { path: apps/old, exclude: true }] } }, { list: { elements: [{ to: a }, { to: b }] } }] } }';
    const set = applicationSet(matrix, `${REPO}, path: "{{path}}"`, 'name: "{{to}}"');
    expect(
      rootsIn({
        'apps/web/web.yaml': deployment('web', 1, SMALL),
        'apps/old/old.yaml': deployment('old', 1, SMALL),
        'set.yaml': set,
      }),
    ).toEqual({
      'cluster a': ['apps/web/web.yaml'],
      'cluster b': ['apps/web/web.yaml'],
      '.': ['apps/old/old.yaml', 'set.yaml'],
    });
  });

  test('takes the name of a cluster from the folder that a path with the same placeholder matches', () => {
    const set = applicationSet('{ clusters: {} }', `${REPO}, path: "clusters/{{name}}"`, 'name: "{{name}}"');
    const files = {
      'clusters/east/web.yaml': deployment('web', 1, SMALL),
      'clusters/west/web.yaml': deployment('web', 1, SMALL),
      'set.yaml': set,
    };
    expect(Object.keys(rootsIn(files))).toEqual(['cluster east', 'cluster west']);
  });

  test('sets the namespace of the destination', () => {
    const apps =
      application('east', `${REPO}, path: east`, 'name: east, namespace: shop') +
      application('west', `${REPO}, path: west`, 'name: west');
    const sources = Object.entries({ ...FOLDERS, 'apps.yaml': apps }).map(([path, text]) => ({ path, text }));
    const [east] = rootsOf(sources);
    const [pools, web] = east.sources.map(({ edit }) => edit!);
    expect(web({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } })).toMatchObject({
      metadata: { namespace: 'shop' },
    });
    expect(pools({ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'default' } })).toEqual({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'default' },
    });
  });
});

test('names paths that the repository lacks once, with the nearest path', () => {
  const written = [
    application('shop', `${REPO}, path: wset/`, 'name: one'),
    application('branch', `${REPO}, path: gone, targetRevision: v2`, 'name: one'),
    application('other', 'repoURL: https://github.com/other/shop, path: gone', 'name: one'),
    'apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: flux-system }\nspec: { url: "ssh://git@github.com/acme/shop", ref: { branch: main } }\n---\n',
    flux('west', './west'),
  ];
  const found = (more: string[], remote = 'git@github.com:acme/shop.git') => {
    const files = { ...FOLDERS, 'apps.yaml': [...written, ...more].join('') };
    const sources = Object.entries(files).map(([path, text]) => ({ path, text, isFound: true }));
    const has = (_: string, path: string) => /^(\.\/)?(east|west)/.test(path);
    const roots = rootsOf(sources, {
      repositories: new Set(['shop']),
      onDisk: { remotes: new Set([remote]), has, filesIn: () => undefined },
    });
    return roots.flatMap(({ sources: all }) => all.flatMap(({ unreadable }) => unreadable ?? []));
  };
  expect(found([])).toMatchObject([
    {
      message:
        'Application shop deploys wset, which is not in the repository: it fails, and nothing of it is in the plan',
      remedy: 'write west',
      severity: 'warning',
    },
  ]);
  expect(found([flux('gone', './gone')])[0].message).toBe(
    '2 paths that Argo CD or Flux deploy are not in the repository: wset (apps.yaml) and gone (apps.yaml)',
  );
  expect(found([], 'https://github.com/fork/shop')).toEqual([]);
});

test('without a repository, reports only paths that are almost a folder', () => {
  const found = (path: string, onDisk?: { readonly has: () => boolean | undefined }) => {
    const apps = ['east', path].map((one, index) => application(`app-${index}`, `${REPO}, path: ${one}`, 'name: one'));
    const sources = Object.entries({ ...FOLDERS, 'apps.yaml': apps.join('') }).map(([name, text]) => ({
      path: name,
      text,
      isFound: true,
    }));
    const disk = onDisk && { remotes: new Set<string>(), filesIn: () => undefined, ...onDisk };
    const roots = rootsOf(sources, { onDisk: disk });
    return roots.flatMap(({ sources: all }) => all.flatMap(({ unreadable }) => unreadable?.remedy ?? []));
  };
  expect(found('wset')).toEqual(['write west']);
  for (const path of ['gone', 'west', 'west-2']) expect(found(path)).toEqual([]);
  expect(found('wset', { has: () => true })).toEqual([]);
});

test('says that an Application without recursion deploys nothing of a folder with subfolders only', () => {
  const found = (
    source: string,
    own: string[] = ['README.md'],
    more: Readonly<Record<string, string>> = {},
    isKnown = 'known',
  ) => {
    const apps = application('nodes', `${REPO}, path: nodes/${source}`, 'name: one');
    const files = { 'apps.yaml': apps, 'nodes/pools/general.yaml': POOLS, ...more };
    const sources = Object.entries(files).map(([path, text]) => ({ path, text, isFound: true }));
    const onDisk = {
      remotes: new Set(isKnown === 'known' ? ['git@github.com:acme/shop.git'] : []),
      has: () => true,
      filesOf: () => own,
      filesIn: (_: string, path: string) =>
        isKnown !== 'known' ? undefined : path === 'nodes' ? own : ['general.yaml'],
    };
    const roots = rootsOf(sources, { repositories: new Set(['shop']), onDisk });
    return roots.flatMap(({ sources: all }) => all.flatMap(({ unreadable }) => unreadable ?? []));
  };
  expect(found('')).toMatchObject([
    {
      message: expect.stringContaining('Application nodes deploys nodes without its subfolders'),
      remedy: 'add directory: { recurse: true } next to path',
      severity: 'warning',
    },
  ]);
  expect(found(', directory: { recurse: false }')).toHaveLength(1);
  for (const fields of [', directory: { recurse: true }', ', plugin: {}', ', targetRevision: v2', 'pools'])
    expect(found(fields)).toEqual([]);
  expect(found('', ['main.jsonnet'])).toEqual([]);
  expect(found('', [], {}, 'unknown')).toHaveLength(1);
  expect(found('', [], { 'more.yaml': application('pools', `${REPO}, path: nodes/pools`, 'name: one') })).toEqual([]);
  expect(found('', [], { 'nodes/pools/kustomization.yaml': 'resources: [general.yaml]\n' })).toEqual([]);
});

describe('Flux', () => {
  const files = {
    'clusters/prod/flux-system/gotk-sync.yaml': flux('flux-system', './clusters/prod'),
    'clusters/prod/apps.yaml': flux('apps', './apps/prod'),
    'clusters/dev/flux-system/gotk-sync.yaml': flux('flux-system', './clusters/dev'),
    'clusters/dev/apps.yaml': flux('apps', './apps/base'),
    'apps/prod/kustomization.yaml': 'resources: [../base, pools.yaml]\n',
    'apps/prod/pools.yaml': POOLS,
    'apps/base/kustomization.yaml': 'resources: [web.yaml]\n',
    'apps/base/web.yaml': deployment('web', 1, SMALL),
  };

  test('makes one root for each folder that Flux is bootstrapped with', () => {
    expect(rootsIn(files)).toEqual({
      'cluster clusters/dev': [
        'apps/base/web.yaml',
        'clusters/dev/apps.yaml',
        'clusters/dev/flux-system/gotk-sync.yaml',
      ],
      'cluster clusters/prod': [
        'apps/base/web.yaml',
        'apps/prod/pools.yaml',
        'clusters/prod/apps.yaml',
        'clusters/prod/flux-system/gotk-sync.yaml',
      ],
    });
  });

  test('does not judge a kustomization below the path of a cluster a second time', () => {
    const two = {
      'clusters/a/x.yaml': flux('a', './apps/a'),
      'clusters/b/x.yaml': flux('b', './apps/b'),
      'apps/b/web.yaml': deployment('web', 1, SMALL),
    };
    const nested = {
      'apps/a/web/kustomization.yaml': 'resources: [web.yaml]\n',
      'apps/a/web/web.yaml': deployment('web', 1, SMALL),
    };
    expect(rootsIn({ ...two, ...nested })).toEqual({
      'cluster clusters/a': ['apps/a/web/web.yaml'],
      'cluster clusters/b': ['apps/b/web.yaml'],
    });
  });

  test('separates what a kubeConfig sends to another cluster', () => {
    const hub = {
      'hub/apps.yaml': flux('east', './east') + flux('west', './west', '  kubeConfig: { secretRef: { name: west } }\n'),
      ...FOLDERS,
    };
    expect(rootsIn(hub)).toEqual({
      'cluster hub': ['east/pools.yaml', 'east/web.yaml'],
      'cluster kubeConfig west': ['west/api.yaml'],
    });
  });

  test('counts HelmReleases of other repositories in the note', () => {
    const release =
      'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: redis }\nspec: { chart: { spec: { chart: redis, sourceRef: { kind: HelmRepository, name: bitnami } } } }\n';
    const [root] = rootsOf([
      { path: 'web.yaml', text: deployment('web', 1, SMALL) },
      { path: 'redis.yaml', text: release },
    ]);
    expect(root.notes).toEqual([
      '1 source of Argo CD or Flux is not judged: the repository, the chart or the cluster is not in the input',
    ]);
  });
});
