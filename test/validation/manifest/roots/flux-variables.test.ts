import { check, rootsOf } from '../../../../src/validation';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../setup';

const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const WEB = deployment('web', 1, SMALL).replace('replicas: 1', 'replicas: ${REPLICAS}');
const flux = (path: string, postBuild: string, name = 'apps') =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name}, namespace: flux-system }\nspec:\n  path: ${path}\n  sourceRef: { kind: GitRepository, name: flux-system }\n${postBuild === '' ? '' : `  postBuild: ${postBuild}\n`}---\n`;
const configMap = (data: string, namespace = 'flux-system') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: vars, namespace: ${namespace} }\ndata: { ${data} }\n---\n`;

type Files = Readonly<Record<string, string>>;

function rootsIn(files: Files) {
  return rootsOf(Object.entries(files).map(([path, text]) => ({ path, text, isFound: true })));
}

/** The pods of each root, and the messages about placeholders. */
function judged(files: Files) {
  return rootsIn(files).map(({ name, sources }) => {
    const { summary, findings } = check(sources);
    return {
      name,
      pods: summary.pods,
      placeholders: findings.filter(({ rule }) => rule === 'KARP-009').map(({ message }) => message.split(';')[0]),
    };
  });
}

function pods(files: Files): number {
  return judged(files)[0].pods;
}

/** What the object is after all edits of its root. */
function objectIn(files: Files, path: string, object: Readonly<Record<string, unknown>>) {
  const source = rootsIn(files)
    .flatMap(({ sources }) => sources)
    .find((one) => one.path === path)!;
  return source.edit!(object);
}

const UNFILLED = ['1 value in the file is known only to envsubst or Flux: ${REPLICAS}'];

describe('postBuild of Flux', () => {
  test('fills in the values of substitute, as numbers if they are numbers', () => {
    expect(
      judged({
        'apps/all.yaml': `${POOLS}---\n${WEB}`,
        'clusters/one/apps.yaml': flux('./apps', '{ substitute: { REPLICAS: "3" } }'),
      }),
    ).toEqual([{ name: '.', pods: 3, placeholders: [] }]);
  });

  test('fills in nothing without postBuild, and nothing outside the path', () => {
    const files = { 'apps/all.yaml': `${POOLS}---\n${WEB}` };
    expect(judged({ ...files, 'clusters/one/apps.yaml': flux('./apps', '') })[0].placeholders).toEqual(UNFILLED);
    expect(
      judged({
        ...files,
        'other/x.yaml': 'a: b',
        'clusters/one/apps.yaml': flux('./other', '{ substitute: { REPLICAS: "3" } }'),
      })[0].placeholders,
    ).toEqual(UNFILLED);
  });

  test('leaves a name without a value as a placeholder, and says that Flux empties it (KARP-010)', () => {
    const [{ sources }] = rootsIn({
      'apps/all.yaml': `${POOLS}---\n${WEB}`,
      'clusters/one/apps.yaml': flux('./apps', '{ substitute: { OTHER: "3" } }'),
    });
    const found = check(sources).findings.filter(({ rule }) => ['KARP-009', 'KARP-010'].includes(rule));
    expect(found).toMatchObject([{ rule: 'KARP-010', location: { path: 'spec.replicas' } }]);
  });

  test.each([':=', ':-', '='])('uses a default that is written with %s if there is no value', (operator) => {
    const web = WEB.replace('${REPLICAS}', `\${REPLICAS${operator}2}`);
    const files = { 'apps/all.yaml': `${POOLS}---\n${web}` };
    expect(pods({ ...files, 'clusters/one/apps.yaml': flux('./apps', '{ substitute: { OTHER: "3" } }') })).toBe(2);
    expect(pods({ ...files, 'clusters/one/apps.yaml': flux('./apps', '{ substitute: { REPLICAS: "3" } }') })).toBe(3);
  });

  test('uses no default without any variable, as Flux does', () => {
    const web = WEB.replace('${REPLICAS}', '${REPLICAS:=2}');
    expect(
      judged({
        'apps/all.yaml': `${POOLS}---\n${web}`,
        'clusters/one/apps.yaml': flux('./apps', '{ substitute: {} }'),
      })[0].placeholders,
    ).toHaveLength(1);
  });

  test('takes values from a ConfigMap, and from a Secret after it, and substitute wins', () => {
    const secret =
      'apiVersion: v1\nkind: Secret\nmetadata: { name: secret-vars, namespace: flux-system }\ndata: { B: NA== }\nstringData: { C: "4" }\n---\n';
    const from = 'substituteFrom: [{ kind: ConfigMap, name: vars }, { kind: Secret, name: secret-vars }]';
    const files = (name: string, postBuild: string) => ({
      'apps/all.yaml': `${POOLS}---\n${WEB.replace('REPLICAS', name)}`,
      'clusters/one/vars.yaml': configMap('A: "3", B: "3", C: "3"') + secret,
      'clusters/one/apps.yaml': flux('./apps', postBuild) + flux('./clusters/one', '', 'flux-system'),
    });
    expect(['A', 'B', 'C'].map((name) => pods(files(name, `{ ${from} }`)))).toEqual([3, 4, 4]);
    expect(pods(files('B', `{ ${from}, substitute: { B: "5" } }`))).toBe(5);
  });

  test('does not use a default or an earlier value that a source outside the input may override', () => {
    const from =
      '{ substituteFrom: [{ kind: ConfigMap, name: vars }, { kind: Secret, name: unknown, optional: true }], substitute: { OTHER: x } }';
    const files = (web: string) => ({
      'apps/all.yaml': `${POOLS}---\n${web}`,
      'clusters/one/vars.yaml': configMap('REPLICAS: "3"'),
      'clusters/one/apps.yaml': flux('./apps', from),
    });
    expect(judged(files(WEB))[0].placeholders).toEqual(UNFILLED);
    expect(judged(files(WEB.replace('${REPLICAS}', '${MORE:=3}')))[0].placeholders).toHaveLength(1);
  });

  test('does not use the values of an encrypted Secret, of another namespace, or those that Flux fills in itself', () => {
    const files = (vars: string) => ({
      'apps/all.yaml': `${POOLS}---\n${WEB}`,
      'clusters/one/vars.yaml': vars,
      'clusters/one/apps.yaml': flux('./apps', '{ substituteFrom: [{ kind: ConfigMap, name: vars }] }'),
    });
    expect(judged(files(configMap('REPLICAS: "3"')))[0].placeholders).toEqual([]);
    expect(
      judged(files(`${configMap('REPLICAS: "3"').replace('---\n', '')}sops: { version: 3.9.0 }\n`))[0].placeholders,
    ).toEqual(UNFILLED);
    expect(judged(files(configMap('REPLICAS: "3"', 'shop')))[0].placeholders).toEqual(UNFILLED);
    expect(judged(files(configMap('REPLICAS: "${N}"')))[0].placeholders).toEqual(UNFILLED);
  });

  test('gives each cluster its own values', () => {
    const cluster = (name: string, count: number) => ({
      [`clusters/${name}/vars.yaml`]: configMap(`REPLICAS: "${count}"`),
      [`clusters/${name}/apps.yaml`]:
        flux('./apps', '{ substituteFrom: [{ kind: ConfigMap, name: vars }] }') +
        flux(`./clusters/${name}`, '', 'flux-system'),
    });
    expect(judged({ 'apps/all.yaml': `${POOLS}---\n${WEB}`, ...cluster('dev', 1), ...cluster('prod', 5) })).toEqual([
      { name: 'cluster clusters/dev', pods: 1, placeholders: [] },
      { name: 'cluster clusters/prod', pods: 5, placeholders: [] },
    ]);
  });

  test('fills in what a kustomization builds, after its patches', () => {
    const files = {
      'apps/base/kustomization.yaml': 'resources: [all.yaml]\n',
      'apps/base/all.yaml': `${POOLS}---\n${deployment('web', 1, SMALL)}`,
      'apps/one/kustomization.yaml':
        'resources: [../base]\nreplicas: []\npatches:\n  - target: { kind: Deployment }\n    patch: |-\n      - { op: replace, path: /spec/replicas, value: "${REPLICAS}" }\n',
      'clusters/one/apps.yaml': flux('./apps/one', '{ substitute: { REPLICAS: "4" } }'),
    };
    expect(judged(files)).toEqual([{ name: 'apps/one', pods: 4, placeholders: [] }]);
  });

  test('leaves a value open that two Kustomizations fill in differently', () => {
    const files = (second: string) => ({
      'apps/all.yaml': `${POOLS}---\n${WEB}`,
      'flux.yaml':
        flux('./apps', '{ substitute: { REPLICAS: "3" } }', 'a') +
        flux('./apps', `{ substitute: { REPLICAS: "${second}" } }`, 'b'),
    });
    expect(judged(files('3'))[0].placeholders).toEqual([]);
    expect(judged(files('4'))[0].placeholders).toEqual(UNFILLED);
  });

  test('fills in keys and parts of texts, and leaves escaped placeholders, other forms and disabled objects', () => {
    const files = {
      'apps/all.yaml': `${POOLS}---\n${WEB}`,
      'clusters/one/apps.yaml': flux('./apps', '{ substitute: { A: one, NUM: "7", T: "true", E: "" } }'),
    };
    const fill = (data: Readonly<Record<string, unknown>>, metadata = {}) =>
      objectIn(files, 'apps/all.yaml', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data })!.data;
    expect(
      fill({
        '${A}-key': 'x-${A}:${NUM}',
        n: '${NUM}',
        t: '${T}',
        block: '${NUM}\n',
        empty: '${E}',
        list: ['${NUM}m'],
      }),
    ).toEqual({ 'one-key': 'x-one:7', n: 7, t: true, block: '7\n', list: ['7m'] });
    expect(fill({ a: '$${A}', b: '${A^^}', c: '$A', d: '${E:=x}', e: '${X:=${A}}' })).toEqual({
      a: '${A}',
      b: '${A^^}',
      c: '$A',
      d: 'x',
      e: 'one',
    });
    expect(fill({ a: '${A}' }, { annotations: { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' } })).toEqual({
      a: '${A}',
    });
  });
});
