import { KustomizeBuild } from '../../../../../src/validation/manifest/source/roots/kustomize/build';
import { KustomizeRefusal } from '../../../../../src/validation/manifest/source/roots/kustomize/refusal';

type Texts = Readonly<Record<string, string>>;

function buildOf(texts: Texts, folder = 'prod') {
  const files = new Map(Object.entries(texts).map(([path, text]) => [path, { path, text }]));
  return new KustomizeBuild(files, { exists: () => false }).build(folder);
}

/** The objects of a build, as kind and name with their specs. */
function built(texts: Texts, folder?: string) {
  return buildOf(texts, folder).resources.map((resource) => ({
    id: `${resource.kind}/${resource.name}`,
    fields: resource.fields!,
  }));
}

function refusal(texts: Texts, folder?: string): KustomizeRefusal {
  try {
    buildOf(texts, folder);
  } catch (error) {
    if (error instanceof KustomizeRefusal) return error;
    throw error;
  }
  throw new Error('the build is not refused');
}

const APP = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  template:
    spec:
      priorityClassName: high
      containers: [{ name: main, image: nginx, envFrom: [{ configMapRef: { name: settings } }] }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { selector: { matchLabels: { app: web } } }
`;
const BASE = { 'base/app.yaml': APP, 'base/kustomization.yaml': 'resources: [app.yaml]\n' };

describe('names', () => {
  const overlay =
    'resources: [../base]\nnamePrefix: p-\nnameSuffix: -s\nconfigMapGenerator: [{ name: settings, literals: [A=1] }]\n';
  const objects = built({ ...BASE, 'prod/kustomization.yaml': overlay });

  test('change where other objects refer to them', () => {
    const { fields } = objects.find(({ id }) => id === 'Deployment/p-web-s')!;
    expect(fields.spec).toEqual({
      template: {
        spec: {
          priorityClassName: 'p-high-s',
          containers: [
            { name: 'main', image: 'nginx', envFrom: [{ configMapRef: { name: 'p-settings-s-89g4tffbfk' } }] },
          ],
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'p-data-s' } }],
        },
      },
    });
    expect(objects.find(({ id }) => id === 'HorizontalPodAutoscaler/p-web-s')!.fields.spec).toMatchObject({
      scaleTargetRef: { name: 'p-web-s' },
    });
  });

  test('stay in the selectors of a PodDisruptionBudget', () => {
    expect(objects.find(({ id }) => id === 'PodDisruptionBudget/p-web-s')!.fields.spec).toEqual({
      selector: { matchLabels: { app: 'web' } },
    });
  });
});

describe('a build that kustomize refuses', () => {
  test.each([
    [
      'a patch without a target',
      'resources: [../base]\npatches: [{ path: patch.yaml }]\n',
      'no resource matches strategic merge patch "Deployment.v1.apps/other.[noNs]"',
      ['patches', 0],
    ],
    [
      'a resource that is not there',
      'resources: [../base, more.yaml]\n',
      'prod/more.yaml: no such file or directory',
      ['resources', 1],
    ],
    [
      'the same object twice',
      'resources: [../base, ../base]\n',
      'already registered id: Deployment.v1.apps/web.[noNs]',
      ['resources', 1],
    ],
    [
      'a folder that leads to itself',
      'resources: [../prod]\n',
      "cycle detected: candidate root 'prod' contains visited root 'prod'",
      ['resources', 0],
    ],
    [
      'an unknown field',
      'resources: [../base]\nnamePreffix: a\n',
      'json: unknown field "namePreffix"',
      ['namePreffix'],
    ],
    [
      'a list instead of a name',
      'resources: [../base]\nnamespace: [a]\n',
      'cannot unmarshal array into Go struct field Kustomization.namespace of type string',
      ['namespace'],
    ],
    [
      'a mapping instead of a path',
      'resources: [{ a: b }]\n',
      'cannot unmarshal object into Go struct field Kustomization.resources of type string',
      ['resources', 0],
    ],
    [
      'a file above the folder',
      'resources: [../base/app.yaml]\n',
      "security; file 'base/app.yaml' is not in or below 'prod'",
      ['resources', 0],
    ],
    [
      'an expression that is invalid',
      "resources: [../base]\npatches: [{ patch: '[]', target: { name: '(' } }]\n",
      'error parsing regexp',
      ['patches', 0],
    ],
    [
      'a huge index',
      "resources: [../base]\npatches: [{ target: { kind: Deployment }, patch: '[{ op: add, path: /spec/template/spec/containers/100000000, value: {} }]' }]\n",
      'Unable to access invalid index: 100000000',
      ['patches', 0],
    ],
    [
      'a count for no object',
      'resources: [../base]\nreplicas: [{ name: api, count: 2 }]\n',
      'resource with name api does not match',
      ['replicas', 0, 'name'],
    ],
    [
      'a replacement without a source',
      'resources: [../base]\nreplacements: [{ source: { kind: Pod }, targets: [{ select: { kind: Deployment } }] }]\n',
      'nothing selected by Pod',
      ['replacements', 0],
    ],
  ])('names the reason and the field: %s', (_, overlay, reason, field) => {
    const patch = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: other }\n';
    const error = refusal({ ...BASE, 'prod/kustomization.yaml': overlay, 'prod/patch.yaml': patch });
    expect(error.message).toContain(reason);
    expect(error.place).toEqual({ file: 'prod/kustomization.yaml', field });
  });

  test('names the inner kustomization that has the reason', () => {
    const files = {
      'base/kustomization.yaml': 'resources: [absent.yaml]\n',
      'prod/kustomization.yaml': 'resources: [../base]\n',
    };
    expect(refusal(files).place).toEqual({ file: 'base/kustomization.yaml', field: ['resources', 0] });
  });

  test('has two files of a kustomization in a folder', () => {
    const files = { ...BASE, 'base/Kustomization': 'resources: [app.yaml]\n' };
    expect(refusal(files, 'base').message).toBe('Found multiple kustomization files under: base');
  });
});

describe('bounds', () => {
  test('an expression with nested repeats is matched in linear time', () => {
    const name = 'a'.repeat(200);
    const overlay = `resources: [app.yaml]\npatches: [{ target: { name: '(a+)+' }, patch: '[{ op: add, path: /spec/x, value: 1 }]' }]\n`;
    const app = `apiVersion: example.com/v1\nkind: Thing\nmetadata: { name: ${name}b }\nspec: {}\n`;
    expect(built({ 'prod/app.yaml': app, 'prod/kustomization.yaml': overlay })[0].fields.spec).toEqual({});
  });

  test('a patch that copies an object into itself again and again is not followed', () => {
    const copy = '{ op: copy, from: /spec, path: /spec/x }, { op: copy, from: /spec, path: /spec/y }';
    const overlay = `resources: [../base]\npatches: [{ target: { kind: Deployment }, patch: '[${Array(60).fill(copy).join(', ')}]' }]\n`;
    expect(() => buildOf({ ...BASE, 'prod/kustomization.yaml': overlay })).toThrow(
      'a JSON patch that copies more than a million values',
    );
  });

  test('a chain in which each folder uses the next one twice is built once', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `c${index}/kustomization.yaml`,
        `resources: [../c${index + 1}, ../c${index + 1}]\n`,
      ]),
    );
    expect(built({ ...chain, 'c40/kustomization.yaml': 'namePrefix: a\n' }, 'c0')).toEqual([]);
  });

  test('a chain that doubles its objects is not followed', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => {
        return [
          [`c${index}/kustomization.yaml`, `resources: [../a${index}, ../b${index}]\n`],
          [`a${index}/kustomization.yaml`, `resources: [../c${index + 1}]\nnamePrefix: a\n`],
          [`b${index}/kustomization.yaml`, `resources: [../c${index + 1}]\nnamePrefix: b\n`],
        ];
      }).flat(),
    );
    const files = { ...chain, 'c40/kustomization.yaml': 'resources: [app.yaml]\n', 'c40/app.yaml': APP };
    expect(() => buildOf(files, 'c34')).not.toThrow();
    expect(() => buildOf(files, 'c0')).toThrow('more than 20000 objects');
  });
});

describe('what is not followed', () => {
  test.each([
    ['transformers', 'transformers: [labels.yaml]\n'],
    ['openapi', 'openapi: { path: schema.json }\n'],
    ['crds', 'crds: [crd.json]\n'],
  ])('%s', (field, overlay) => {
    expect(() => buildOf({ ...BASE, 'prod/kustomization.yaml': `resources: [../base]\n${overlay}` })).toThrow(field);
  });

  test('remote bases are named, and are no reason to refuse a patch without a target', () => {
    const overlay =
      'resources: [../base, "https://example.com/x.yaml", "github.com/a/b//c?ref=v1"]\npatches: [{ patch: "{apiVersion: v1, kind: Pod, metadata: {name: a}}" }]\n';
    const { resources, remote } = buildOf({ ...BASE, 'prod/kustomization.yaml': overlay });
    expect(remote).toEqual(['https://example.com/x.yaml', 'github.com/a/b//c?ref=v1']);
    expect(resources).toHaveLength(5);
  });
});

describe('what is meant', () => {
  const overlay = (fields: object, more: Texts = {}): Texts => ({
    ...BASE,
    'prod/patch.yaml': APP.split('---')[0].replace('name: web', 'name: wep'),
    'prod/kustomization.yaml': JSON.stringify({ resources: ['../base'], ...fields }),
    ...more,
  });

  test.each([
    ['a misspelt workload', { replicas: [{ name: 'wep', count: 2 }] }, 'write name: web', ['replicas', 0, 'name']],
    [
      'another workload',
      { replicas: [{ name: 'queue', count: 2 }] },
      'write the name of a workload that is built, or remove the entry: it is web',
      ['replicas', 0, 'name'],
    ],
    ['a resource', { resources: ['../bases'] }, 'write ../base', ['resources', 0]],
    ['the file of a patch', { patches: [{ path: 'path.yaml' }] }, 'write patch.yaml', ['patches', 0, 'path']],
    ['the object of a patch', { patches: [{ path: 'patch.yaml' }] }, 'write name: web in the patch', ['patches', 0]],
    ['a component', { components: ['../spots/zone'] }, 'write ../spot/zone', ['components', 0]],
    ['a field', { patchs: [] }, 'write patches', ['patchs']],
    [
      'the file of a generator',
      { configMapGenerator: [{ name: 'c', files: ['patch.yml'] }] },
      'write patch.yaml',
      ['configMapGenerator', 0],
    ],
    [
      'the source of a replacement',
      { replacements: [{ source: { kind: 'Deployment', name: 'wep' }, targets: [{ select: { kind: 'Service' } }] }] },
      'write name: web',
      ['replacements', 0, 'source', 'name'],
    ],
  ])('names %s that is almost the same', (_, fields, remedy, field) => {
    const component = 'kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\ncommonAnnotations: { a: b }\n';
    const { advice, place } = refusal(overlay(fields, { 'spot/zone/kustomization.yaml': component }));
    expect([advice?.remedy, place?.field]).toEqual([remedy, field]);
  });

  test('names nothing for what is like nothing', () => {
    expect(refusal(overlay({ resources: ['../databases'] })).advice).toBeUndefined();
  });
});
