import { check, rootsOf } from '../../../../src/validation';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../setup';

const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const WEB = deployment('web', 1, SMALL);
/** Milliseconds of CPU time: more than any of these takes, and less than a search that tries all combinations. */
const MOST_TIME = 10_000;

function rootsIn(files: Readonly<Record<string, string>>) {
  return rootsOf(Object.entries(files).map(([path, text]) => ({ path, text, isFound: true })));
}

const applicationSet = (generator: string, path: string, cluster: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: { name: set }\nspec: { generators: [${generator}], template: { spec: { source: { path: "${path}" }, destination: { name: "${cluster}" } } } }\n`;
const flux = (name: string, path: string, fields = '') =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: ${name} }\nspec: { path: ${path}, sourceRef: { kind: GitRepository, name: flux-system }${fields} }\n---\n`;

test(
  'matches many asterisks of an ApplicationSet in linear time',
  () => {
    const folder = `${'a'.repeat(60)}/${'b'.repeat(60)}/${'c'.repeat(60)}`;
    const set = applicationSet('{ git: { directories: [{ path: "**********!" }] } }', '{{path}}', '{{path}}');
    expect(rootsIn({ 'set.yaml': set, [`${folder}/all.yaml`]: POOLS }).map(({ name }) => name)).not.toContain(
      'cluster',
    );
  },
  MOST_TIME,
);

test.each([
  ['apps/*', ['apps/web', 'apps/db']],
  ['apps/w*', ['apps/web']],
  ['**/db', ['apps/db', 'apps/web/db']],
  ['*/web/*', ['apps/web/db']],
])('the pattern %s matches whole names', (path, expected) => {
  const set = applicationSet(`{ git: { directories: [{ path: "${path}" }] } }`, '{{path}}', '{{path}}');
  const names = rootsIn({
    'set.yaml': applicationSet('{ list: { elements: [{ to: x }] } }', 'apps/none', '{{to}}') + `---\n${set}`,
    'apps/web/a.yaml': WEB,
    'apps/db/a.yaml': deployment('db', 1, SMALL),
    'apps/web/db/a.yaml': deployment('inner', 1, SMALL),
    'none/a.yaml': POOLS,
  })
    .map(({ name }) => name)
    .filter((name) => name.startsWith('cluster '));
  expect(names).toEqual(expected.length < 2 ? [] : expected.map((name) => `cluster ${name}`).sort());
});

test(
  'does not follow an ApplicationSet that makes more than 2,000 applications, and says so',
  () => {
    const list = (key: string) =>
      `{ list: { elements: [${Array.from({ length: 320 }, (_, index) => `{ ${key}: x${index} }`).join(', ')}] } }`;
    const set = applicationSet(`{ matrix: { generators: [${list('a')}, ${list('b')}] } }`, 'good', '{{a}}-{{b}}');
    const roots = rootsIn({ 'set.yaml': set, 'good/all.yaml': POOLS + `---\n${WEB}` });
    expect(roots).toHaveLength(1);
    expect(roots[0].notes.join()).toContain(
      '1 ApplicationSet makes more than 2,000 applications, which are not judged',
    );
  },
  MOST_TIME,
);

test(
  'finds the cluster of Kustomizations of Flux that contain each other',
  () => {
    const all = Array.from({ length: 30 }, (_, index) => flux(`k${index}`, './clusters/east')).join('');
    const roots = rootsIn({
      'clusters/east/flux.yaml': all,
      'clusters/east/web.yaml': WEB,
      'clusters/west/flux.yaml': flux('west', './clusters/west'),
      'clusters/west/pools.yaml': POOLS,
    });
    expect(roots.map(({ name }) => name)).toEqual(['cluster clusters/east', 'cluster clusters/west']);
  },
  MOST_TIME,
);

test(
  'leaves placeholders of Flux if their values have more than 64 MiB together',
  () => {
    const value = 'x'.repeat(30_000);
    const labels = Array.from({ length: 30_000 }, (_, index) => `k${index}: "a\${v}"`).join(', ');
    const roots = rootsIn({
      'c/k.yaml': flux('k', './apps', `, postBuild: { substitute: { v: ${value} } }`),
      'apps/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, labels: { ${labels} } }\n---\n${POOLS}`,
    });
    const edited = roots.flatMap(({ sources }) =>
      sources.flatMap(
        ({ edit }) =>
          edit?.({
            apiVersion: 'v1',
            data: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 'a${v}'])),
          }) ?? [],
      ),
    );
    const texts = edited.flatMap((object) => Object.values((object as { data: Record<string, string> }).data));
    expect(texts.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(70 * 1024 * 1024);
    expect(texts).toContain('a${v}');
  },
  MOST_TIME,
);

test(
  'compares two files with the same 2,000 workloads once',
  () => {
    const all = Array.from(
      { length: 2000 },
      (_, index) => `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: w${index} }\n`,
    ).join('---\n');
    expect(rootsIn({ 'a.yaml': all, 'b.yaml': all })).not.toHaveLength(0);
  },
  MOST_TIME,
);

test.each([
  [
    '30,000 digits with a typo',
    deployment('web', 1, `cpu: "${'9'.repeat(30_000)}x"`),
    /^error KARP-100 .*cpu: a quantity of 30001 characters is too long/,
  ],
  [
    'a name of open Helm actions',
    `kind: Pod\napiVersion: v1\nmetadata: ${'{{'.repeat(50_000)}`,
    /^warning KARP-001 the file is a template of a Go template/,
  ],
  [
    'a text of open placeholders',
    `kind: Pod\napiVersion: v1\nmetadata: { name: ${'${'.repeat(50_000)}`,
    /^warning KARP-001 the file is a template of Terraform, envsubst or Flux/,
  ],
  [
    'a name of open tokens',
    deployment(`"${'${Token['.repeat(30_000)}"`, 1, SMALL),
    /^error KARP-100 metadata\.name: must be a DNS name/,
  ],
])(
  'reads %s in linear time',
  (_, text, finding) => {
    const { findings } = check([{ path: 'all.yaml', text: `${POOLS}---\n${text}` }]);
    expect(findings.map(({ rule, severity, message }) => `${severity} ${rule} ${message}`)).toContainEqual(
      expect.stringMatching(finding),
    );
  },
  MOST_TIME,
);
