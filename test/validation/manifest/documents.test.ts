import * as fc from 'fast-check';
import { CONTAINER, pod, problems, read } from './manifests';
import { check, readManifests, renderJson } from '../../../src/validation';
import { SourceText } from '../../../src/validation/manifest/source/source-text';
import { readDocuments } from '../../../src/validation/manifest/yaml/documents';
import { isLinear } from '../../support/linear-time';

const POD = pod(CONTAINER);
const names = (text: string) => read(text).objects.map(({ name }) => name);

describe('readDocuments', () => {
  test('skips empty documents and comments', () => {
    expect(names(`# first\n---\n${POD}---\n---\nnull\n---\n# none\n---\n${pod(CONTAINER, 'api')}...\n`)).toEqual([
      'web',
      'api',
    ]);
  });

  test('skips 500,000 empty documents without parsing them', () => {
    const { user } = process.cpuUsage();
    expect(names('---\n'.repeat(500_000) + POD)).toEqual(['web']);
    // Parsing them takes more than ten seconds.
    expect((process.cpuUsage().user - user) / 1e6).toBeLessThan(3);
  });

  test('does not skip a document whose first line begins like a marker', () => {
    expect(problems(read('---x: [\n'))).toEqual([expect.stringContaining('invalid YAML')]);
    expect(names(`--- # first\n${POD}`)).toEqual(['web']);
  });

  test('reads a long line of block scalar headers in linear time', () => {
    expect(isLinear((count) => readDocuments({ text: `a: ${'|1 #'.repeat(count)}` } as SourceText))).toBe(true);
  });

  test('reads JSON objects without separators, with their positions', () => {
    const json = (name: string, indent?: number) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: 3 } }, null, indent);
    const model = read(`${json('web')}\n${json('api', 2)}\n${json('job', 2)}\n`);
    expect(model.objects.map(({ name }) => name)).toEqual(['web', 'api', 'job']);
    expect(problems(model).map((problem) => problem.split(' ')[0])).toEqual(['1:67', '9:5', '19:5']);
    expect(problems(read(`${json('web')}\n{ half\n`))).toEqual([expect.stringMatching(/^2:1 KARP-001 invalid YAML/)]);
  });

  test('reads the items of a List, and of Lists in it', () => {
    const item = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: {} });
    const inner = { apiVersion: 'v1', kind: 'List', items: [item('b')] };
    expect(names(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [item('a'), inner] }))).toEqual(['a', 'b']);
  });

  test('accepts a List without items, and reports items that are not a list', () => {
    expect(problems(read('apiVersion: v1\nkind: List\n'))).toEqual([]);
    expect(problems(read('apiVersion: v1\nkind: List\nitems: { a: 1 }\n'))).toEqual([
      '3:1 KARP-001 items must be a list, got a mapping',
    ]);
  });

  test('gives items of a typed list their missing apiVersion and kind', () => {
    const { objects } = read('apiVersion: apps/v1\nkind: DeploymentList\nitems:\n- metadata: { name: web }\n');
    expect(objects.map(({ apiVersion, kind }) => [apiVersion, kind])).toEqual([['apps/v1', 'Deployment']]);
  });

  test('keeps positions in JSON with tabs', () => {
    const model = read(
      '{\n\t"apiVersion": "v1",\n\t"kind": "Pod",\n\t"metadata": {"name": "web"},\n\t"spec": {"containers": 3}\n}',
    );
    expect(problems(model)).toEqual(['5:11 KARP-100 spec.containers: must be a list, got 3']);
  });

  test('keeps positions with a byte order mark and Windows line ends', () => {
    const model = read(`\ufeff${pod('  containers: 3\n').replace(/\n/g, '\r\n')}`);
    expect(problems(model)).toEqual(['6:3 KARP-100 spec.containers: must be a list, got 3']);
  });

  test('leaves out a document with an error and reads the others', () => {
    const model = read(`${POD}---\nkey: [1, 2\n---\n${pod(CONTAINER, 'api')}`);
    expect(model.objects.map(({ name }) => name)).toEqual(['web', 'api']);
    expect(problems(model)).toEqual([expect.stringMatching(/^9:1 KARP-001 invalid YAML: flow sequence/)]);
  });

  test('skips verdicts of an earlier run', () => {
    const verdict = {
      path: 'dist/karpenter-verdict.json',
      text: renderJson(check([{ path: 'dist/web.yaml', text: POD }])),
    };
    expect(readManifests([verdict, { path: 'dist/web.yaml', text: POD }])).toMatchObject({
      problems: [],
      objects: [{ name: 'web' }],
    });
  });

  test.each([
    ['app/kustomization.yaml', 'kubectl kustomize <folder>'],
    ['chart/values-prod.yaml', 'helm template <chart>'],
    ['chart/Chart.yaml', 'helm template <chart>'],
    ['some.yaml', 'leave the file out'],
  ])('reports a document without type in %s with a remedy', (path, remedy) => {
    const { problems: findings } = readManifests([{ path, text: 'resources: [a.yaml]\n' }]);
    expect(findings.map((finding) => [finding.severity, finding.remedy.includes(remedy)])).toEqual([['info', true]]);
  });

  test.each([
    ['chart/Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n', 'helm template <chart>'],
    ['chart/values.yaml', 'kind: DaemonSet\nimage: {}\n', 'helm template <chart>'],
    [
      'app/kustomization.yaml',
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n',
      'kubectl kustomize <folder>',
    ],
  ])('reports the unrendered file %s with a remedy', (path, text, remedy) => {
    const { problems: findings } = readManifests([{ path, text }]);
    expect(findings.map((finding) => [finding.severity, finding.remedy.includes(remedy)])).toEqual([['info', true]]);
  });

  test('says once for a file that it is a Helm template', () => {
    const documents = [
      'apiVersion: v1\nkind: Service\nmetadata:\n  {{- include "labels" . }}\n',
      'kind: Pod\nmetadata:\n  {{- include "labels" . }}\n',
      'kind: Job\nmetadata:\n  {{- include "labels" . }}\n',
    ];
    const [problem, ...others] = problems(read(documents.join('---\n')));
    expect(problem).toBe(
      '4:3 KARP-001 the file is a template of Helm, and no YAML before it is rendered: {{- include "labels" . }} (2 more documents of the file cannot be read)',
    );
    expect(others).toEqual([]);
  });

  test('advises to render a Helm template', () => {
    const [problem] = read('{{ if .Values.pool }}\napiVersion: v1\n{{ end }}\n').problems;
    expect(problem.remedy).toContain('helm template');
  });

  test.each([
    ['a string', 'just some words', 'not a Kubernetes object, but a string'],
    ['a list', '- 1\n- 2', 'not a Kubernetes object, but a list'],
    ['a number', '42', 'not a Kubernetes object, but a number'],
    ['no kind', 'apiVersion: v1', 'kind is missing or not a string: the kind of the object is unknown'],
    [
      'a number as kind',
      'apiVersion: v1\nkind: 3',
      'kind is missing or not a string: the kind of the object is unknown',
    ],
    ['a NUL character', 'a: \0', 'the file contains a NUL character, so it is not text'],
    ['an alias without an anchor', 'a: *b', 'alias *b has no anchor before it'],
    ['an alias in itself', 'a: &b [*b]', 'alias *b refers to a value that contains it'],
    ['a mapping as a key', '? {a: 1}\n: 2', 'a key must be a string'],
  ])('rejects a document with %s', (_, text, message) => {
    expect(read(text).problems).toMatchObject([{ rule: 'KARP-001', severity: 'error', message }]);
  });

  test('reports documents that are not Kubernetes objects, such as Helm values, as information', () => {
    expect(read('replicas: 3').problems).toMatchObject([{ rule: 'KARP-001', severity: 'info' }]);
  });
});

describe('readDocuments with hostile input', () => {
  const bomb = ['a: &a0 [x, x, x, x, x, x, x, x, x, x]']
    .concat(Array.from({ length: 12 }, (_, i) => `a${i}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]`))
    .join('\n');

  test('rejects aliases that expand without bound', () => {
    const model = read(`${POD}---\n${bomb}\n`);
    expect(problems(model)).toEqual([
      expect.stringMatching(/^1\d:\d+ KARP-001 aliases expand to more than 1000000 values$/),
    ]);
    expect(model.workloads).toHaveLength(1);
  });

  test.each([
    ['flow sequences', '['],
    ['flow mappings', '{a: '],
    ['block sequences', '- '],
  ])('rejects deeply nested %s', (_, open) => {
    const [problem] = read(`${POD}---\n${open.repeat(20_000)}`).problems;
    expect(problem).toMatchObject({ rule: 'KARP-001', message: expect.stringMatching(/nested|invalid YAML/) });
  });

  test('rejects files over the size limit before parsing them', () => {
    const started = process.cpuUsage();
    const [problem] = read('a: 1\n'.repeat(11_000_000)).problems;
    expect(problem).toMatchObject({
      rule: 'KARP-001',
      message: 'the file is too large: 52.5 MiB, the limit is 16.0 MiB',
    });
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(2);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('treats the key %s as data', (key) => {
    const value = '{ polluted: yes, labels: { polluted: "true" } }';
    const model = read(
      `apiVersion: v1\nkind: Pod\n${key}: ${value}\nmetadata: { name: web, ${key}: ${value} }\nspec: { ${key}: ${value}, containers: [{ name: a, ${key}: ${value} }] }\n`,
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(model.objects[0].raw)).toContain(key);
    expect(model.workloads[0].shape).toBeDefined();
  });

  test.each(['nodeSelector', 'resources', 'affinity', 'tolerations', 'overhead'])(
    'does not throw for __proto__ in %s',
    (field) => {
      expect(() => read(pod(`${CONTAINER}  ${field}: { __proto__: { a: b } }\n`))).not.toThrow();
    },
  );

  test('does not throw for any text', () => {
    const junk = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'kind: Pod\n',
        'apiVersion: v1\n',
        'spec:\n',
        '  ',
        '- ',
        '&a ',
        '*a',
        '{',
        '}',
        '---\n',
        '<<: ',
        'metadata: {name: x}\n',
      ),
    );
    fc.assert(
      fc.property(fc.array(junk, { maxLength: 30 }), (parts) => {
        readManifests([{ path: 'junk', text: parts.join('') }]);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test('does not throw for any JSON in the fields of judged kinds', () => {
    const kinds = fc.constantFrom(
      ['v1', 'Pod'],
      ['apps/v1', 'Deployment'],
      ['apps/v1', 'DaemonSet'],
      ['batch/v1', 'CronJob'],
      ['policy/v1', 'PodDisruptionBudget'],
      ['karpenter.sh/v1', 'NodePool'],
      ['karpenter.k8s.aws/v1', 'EC2NodeClass'],
    );
    const field = fc.constantFrom(
      'spec',
      'template',
      'containers',
      'resources',
      'requests',
      'cpu',
      'requirements',
      'operator',
      'kubelet',
      'amiSelectorTerms',
      'alias',
      'metadata',
      'labels',
      'toString',
      '__proto__',
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'medium' },
        fc.jsonValue(),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(field, tie('any'), { maxKeys: 5 }),
      ),
    })).any;
    fc.assert(
      fc.property(kinds, value, ([apiVersion, kind], spec) => {
        readManifests([{ path: 'junk', text: JSON.stringify({ apiVersion, kind, metadata: { name: 'x' }, spec }) }]);
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});

describe('duplicate keys', () => {
  test('are reported at the second key, whose value is used', () => {
    const model = read(pod('  containers:\n  - name: a\n  containers:\n  - name: b\n'));
    expect(problems(model)).toEqual(['8:3 KARP-109 duplicate key "containers": only the last value is used']);
    expect(model.objects[0].raw.spec!.containers).toMatchObject([{ name: 'b' }]);
  });

  test('are one finding for an object that begins without ---, which names the lost object', () => {
    const model = read(`${POD}${pod(CONTAINER, 'api')}`);
    expect(problems(model)).toEqual([
      expect.stringMatching(
        /KARP-109 another object begins here without --- before it: Pod web before it is lost, because only/,
      ),
    ]);
    expect(model.problems[0].remedy).toBe('write --- before this line');
  });

  test('are one finding for each of several objects without ---, whatever their first field', () => {
    const job = 'kind: Job\napiVersion: batch/v1\nmetadata: { name: load }\n';
    const found = problems(read(`${POD}${job}${pod(CONTAINER, 'api')}`));
    expect(found).toHaveLength(2);
    expect(found[0]).toContain('Pod web before it is lost');
    expect(found[1]).toContain('Job load before it is lost');
  });

  test('of references inside an object are no other object', () => {
    const text = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nkind: Job\n';
    expect(problems(read(text))[0]).toContain('duplicate key "kind": only the last value is used');
  });

  test('are a note if the values are equal, and one finding for a block of keys', () => {
    const { problems: found } = read(
      pod(CONTAINER).replace('name: web', 'name: web\n  labels: { a: x, d: v, c: z, a: x, d: v, c: other }'),
    );
    expect(found.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      'info duplicate keys "a" and "d": both values of each are equal',
      'error duplicate key "c": only the last value is used',
    ]);
  });

  test('are reported in JSON and flow mappings', () => {
    expect(
      problems(
        read(
          '{"apiVersion": "v1", "kind": "Job", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [{}]}}',
        ),
      ),
    ).toEqual([expect.stringContaining('1:37 KARP-109')]);
  });

  test('are not reported for keys of a merge key', () => {
    const text = pod('  nodeSelector: &base { team: a, zone: b }\n  containers: [{ name: x }]\n')
      .replace('spec:', 'unused: &other { tier: web, team: c }\nspec:')
      .replace('&base {', '{ <<: *other,');
    expect(problems(read(text))).toEqual([]);
    expect(read(text).objects[0].raw.spec!.nodeSelector).toMatchObject({ tier: 'web', team: 'a', zone: 'b' });
  });
});

describe('invalid YAML', () => {
  const found = (text: string, path = 'values.yaml') =>
    readManifests([{ path, text, isFound: true }]).problems.map(
      ({ severity, location: { line }, message }) => `${severity} ${line} ${message}`,
    );
  const SCRIPT = 'jobs: |\n  apiVersion: v1\n  kind: Pod\npipeline {\n  sh "docker build ${env.BUILD_NUMBER}"\n}\n';

  test('is a note in a file whose objects are only in a text, and names the block scalar that ends', () => {
    expect(found(SCRIPT)).toEqual([
      'info 4 invalid YAML: the block scalar of line 1 ends here, because this line is less indented than its first line',
    ]);
  });

  test.each([
    ['Groovy', '${env.BUILD_NUMBER}'],
    ['a shell', '${HOME}'],
    ['GitHub Actions', '${{ github.sha }}'],
    ['Terraform', '${var.name}'],
  ])('is the mistake itself, although another line has a value of %s', (_, value) => {
    const text = `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  a: ${value}\n  b: c\n  - d\n`;
    expect(found(text)).toEqual([expect.stringMatching(/^error \d invalid YAML: /)]);
  });

  test('is a template if a directive decides which lines there are', () => {
    const text = 'apiVersion: v1\nkind: Pod\n%{ if x }\nspec: [\n%{ endif }\n';
    expect(found(text)[0]).toContain('the file is a template of Terraform, and no YAML before it is rendered');
  });
});

describe('scalar values', () => {
  const labels = (text: string) =>
    read(
      `apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  labels: { a: ${text} }\nspec: { containers: [{ name: x }] }\n`,
    ).objects[0].raw.metadata!.labels;

  test.each([
    ['yes', true],
    ['off', false],
    ['"yes"', 'yes'],
    ['1e400', '1e400'],
    ['12345678901234567890', '12345678901234567890'],
    ['.inf', '.inf'],
    ['1.5', 1.5],
    ['2024-01-01', '2024-01-01'],
    ['0755', 0o755],
    ['0o17', 15],
    ['0b101', 5],
    ['-0x1F', -31],
    ['1_000', 1000],
    ['08', 8],
    ['.5', 0.5],
    ['1e3', 1000],
    ['12:30', '12:30'],
    ['1.2.3', '1.2.3'],
    ['-x', '-x'],
  ])('%s is read like kubectl reads it', (text, value) => {
    expect(labels(text)!.a).toEqual(value);
  });

  test('are read the same way as keys, and keep their positions', () => {
    const [object] = read(
      'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  labels:\n    y: a\n    010: b\n    "on": c\nspec: { containers: [{ name: x }] }\n',
    ).objects;
    expect(object.raw.metadata!.labels).toEqual({ true: 'a', 8: 'b', on: 'c' });
    expect(['true', '8', 'on'].map((key) => object.locate(['metadata', 'labels', key]).line)).toEqual([6, 7, 8]);
  });

  test('null removes the key', () => {
    expect(Object.keys(labels('~')!)).toEqual([]);
  });
});

describe('ManifestObject.locate', () => {
  const [object] = read(
    `${POD}---\napiVersion: v1\nkind: Pod\nmetadata: { name: b }\nspec:\n  containers:\n  - name: a\n    resources: &r\n      requests: { cpu: 1 }\n  - resources: *r\n`,
  ).objects.slice(1);

  test.each<[(string | number)[], string]>([
    [[], '8:1 '],
    [['spec', 'containers', 0, 'resources', 'requests', 'cpu'], '15:19 spec.containers[0].resources.requests.cpu'],
    [['spec', 'containers', 1, 'resources', 'requests', 'cpu'], '15:19 spec.containers[1].resources.requests.cpu'],
    [['spec', 'containers', 0, 'resources', 'limits'], '14:5 spec.containers[0].resources.limits'],
    [['spec', 'containers', 7], '12:3 spec.containers[7]'],
    [['status', 'phase'], '8:1 status.phase'],
  ])('finds %j or its nearest ancestor', (path, position) => {
    const { line, column, path: text } = object.locate(path);
    expect(`${line}:${column} ${text}`).toBe(position);
  });

  test('finds fields of a file whose positions exceed the cache, in any order', () => {
    const documents = Array.from(
      { length: 2000 },
      (_, index) =>
        `apiVersion: v1\nkind: Pod\nmetadata: { name: p${index} }\n# ${'x'.repeat(200)}\nspec:\n${CONTAINER}`,
    );
    const { objects } = read(documents.join('---\n'));
    for (const index of [0, 1999, 1, 1000, 0]) {
      expect(objects[index].locate(['spec', 'containers'])).toMatchObject({ line: index * 7 + 6, column: 3 });
    }
  });

  test('finds fields of an item in a List', () => {
    const text = `${POD}---\napiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: { name: x }\n  spec:\n    containers: 3\n`;
    expect(problems(read(text))).toEqual(['15:5 KARP-100 spec.containers: must be a list, got 3']);
  });
});
