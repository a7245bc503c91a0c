import { chmodSync, readFileSync, writeFileSync } from 'fs';
import { delimiter, join } from 'path';
import { newFolder, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const { PATH } = process.env;
const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const CHART = { 'app/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n', 'pools.yaml': POOLS };
const RENDERED = `cat <<'EOF'\n---\n# Source: shop/templates/web.yaml\n${deployment('web', 3, SMALL)}EOF`;

afterEach(() => {
  process.env.PATH = PATH;
});

/** Puts a helm into the path that records the arguments and the value files of each call. */
function installHelm(script = RENDERED) {
  const folder = newFolder({});
  const record = `{ echo "$*"; for f in values-*.yaml; do [ -f "$f" ] && { /bin/cat "$f"; echo; }; done; echo ====; } >> ${folder}/calls`;
  writeFileSync(join(folder, 'helm'), `#!/bin/sh\n${record}\n${script}\n`);
  chmodSync(join(folder, 'helm'), 0o755);
  process.env.PATH = [folder, '/bin'].join(delimiter);
  return () => {
    try {
      return readFileSync(join(folder, 'calls'), 'utf8')
        .replace(/\n{2,}/g, '\n')
        .split('\n====\n')
        .filter((call) => call !== '');
    } catch {
      return [];
    }
  };
}

function repository(files: Readonly<Record<string, string>>) {
  return newFolder({ '.git/HEAD': '', ...CHART, ...files });
}

async function roots(folder: string, ...options: string[]) {
  const { out } = await run(['check', folder, '--format', 'json', '--no-kustomize', ...options]);
  const document = JSON.parse(out) as {
    roots?: Array<{ name: string; notes: string[]; skipped?: string }>;
    assumptions: string[];
    findings: Array<{ location: { file: string } }>;
  };
  return {
    ...document,
    names: document.roots?.map(({ name }) => name.replace(`${folder}/`, '')),
    notes: (document.roots ?? [{ notes: document.assumptions, skipped: undefined }]).flatMap(({ notes, skipped }) =>
      [...notes, skipped ?? ''].map((note) => note.replaceAll(`${folder}/`, '')),
    ),
  };
}

const application = (helm: object, more: object = {}) =>
  JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop-live' },
    spec: {
      source: { repoURL: 'https://example.invalid/repo', path: 'app', helm },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
      ...more,
    },
  });

test('a chart is rendered with its own name as the name of the release', async () => {
  const calls = installHelm();
  const folder = repository({});
  const { notes } = await roots(folder);
  expect(notes).toContain('rendered by helm with its default values');
  expect(calls()).toEqual([`template --kube-version=1.33.0 -- shop ${join(folder, 'app')}`]);
});

test.each([
  ['Shop_App', 'shop-app'],
  ['--post-renderer=x', 'post-renderer-x'],
  ['"{{ name }}"', 'name'],
])('a chart called %s is released as %s', async (name, release) => {
  const calls = installHelm();
  const folder = repository({ 'app/Chart.yaml': `name: ${name}\n` });
  await roots(folder);
  expect(calls()).toEqual([`template --kube-version=1.33.0 -- ${release} ${join(folder, 'app')}`]);
});

test('a library chart is not rendered', async () => {
  const calls = installHelm();
  await roots(repository({ 'app/Chart.yaml': 'name: shop\ntype: library\n' }));
  expect(calls()).toEqual([]);
});

describe('a chart that Argo CD deploys', () => {
  test('is rendered with the release, the namespace and the values of the Application', async () => {
    const calls = installHelm();
    const folder = repository({
      'apps/shop.yaml': application({
        releaseName: 'store',
        valueFiles: ['values-live.yaml', '../common/all.yaml', '/env/eu.yaml', 'absent.yaml'],
        values: 'a: 1',
        parameters: [
          { name: 'image.tag', value: '1,2' },
          { name: 'port', value: '80', forceString: true },
        ],
      }),
      'app/values-live.yaml': 'live: true\n',
      'app/values-dev.yaml': 'dev: true\n',
      'common/all.yaml': 'common: true\n',
      'env/eu.yaml': 'eu: true\n',
    });
    const { notes } = await roots(folder);
    const files = [1, 2, 3, 4].map((number) => `--values=values-${number}.yaml`).join(' ');
    expect(calls()).toEqual([
      `template --kube-version=1.33.0 --namespace=shop ${files} --set=image.tag=1\\,2 --set-string=port=80 -- store ${join(folder, 'app')}\n` +
        'live: true\ncommon: true\neu: true\na: 1',
    ]);
    expect(notes).toContain(
      'rendered by helm as release store in namespace shop with the values of app/values-live.yaml, common/all.yaml, env/eu.yaml and 1 more',
    );
    expect(notes).toContain('rendered without values that are not in the input: absent.yaml');
  });

  test('is released with the name of the Application, and valuesObject wins over values', async () => {
    const calls = installHelm();
    const folder = repository({ 'apps/shop.yaml': application({ values: 'a: 1', valuesObject: { b: 2 } }) });
    await roots(folder);
    expect(calls()).toEqual([
      `template --kube-version=1.33.0 --namespace=shop --values=values-1.yaml -- shop-live ${join(folder, 'app')}\n{"b":2}`,
    ]);
  });

  test('gets value files of a source with a ref', async () => {
    const calls = installHelm();
    const sources = [
      { repoURL: 'https://example.invalid/repo', ref: 'own' },
      { repoURL: 'https://example.invalid/repo', path: 'app', helm: { valueFiles: ['$own/live/shop.yaml'] } },
    ];
    const folder = repository({
      'apps/shop.yaml': application({}, { source: undefined, sources }),
      'live/shop.yaml': 'live: true\n',
    });
    await roots(folder);
    expect(calls().join()).toContain('live: true');
  });

  test('is a root for each application of an ApplicationSet', async () => {
    const calls = installHelm();
    const set = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'shop' },
      spec: {
        generators: [{ list: { elements: [{ env: 'dev' }, { env: 'prod' }] } }],
        template: {
          metadata: { name: 'shop-{{env}}' },
          spec: {
            source: { repoURL: 'x', path: 'app', helm: { valueFiles: ['values-{{env}}.yaml'] } },
            destination: { namespace: 'shop' },
          },
        },
      },
    };
    const folder = repository({
      'apps/set.yaml': JSON.stringify(set),
      'app/values-dev.yaml': 'env: dev\n',
      'app/values-prod.yaml': 'env: prod\n',
    });
    const { names } = await roots(folder);
    expect(names).toEqual(expect.arrayContaining(['app as shop-dev', 'app as shop-prod']));
    expect(calls().map((call) => call.split('\n').pop())).toEqual(['env: dev', 'env: prod']);
  });
});

test('a chart is rendered as the Applications of another chart say', async () => {
  const app = application({ valueFiles: ['live.yaml'] });
  const calls = installHelm(
    `case "$*" in *-live*) ${RENDERED}\n;; *apps*) cat <<'EOF'\n---\n# Source: apps/templates/shop.yaml\n${app}\nEOF\n;; esac`,
  );
  const folder = repository({
    'apps/Chart.yaml': 'apiVersion: v2\nname: apps\nversion: 1.0.0\n',
    'apps/values-prod.yaml': 'env: prod',
    'app/live.yaml': 'replicas: 3',
  });
  const { names, notes } = await roots(folder);
  expect(names).toEqual(['.', 'app', 'apps/values-prod.yaml'].map((name) => (name === '.' ? folder : name)));
  expect(notes).toContain(
    'rendered by helm as release shop-live in namespace shop with the values of app/live.yaml, as apps/templates/shop.yaml (helm template) says',
  );
  expect(calls()[2]).toMatch(/ -- shop-live .*\nreplicas: 3$/);
  // After the three calls of the charts, one call finds out that no template reads the value.
  expect(calls()).toHaveLength(4);
});

describe('a chart that Flux deploys', () => {
  const RELEASE = {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'web', namespace: 'flux' },
    spec: {
      targetNamespace: 'shop',
      chart: { spec: { chart: './app', sourceRef: { kind: 'GitRepository', name: 'own' } } },
      valuesFrom: [
        { kind: 'ConfigMap', name: 'base' },
        { kind: 'ConfigMap', name: 'tag', valuesKey: 'tag', targetPath: 'image.tag' },
        { kind: 'Secret', name: 'absent' },
      ],
      values: { replicas: 2 },
    },
  };
  const MAPS = `apiVersion: v1
kind: ConfigMap
metadata: { name: base, namespace: flux }
data: { values.yaml: "base: true" }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: tag, namespace: flux }
data: { tag: "7" }
`;

  test('is rendered with the release, the namespace and the values of the HelmRelease', async () => {
    const calls = installHelm();
    const folder = repository({ 'flux/web.yaml': JSON.stringify(RELEASE), 'flux/maps.yaml': MAPS });
    const { notes } = await roots(folder);
    expect(calls()).toEqual([
      `template --kube-version=1.33.0 --namespace=shop --values=values-1.yaml --values=values-2.yaml --values=values-3.yaml -- shop-web ${join(folder, 'app')}\n` +
        'base: true\n{"image":{"tag":7}}\n{"replicas":2}',
    ]);
    expect(notes).toContain('rendered without values that are not in the input: Secret absent');
  });

  test('gets the values that a kustomization patches into the HelmRelease', async () => {
    const calls = installHelm();
    const folder = repository({
      'flux/base/kustomization.yaml': 'resources: [web.yaml]\n',
      'flux/base/web.yaml': JSON.stringify({ ...RELEASE, spec: { ...RELEASE.spec, valuesFrom: [] } }),
      'flux/prod/kustomization.yaml': 'resources: [../base]\npatches: [{ path: patch.yaml }]\n',
      'flux/prod/patch.yaml': JSON.stringify({ ...RELEASE, spec: { values: { replicas: 9 } } }),
    });
    await roots(folder);
    expect(calls().map((call) => call.split('\n').pop())).toEqual(['{"replicas":9}']);
  });

  test('is changed by post-renderers, and stays as it is if kustomize refuses them', async () => {
    installHelm();
    const patch = (name: string) =>
      JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: { replicas: 7 } });
    const planned = async (name: string) => {
      const postRenderers = [{ kustomize: { patches: [{ patch: patch(name) }] } }];
      const release = JSON.stringify({ ...RELEASE, spec: { ...RELEASE.spec, valuesFrom: [], postRenderers } });
      const { out } = await run(['check', repository({ 'flux/web.yaml': release }), '--format', 'json']);
      const [root] = (JSON.parse(out) as { roots: any[] }).roots.filter(({ kind }) => kind === 'chart');
      return { pods: root.verdict.summary.pods, notes: root.notes };
    };
    expect((await planned('web')).pods).toBe(7);
    const { pods, notes } = await planned('api');
    expect(pods).toBe(3);
    expect(notes).toContainEqual(expect.stringMatching(/^without the changes of HelmRelease web: kustomize refuses/));
  });
});

test('a chart that helmfile deploys is rendered with the values of each environment', async () => {
  const calls = installHelm();
  const folder = repository({
    'helmfile.yaml': `environments:
  dev: {}
  prod: {}
---
releases:
  - name: web
    namespace: shop
    chart: ./app
    values: [values/{{ .Environment.Name }}.yaml, { a: 1 }]
    set: [{ name: b, value: 2 }]
`,
    'values/dev.yaml': 'env: dev\n',
    'values/prod.yaml': 'env: prod\n',
  });
  const { names } = await roots(folder);
  expect(calls()).toEqual(
    ['dev', 'prod'].map(
      (env) =>
        `template --kube-version=1.33.0 --namespace=shop --values=values-1.yaml --values=values-2.yaml --set=b=2 -- web ${join(folder, 'app')}\nenv: ${env}\n{"a":1}`,
    ),
  );
  expect(names).toHaveLength(3);
});

describe('the environments of a chart', () => {
  test.each([
    'values-prod.yaml',
    'values.prod.yaml',
    'prod-values.yaml',
    'values/prod.yaml',
    'envs/prod/values.yaml',
    'environments/prod.yml',
  ])('are those of value files such as %s', async (path) => {
    const calls = installHelm();
    const folder = repository({ [`app/${path}`]: 'env: prod\n', 'app/values.yaml': 'a: 1\n' });
    const { names, notes } = await roots(folder);
    expect(calls()).toEqual([
      `template --kube-version=1.33.0 --values=values-1.yaml -- shop ${join(folder, 'app')}\nenv: prod`,
    ]);
    expect(names).toContain(`app/${path}`);
    expect(notes).toContain(`rendered by helm with ${path}`);
  });

  test('begin with the values that all of them have', async () => {
    const calls = installHelm();
    await roots(repository({ 'app/values-common.yaml': 'all: true\n', 'app/values-prod.yaml': 'env: prod\n' }));
    expect(calls().map((call) => call.split('\n').slice(1))).toEqual([['all: true', 'env: prod']]);
  });

  test('include the default values if the others are for development', async () => {
    const calls = installHelm();
    const { names } = await roots(repository({ 'app/values-dev.yaml': 'env: dev\n' }));
    expect(names).toEqual(expect.arrayContaining(['app', 'app/values-dev.yaml']));
    expect(calls()).toHaveLength(2);
  });

  test('are not examples, schemas and secrets', async () => {
    const calls = installHelm();
    const names = ['values-example.yaml', 'values-secrets.yaml', 'values.schema.yaml', 'values/redis.yaml'];
    await roots(repository(Object.fromEntries(names.map((name) => [`app/${name}`, 'a: 1\n']))));
    expect(calls()).toHaveLength(1);
  });

  test('are planned with the NodePools of their environment', async () => {
    installHelm();
    const folder = newFolder({
      '.git/HEAD': '',
      'app/Chart.yaml': CHART['app/Chart.yaml'],
      'app/values-prod.yaml': 'env: prod\n',
      'app/values-staging.yaml': 'env: staging\n',
      'nodes/prod/pools.yaml': POOLS,
      'nodes/staging/pools.yaml': POOLS,
    });
    const { roots: all = [] } = await roots(folder);
    const notesOf = (name: string) => all.find((root) => root.name.endsWith(name))?.notes;
    expect(notesOf('values-prod.yaml')).toContain('with the NodePools of nodes/prod');
    expect(notesOf('values-staging.yaml')).toContain('with the NodePools of nodes/staging');
  });
});

test('a chart is planned with the NodePools that Argo CD deploys to the same cluster', async () => {
  installHelm();
  const app = (name: string, path: string, server: string) =>
    JSON.stringify({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name },
      spec: { source: { repoURL: 'x', path }, destination: { server, namespace: 'shop' } },
    });
  const folder = newFolder({
    '.git/HEAD': '',
    'app/Chart.yaml': CHART['app/Chart.yaml'],
    'apps/all.yaml': [
      app('east', 'app', 'https://east'),
      app('west', 'app', 'https://west'),
      app('east-nodes', 'nodes/a', 'https://east'),
      app('west-nodes', 'nodes/b', 'https://west'),
    ].join('\n---\n'),
    'nodes/a/pools.yaml': POOLS,
    'nodes/b/pools.yaml': POOLS,
  });
  const { roots: all = [] } = await roots(folder);
  const notesOf = (name: string) => all.find((root) => root.name.endsWith(name))?.notes.join();
  expect(notesOf('app as east')).toContain('with the NodePools of https://east');
  expect(notesOf('app as west')).toContain('with the NodePools of https://west');
});

describe('values of the command line', () => {
  test('override all others, and replace environments', async () => {
    const calls = installHelm();
    const folder = repository({ 'app/values-prod.yaml': 'env: prod\n', 'mine.yaml': 'mine: true\n' });
    const { notes } = await roots(folder, '--values', join(folder, 'mine.yaml'), '--set', 'a=1', '--set', '--b=2');
    expect(calls()).toEqual([
      `template --kube-version=1.33.0 --values=values-1.yaml --set=a=1 --set=--b=2 -- shop ${join(folder, 'app')}\nmine: true`,
    ]);
    expect(notes).toContain('rendered by helm with its default values, and those of the options');
  });

  test('are refused without a key, or if the file does not exist', async () => {
    const folder = repository({});
    expect(await run(['check', folder, '--set', 'replicas'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--set: "replicas" has no key and value; write for example --set replicaCount=3'),
    });
    expect(await run(['check', folder, '--values', 'none.yaml'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--values: none.yaml cannot be read'),
    });
  });
});

test('findings name the templates of a chart', async () => {
  installHelm(`cat <<'EOF'\n---\n# Source: shop/templates/web.yaml\n${deployment('web', 3, 'cpu: 9999')}EOF`);
  const folder = repository({});
  const { out } = await run(['check', folder, '--format', 'json', '--no-kustomize']);
  expect(out).toContain(`${folder}/app/templates/web.yaml (helm template)`);
});

describe('a chart whose dependencies are not in its folder', () => {
  /** Fails as helm does if one of the dependencies is not in the folder `charts`. */
  const CHECKING = `for chart; do :; done
for name in redis common; do
  if grep -q "$name" "$chart/Chart.yaml" && [ ! -d "$chart/charts/$name" ]; then
    echo "Error: An error occurred: found in Chart.yaml, but missing in charts/ directory: $name" >&2; exit 1
  fi
done
`;
  const chart = (...dependencies: object[]) => ({
    'app/Chart.yaml': JSON.stringify({ apiVersion: 'v2', name: 'shop', version: '1.0.0', dependencies }),
  });
  const REDIS = { name: 'redis', version: '18.x.x', repository: 'https://example.invalid/charts' };
  const COMMON = { name: 'common', version: '0.1.0', repository: 'file://../lib' };
  const LIB = { 'lib/Chart.yaml': 'apiVersion: v2\nname: common\nversion: 0.1.0\n' };

  test('is rendered without those that are not in the repository, and says so', async () => {
    installHelm(`${CHECKING}${RENDERED}`);
    const { notes } = await roots(repository(chart(REDIS)));
    expect(notes).toContain(
      'rendered without its dependency redis, which is not in the repository; `helm dependency build app` downloads it',
    );
  });

  test('is rendered with charts of the repository, whose findings name their own folder', async () => {
    installHelm(`${CHECKING}${RENDERED.replace('shop/templates', 'shop/charts/common/templates')}`);
    const folder = repository({ ...chart(COMMON), ...LIB });
    const { out } = await run(['check', folder, '--format', 'json', '--no-kustomize']);
    expect(out).toContain(`${folder}/lib/templates/web.yaml (helm template)`);
    // The chart is judged as a part of the other one only.
    expect((await roots(folder)).names ?? []).not.toContain('lib');
  });

  test('is not rendered with a chart outside of the repository', async () => {
    installHelm(`${CHECKING}${RENDERED}`);
    const outside = newFolder(LIB);
    const { notes } = await roots(repository(chart({ ...COMMON, repository: `file://../../..${outside}/lib` })));
    expect(notes).toContain(
      'rendered without its dependency common, which is not in the repository; `helm dependency build app` downloads it',
    );
  });

  test('is not rendered if its templates need one of them', async () => {
    installHelm(`${CHECKING}echo 'Error: no template "common.name"' >&2; exit 1`);
    expect((await roots(repository(chart(REDIS)))).notes).toContain(
      'not rendered: its dependencies are not in its folder charts: redis; run `helm dependency build app` first',
    );
  });
});

test('a field without a value is a note in a chart with its default values, and an error with given ones', async () => {
  installHelm(
    `cat <<'EOF'\n---\n# Source: shop/templates/class.yaml\n${NODE_CLASS.replace(/role: .*/, 'role: ""')}EOF`,
  );
  const severities = async (...options: string[]) => {
    const { out } = await run(['check', repository({}), '--format', 'unix', '--no-kustomize', ...options]);
    return out.split('\n').flatMap((line) => /: (\w+): .*KARP-100/.exec(line)?.[1] ?? []);
  };
  expect([await severities(), await severities('--set', 'a=1')]).toEqual([['info'], ['error']]);
});

describe('a chart that helm does not render', () => {
  test.each([
    [
      'Error: An error occurred while checking for chart dependencies. You may need to run `helm dependency build` to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: common, redis',
      'not rendered: its dependencies are not in its folder charts: common and redis; run `helm dependency build app` first',
    ],
    [
      'Error: execution error at (shop/templates/web.yaml:4:8): image.tag is required!',
      'not rendered: templates/web.yaml refuses the values in line 4: image.tag is required!; pass others with --values or --set',
    ],
    [
      'Error: template: shop/templates/web.yaml:3:20: executing "shop/templates/web.yaml" at <.Values.image.tag>: nil pointer evaluating interface {}.tag',
      'not rendered: templates/web.yaml needs .Values.image.tag in line 3, which has no value; pass them with --values or --set',
    ],
    [
      "Error: values don't meet the specifications of the schema(s) in the following chart(s):\nshop:\n- (root): image is required\n",
      'not rendered: its values do not fit its values.schema.json: (root): image is required; pass them with --values or --set',
    ],
    [
      'Error: YAML parse error on shop/templates/web.yaml: error converting YAML to JSON: yaml: line 3: mapping values are not allowed in this context',
      'not rendered: templates/web.yaml makes text that is not YAML: line 3: mapping values are not allowed in this context',
    ],
    ['Error: something else', 'not rendered: something else'],
  ])('says why in one line: %s', async (error, note) => {
    installHelm(`cat >&2 <<'EOF'\n${error}\nEOF\nexit 1`);
    expect((await roots(repository({}))).notes).toContain(note);
  });

  test('is one line for all charts if helm is not installed', async () => {
    process.env.PATH = '/bin';
    const folder = repository({ 'b/Chart.yaml': 'name: b\n', 'b/values-prod.yaml': '', 'b/values-dev.yaml': '' });
    const { out } = await run(['check', folder]);
    expect(out.replace(/\s+/g, ' ')).toMatch(
      /2 roots \(\S+\/app and \S+\/b\): not rendered, because helm is not installed; install helm, or pass the output of helm template/,
    );
    expect(out.match(/not rendered/g)).toHaveLength(1);
  });
});

describe('the cases of charts', () => {
  const CASES = join(__dirname, 'cases');
  /** Stands for helm: the name of the release is the fourth argument, and the folder of the chart the last. */
  const replacing = (pattern: string) =>
    `for file in "$5"/templates/*.yaml; do echo ---; echo "# Source: chart/templates/\${file##*/}"; sed -e '/^{{-/d' -e "s/${pattern}/$4/g" "$file"; done`;
  const verdictsOf = async (name: string) => {
    const { out } = await run(['check', join(CASES, name), '--format', 'json', '--no-kustomize']);
    const result = JSON.parse(out);
    return (result.roots ?? [{ verdict: result }]).flatMap(({ verdict = [] }) => verdict);
  };

  test('NodePools of one chart are those of the workloads of another one', async () => {
    installHelm(replacing('{{ .Release.Name }}'));
    const verdicts = await verdictsOf('helm-pools-not-linked');
    expect(verdicts.reduce((sum: number, { summary }: any) => sum + summary.scheduledPods, 0)).toBe(1);
    expect(verdicts.flatMap(({ findings }: any) => findings.map(({ rule }: any) => rule))).not.toContain('KARP-003');
  });

  test('a selector that has the name of the release is that of its pods', async () => {
    installHelm(replacing('{{ \\$full }}'));
    const verdicts = await verdictsOf('release-name-artefact');
    expect(verdicts.flatMap(({ findings }: any) => findings.map(({ rule }: any) => rule))).not.toContain('KARP-412');
  });
});
