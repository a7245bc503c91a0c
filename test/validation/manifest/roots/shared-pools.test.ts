import { rootsOf, withSharedPools } from '../../../../src/validation';
import type { Root } from '../../../../src/validation';
import { definedIn } from '../../../../src/validation/manifest/source/roots/root-objects';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../setup';

const WEB = deployment('web', 1, SMALL);
const pool = (name: string) => nodePool(['m5.large'], name);

function root(name: string, text: string, kind: Root['kind'] = 'kustomization'): Root {
  return { name, kind, sources: [{ path: `${name}/all.yaml`, text, isFound: true }], notes: [] };
}

/** The names of the NodePools and classes that each root is planned with. */
function planned(roots: readonly Root[], chosen?: readonly Root[]) {
  return withSharedPools(roots, chosen).map((one) => [
    one.name,
    definedIn(one, ['NodePool', 'EC2NodeClass']).map((key) => JSON.parse(key)[1]),
  ]);
}

describe('several clusters of Terraform', () => {
  const creates = (path: string) => ({ path, text: '', isFound: true, trace: { createsCluster: true } });
  const file = (path: string, text: string) => ({ path, text, isFound: true });
  const plannedFiles = (...traces: string[]) =>
    withSharedPools(
      rootsOf([
        ...traces.map(creates),
        file('org1/karpenter/kustomization.yaml', 'resources: [pool.yaml]'),
        file('org1/karpenter/pool.yaml', pool('default')),
        file('org2/app/kustomization.yaml', 'resources: [web.yaml]'),
        file('org2/app/web.yaml', WEB),
      ]),
    ).find(({ name }) => name === 'org2/app') as Root & { skipped?: string };

  test('give no NodePools to the pods of another one', () => {
    expect(plannedFiles('org1/terraform/eks.tf', 'org2/terraform/eks.tf').skipped).toBe(
      'not judged: org2/terraform creates its cluster, and has no NodePools',
    );
  });

  test('are not told apart by paths that have nothing in common with them', () => {
    for (const traces of [
      ['org1/terraform/eks.tf'],
      ['tf/a/eks.tf', 'tf/b/eks.tf'],
      ['org1/modules/eks/a.tf', 'org2/tf/a.tf'],
    ])
      expect(plannedFiles(...traces)).toMatchObject({ hasPoolsOfOther: true });
  });
});

test('NodePools that the Terraform beside them defines are no second set', () => {
  const files = [
    { path: 'tf/pools.tf', text: pool('default'), isFound: true },
    { path: 'tf/example.yaml', text: pool('default').replace('m5.large', 'm5.xlarge'), isFound: true },
    { path: 'app/web.yaml', text: WEB, isFound: true },
  ];
  const roots = withSharedPools(rootsOf(files));
  expect(roots.filter(({ name }) => name.startsWith('app')).map(({ notes }) => notes)).toEqual([
    ['with the NodePools of tf/pools.tf'],
  ]);
});

describe('workloads without NodePools', () => {
  test('are planned with the only NodePools of the repository', () => {
    expect(planned([root('app', WEB), root('pools', pool('default'))])).toEqual([
      ['app', ['default']],
      ['pools', ['default']],
    ]);
  });

  test('are planned with all NodePools that can be in one cluster', () => {
    const roots = [root('app', WEB), root('pools/a', pool('a')), root('pools/b', pool('b'))];
    expect(planned(roots, [roots[0]])).toEqual([['app', ['a', 'b']]]);
  });

  test('get the NodePools of a chart, and a chart gets those of a folder', () => {
    const roots = [root('karpenter', pool('default'), 'chart'), root('app', WEB, 'chart'), root('more', WEB, 'files')];
    expect(planned(roots, roots.slice(1))).toEqual([
      ['app', ['default']],
      ['more', ['default']],
    ]);
  });

  test('are planned with the NodePools of their environment', () => {
    const roots = ['dev', 'production'].flatMap((environment) => [
      root(`app/overlays/${environment}`, WEB),
      root(`nodes/${environment === 'dev' ? 'dev' : 'prod'}`, pool(environment)),
    ]);
    expect(planned(roots, [roots[0], roots[2]])).toEqual([
      ['app/overlays/dev', ['dev']],
      ['app/overlays/production', ['production']],
    ]);
  });

  test('are not planned with the NodePools of another environment if there are some for all', () => {
    const roots = [root('app/staging', WEB), root('nodes/dev', pool('dev')), root('nodes/shared', pool('shared'))];
    expect(planned(roots, [roots[0]])).toEqual([['app/staging', ['shared']]]);
  });

  test('prefer the NodePools whose path has the same words', () => {
    const roots = [
      root('apps/eu-west-1', WEB),
      root('nodes/eu-west-1', pool('default')),
      root('nodes/us-east-1', pool('default')),
    ];
    expect(withSharedPools(roots, [roots[0]])[0].notes).toEqual(['with the NodePools of nodes/eu-west-1']);
  });

  test('are planned with each set in turn if nothing says which', () => {
    const roots = [root('app', WEB), root('nodes/blue', pool('default')), root('nodes/green', pool('default'))];
    const [blue, green] = withSharedPools(roots, [roots[0]]);
    expect([blue.name, green.name]).toEqual(['app with nodes/blue', 'app with nodes/green']);
    expect(blue.notes).toEqual([
      '2 sets of NodePools can be meant, and the paths do not say which: each is tried in turn (nodes/blue; nodes/green)',
    ]);
  });

  test('are not planned with NodePools of an archive if there are others', () => {
    const roots = [root('app', WEB), root('archived/nodes', pool('default')), root('nodes', pool('default'))];
    expect(withSharedPools(roots, [roots[0]]).map(({ notes }) => notes)).toEqual([['with the NodePools of nodes']]);
  });

  test('name a set after the NodePools that tell it from others', () => {
    const roots = ['blue', 'green', 'extra'].map((name) =>
      root(`nodes/${name}`, pool(name === 'extra' ? name : 'default')),
    );
    const names = withSharedPools([root('app', WEB), ...roots]).map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['app with nodes/blue', 'app with nodes/green']);
  });

  test('get no NodePools if only DaemonSets would be planned with several sets', () => {
    const agent = WEB.replace('kind: Deployment', 'kind: DaemonSet');
    const roots = [root('app', agent), root('nodes/blue', pool('default')), root('nodes/green', pool('default'))];
    expect(planned(roots, [roots[0]])).toEqual([['app', []]]);
  });

  test('try four sets, and say how many there are', () => {
    const nodes = ['a', 'b', 'c', 'd', 'e'].map((name) => root(`nodes/${name}`, pool('default')));
    const tried = withSharedPools([root('app', WEB), ...nodes]).filter(({ name }) => name.startsWith('app'));
    expect(tried).toHaveLength(4);
    expect(tried[0].notes[0]).toMatch(/^5 sets of NodePools .* only the first 4 are tried/);
  });
});

test('workloads whose path names another provider are skipped', () => {
  const roots: Array<Root & { skipped?: string }> = [
    root('environments/linode/apps', WEB),
    root('environments/dev', pool('default')),
  ];
  expect(withSharedPools(roots)[0].skipped).toBe(
    'not judged: its path names linode, where Karpenter for AWS launches no nodes',
  );
});

describe('workloads with NodePools', () => {
  test('are planned with these', () => {
    const roots = [root('app', `${pool('own')}---\n${WEB}`), root('nodes', pool('default'))];
    expect(planned(roots, [roots[0]])).toEqual([['app', ['own']]]);
  });

  test('also get the others if their own NodePools all have taints', () => {
    const text = JSON.stringify({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'gpu' },
      spec: { template: { spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] } } },
    });
    const roots = [root('app', `${text}\n---\n${WEB}`), root('nodes', pool('default'))];
    expect(planned(roots, [roots[0]])).toEqual([['app', ['gpu', 'default']]]);
  });
});

test('a NodePool gets the EC2NodeClass of another root that it names, and no other one', () => {
  const classes = `${NODE_CLASS}---\n${NODE_CLASS.replace('name: main', 'name: unused')}`;
  const roots = [root('pools', pool('general')), root('classes', classes)];
  expect(planned(roots, [roots[0]])).toEqual([['pools', ['general', 'main']]]);
});

test('the NodePools of one cluster are not used for another cluster', () => {
  const roots = [root('cluster east', pool('default'), 'cluster'), root('cluster west', WEB, 'cluster')];
  expect(planned(roots, [roots[1]])).toEqual([['cluster west', []]]);
});

test('folders around the input name no environment', () => {
  const files = {
    '/home/me/dev/shop/app/web.yaml': WEB,
    '/home/me/dev/shop/copy/web.yaml': WEB,
    '/home/me/dev/shop/nodes/pools.yaml': pool('default'),
    '/home/me/dev/shop/prod/nodes/pools.yaml': pool('prod'),
  };
  const sources = Object.entries(files).map(([path, text]) => ({ path, text, isFound: true }));
  const [app] = withSharedPools(rootsOf(sources));
  expect(app.notes).toEqual(['with the NodePools of nodes']);
});

test('a Provisioner and a NodePool of one name are alternatives', () => {
  const legacy = 'apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: { name: default }\nspec: {}\n';
  const files = [
    { path: 'new.yaml', text: pool('default'), isFound: true },
    { path: 'old.yaml', text: legacy, isFound: true },
    { path: 'web.yaml', text: WEB, isFound: true },
  ];
  expect(rootsOf(files).map(({ name }) => name)).toEqual(['new.yaml', 'old.yaml']);
});

describe('workloads of one name beside the NodePools', () => {
  const rootsWith = (...nodes: ReadonlyArray<readonly [path: string, text: string]>) =>
    withSharedPools(
      rootsOf(
        [['app/web.yaml', deployment('shop', 2, SMALL)] as const, ...nodes].map(([path, text]) => ({
          path: `/repo/${path}`,
          text,
          isFound: true,
        })),
      ),
    );

  test('do not make two sets of the same NodePools', () => {
    const [app, ...others] = rootsWith(
      ['nodes/pool.yaml', pool('default')],
      ['nodes/try-a.yaml', WEB],
      ['nodes/try-b.yaml', WEB],
    );
    expect(app.name).toBe('/repo/app');
    expect(app.notes).toEqual(['with the NodePools of nodes/pool.yaml']);
    expect(others).toHaveLength(2);
  });

  test('are two sets if the files with them have different NodePools too', () => {
    const roots = rootsWith(
      ['nodes/all.yaml', pool('default')],
      ['nodes/try-a.yaml', [WEB, pool('web')].join('---\n')],
      ['nodes/try-b.yaml', [WEB, pool('web').replace('m5.large', 'm5.xlarge')].join('---\n')],
    );
    expect(roots.filter(({ name }) => name.startsWith('/repo/app'))).toHaveLength(2);
  });
});
