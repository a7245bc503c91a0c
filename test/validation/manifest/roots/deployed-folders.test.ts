import { check, rootsOf } from '../../../../src/validation';
import { editedObjectsIn } from '../../../../src/validation/manifest/source/roots/root-objects';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../setup';

const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const WEB = deployment('web', 1, SMALL);
const KUSTOMIZATION = 'resources: [web.yaml]\nreplicas: [{ name: web, count: 2 }]\n';

type Files = Readonly<Record<string, string>>;

const flux = (name: string, path: string, fields: string) =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name} }\nspec:\n  path: ${path}\n  sourceRef: { kind: GitRepository, name: flux-system }\n${fields}---\n`;
const application = (name: string, source: string, destination = 'namespace: shop') =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${name} }\nspec:\n  source: { repoURL: https://github.com/acme/shop.git, ${source} }\n  destination: { ${destination} }\n---\n`;
const set = (generators: string, source: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: set }\nspec:\n  generators: ${generators}\n  template: { metadata: { name: "{{name}}" }, spec: { source: { ${source} } } }\n`;
const patch = (replicas: number, name = 'web') =>
  `{ patch: "{ apiVersion: apps/v1, kind: Deployment, metadata: { name: ${name} }, spec: { replicas: ${replicas} } }" }`;

function rootsIn(files: Files) {
  return rootsOf(
    Object.entries({ 'infra/pools.yaml': POOLS, ...files }).map(([path, text]) => ({ path, text, isFound: true })),
  );
}

/** The Deployments of all roots as edited, by root and name. */
function deployments(files: Files) {
  return rootsIn(files).flatMap(({ name: root, sources }) =>
    sources
      .filter(({ path }) => path.endsWith('web.yaml'))
      .flatMap((source) => editedObjectsIn(source) as Array<Record<string, any>>)
      .map((edited) => ({ root, ...edited?.metadata, replicas: edited?.spec.replicas, pod: edited?.spec.template })),
  );
}

describe('Argo CD with one cluster', () => {
  test('adds the fields of source.kustomize to the kustomization of the folder', () => {
    const kustomize =
      'namePrefix: eu-, nameSuffix: -v2, commonLabels: { region: eu }, images: ["app=registry/app:2"], replicas: [{ name: web, count: "4" }]';
    expect(
      deployments({
        'apps/web/kustomization.yaml': KUSTOMIZATION,
        'apps/web/web.yaml': WEB,
        'argo.yaml': application('web', `path: apps/web, kustomize: { ${kustomize} }`),
      }),
    ).toMatchObject([
      {
        root: 'apps/web',
        name: 'eu-web-v2',
        namespace: 'shop',
        replicas: 4,
        pod: { metadata: { labels: { region: 'eu' } } },
      },
    ]);
  });

  test('keeps replicas of the kustomization, which kustomize sets after patches', () => {
    const files = { 'apps/web/kustomization.yaml': KUSTOMIZATION, 'apps/web/web.yaml': WEB };
    const argo = application('web', `path: apps/web, kustomize: { patches: [${patch(9)}] }`);
    expect(deployments({ ...files, 'argo.yaml': argo })).toMatchObject([{ replicas: 2 }]);
  });

  test('makes a root for each way to deploy a folder', () => {
    const source = (prefix: string) => `path: apps/web, kustomize: { namePrefix: ${prefix} }`;
    expect(
      deployments({
        'apps/web/kustomization.yaml': KUSTOMIZATION,
        'apps/web/web.yaml': WEB,
        'argo.yaml': application('east', source('east-')) + application('west', source('west-')),
      }).map(({ root, name }) => [root, name]),
    ).toEqual([
      ['apps/web as east', 'east-web'],
      ['apps/web as west', 'west-web'],
    ]);
  });

  test('reports fields that kustomize refuses at the Application', () => {
    const [root] = rootsIn({
      'apps/web/kustomization.yaml': KUSTOMIZATION,
      'apps/web/web.yaml': WEB,
      'argo.yaml': application('web', `path: apps/web, kustomize: { patches: [${patch(9, 'api')}] }`),
    }).filter(({ kind }) => kind === 'kustomization');
    expect(check(root.sources).findings).toMatchObject([
      {
        severity: 'error',
        location: { file: 'argo.yaml', line: 4 },
        message: expect.stringMatching(
          /^Application web cannot deploy apps\/web: kustomize refuses .*"Deployment.*api/,
        ),
      },
    ]);
  });

  test('deploys the files that include and exclude leave', () => {
    const directory = 'directory: { recurse: true, include: "{a*,b/*}.yaml", exclude: b/x* }';
    const files = Object.fromEntries(
      ['a', 'ab', 'c', 'b/y', 'b/x'].map((name) => [`apps/${name}.yaml`, WEB.replace('web', name.replace('/', '-'))]),
    );
    const edited = rootsIn({ ...files, 'argo.yaml': application('web', `path: apps, ${directory}`) }).flatMap(
      ({ sources }) => sources.filter(({ edit }) => edit !== undefined).map(({ path }) => path),
    );
    expect(edited.sort()).toEqual(['apps/a.yaml', 'apps/ab.yaml', 'apps/b/y.yaml']);
  });
});

describe('ApplicationSets', () => {
  const names = (files: Files) => deployments(files).map(({ name }) => name);
  const folder = { 'apps/web/kustomization.yaml': KUSTOMIZATION, 'apps/web/web.yaml': WEB };

  test('takes values from files in Git, and from the steps of their paths', () => {
    const generators = '[{ git: { files: [{ path: envs/*/config.json }, { path: envs/old/*, exclude: true }] } }]';
    expect(
      names({
        ...folder,
        'envs/dev/config.json': '{ "name": "dev", "app": { "prefix": "d-" } }',
        'envs/old/config.json': '{ "name": "old", "app": { "prefix": "o-" } }',
        'set.yaml': set(
          generators,
          'path: apps/web, kustomize: { namePrefix: "{{app.prefix}}", nameSuffix: "-{{path[1]}}" }',
        ),
      }),
    ).toEqual(['d-web-dev']);
  });

  test('overrides the rows of a merge, and selects rows', () => {
    const generators =
      '[{ merge: { mergeKeys: [name], generators: [{ list: { elements: [{ name: a, to: x- }, { name: b, to: y- }] } }, { list: { elements: [{ name: b, to: z- }] } }] }, selector: { matchLabels: { name: b } } }]';
    expect(
      names({ ...folder, 'set.yaml': set(generators, 'path: apps/web, kustomize: { namePrefix: "{{to}}" }') }),
    ).toEqual(['z-web']);
  });
});

describe('Flux with one cluster', () => {
  test('adds patches, names and labels to files without a kustomization', () => {
    const fields = `  targetNamespace: shop\n  namePrefix: eu-\n  commonMetadata: { labels: { team: shop } }\n  patches: [${patch(7)}]\n`;
    expect(deployments({ 'apps/web.yaml': WEB, 'flux.yaml': flux('apps', './apps', fields) })).toMatchObject([
      { root: '.', name: 'eu-web', namespace: 'shop', labels: { team: 'shop' }, replicas: 7 },
    ]);
  });

  test('changes kustomizations below a folder without one, and applies a patch where its target is', () => {
    const fields = `  patches: [${patch(7)}]\n  patchesStrategicMerge: [{ apiVersion: apps/v1, kind: Deployment, metadata: { name: gone } }]\n`;
    const files = { 'apps/web/kustomization.yaml': 'resources: [web.yaml]', 'apps/web/web.yaml': WEB };
    expect(deployments({ ...files, 'flux.yaml': flux('apps', './apps', fields) })).toMatchObject([
      { root: 'apps/web', replicas: 7 },
    ]);
  });

  test('judges a base that is deployed itself, and adds components', () => {
    const files = {
      'base/kustomization.yaml': 'resources: [web.yaml]',
      'base/web.yaml': WEB,
      'prod/kustomization.yaml': 'resources: [../base]\nnamePrefix: prod-\n',
      'more/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -x\n',
      'flux.yaml': flux('base', './base', '  components: [../more, ../gone]\n  ignoreMissingComponents: true\n'),
    };
    expect(deployments(files).map(({ root, name }) => [root, name])).toEqual([
      ['prod', 'prod-web'],
      ['base', 'web-x'],
    ]);
  });

  test('leaves a file alone that Kustomizations deploy in different ways', () => {
    const two = flux('a', './apps', '  namePrefix: a-\n') + flux('b', './apps', '  namePrefix: b-\n');
    expect(
      rootsIn({ 'apps/web.yaml': WEB, 'flux.yaml': two }).flatMap(({ sources }) => sources.map(({ edit }) => edit)),
    ).not.toContainEqual(expect.any(Function));
  });
});
