import { Json, NAMES } from './objects';
import { Dice } from '../../test/support/schedule-scenario/dice';

/** Files that a kustomization names, by their path in its folder. */
export type Files = Record<string, string>;

type Maker = (dice: Dice, known: readonly Json[], files: Files) => Json;

const CONFIGS = ['settings', 'rules'];

const idOf = (object: Json) => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  metadata: { name: (object.metadata as Json).name, ...namespaceOf(object) },
});
const namespaceOf = (object: Json) => {
  const { namespace } = object.metadata as Json;
  return namespace === undefined ? {} : { namespace };
};

/** Mostly an object of the build; sometimes one that is not there. */
function targetId(dice: Dice, known: readonly Json[]): Json {
  if (known.length === 0 || dice.chance(0.02))
    return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'absent' } };
  const id = idOf(dice.pick(known));
  return dice.chance(0.02) ? { ...id, metadata: { name: (id.metadata as Json).name } } : id;
}

function selector(dice: Dice, known: readonly Json[]): Json {
  const target = targetId(dice, known);
  const { name } = target.metadata as Json;
  return dice.pick([
    { kind: target.kind },
    { kind: target.kind, name },
    { name },
    { kind: 'Deployment|StatefulSet' },
    { name: `${String(name).slice(0, 1)}.*` },
    { kind: 'Deploy' },
    { group: 'apps', version: 'v1' },
    { labelSelector: 'app in (web, api),tier!=back' },
    { labelSelector: 'app=web' },
    { annotationSelector: 'note' },
    { namespace: dice.pick(['shop', 'default', '.*']) },
  ]);
}

/** A part of an object that a merge changes. */
function mergedParts(dice: Dice, kind: unknown): Json {
  const containers = dice.pick<unknown>([
    [{ name: 'main', resources: { limits: { memory: '2Gi' } } }],
    [
      {
        name: 'main',
        env: [
          { name: 'MODE', value: 'patched' },
          { name: 'NEW', value: '1' },
        ],
      },
    ],
    [{ name: 'extra', image: 'redis' }],
    [{ name: 'side', $patch: 'delete' }],
    [{ name: 'main', ports: [{ containerPort: 8080, name: 'renamed' }, { containerPort: 7070 }] }],
    [{ name: 'main', volumeMounts: [{ name: 'cm', mountPath: '/etc' }], args: ['x'] }],
    [{ name: 'main', image: null }],
    [{ $patch: 'replace' }, { name: 'only', image: 'only' }],
  ]);
  const pod = dice.pick<Json>([
    { containers },
    { nodeSelector: { zone: 'a' } },
    { nodeSelector: null },
    { tolerations: [{ key: 'b', operator: 'Exists' }] },
    { volumes: [{ name: 'data', emptyDir: {} }] },
    { volumes: [{ name: 'data', $patch: 'delete' }] },
    {
      topologySpreadConstraints: [
        { topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule', maxSkew: 3 },
      ],
    },
    { affinity: { $patch: 'replace', nodeAffinity: {} } },
    { affinity: { $patch: 'delete' } },
    { priorityClassName: 'web' },
  ]);
  switch (kind) {
    case 'Deployment':
    case 'StatefulSet':
    case 'DaemonSet':
    case 'Job':
      return { spec: { ...(dice.chance(0.4) ? { replicas: 3 } : {}), template: { spec: pod } } };
    case 'CronJob':
      return { spec: { jobTemplate: { spec: { template: { spec: pod } } } } };
    case 'Pod':
      return { spec: pod };
    case 'Service':
      return { spec: { ports: [{ port: 80, targetPort: 1 }, { port: 81 }] } };
    case 'ConfigMap':
      return { data: { key: dice.pick(['new', null]), more: 'x' } };
    case 'NodePool':
      return {
        spec: dice.pick<Json>([
          { limits: { cpu: 10 }, weight: 5 },
          { template: { spec: { requirements: [{ key: 'a', operator: 'Exists' }] } } },
          { limits: null },
          { disruption: { $patch: 'replace', consolidateAfter: '1m' } },
        ]),
      };
    default:
      return dice.pick<Json>([
        { spec: { added: { a: 1, b: null } } },
        { metadata: { labels: { more: 'x' } } },
        { $patch: 'delete' },
      ]);
  }
}

function mergePatch(dice: Dice, known: readonly Json[]): Json {
  const id = targetId(dice, known);
  const { metadata, ...parts } = mergedParts(dice, id.kind);
  const labels = dice.chance(0.2) ? { annotations: { patched: 'yes', 'team.example/owner': null } } : {};
  return { ...id, ...parts, metadata: { ...(id.metadata as Json), ...labels, ...(metadata as Json | undefined) } };
}

function jsonOperations(dice: Dice): Json[] {
  const one = () =>
    dice.pick<Json>([
      { op: 'replace', path: '/metadata/name', value: 'renamed' },
      { op: 'add', path: '/metadata/annotations/a~1b', value: 'c' },
      { op: 'add', path: '/metadata/labels', value: { only: 'this' } },
      { op: 'add', path: '/spec/replicas', value: 7 },
      { op: 'replace', path: '/spec/replicas', value: 8 },
      { op: 'remove', path: '/spec/selector' },
      { op: 'add', path: '/spec/template/spec/containers/-', value: { name: 'json', image: 'json' } },
      { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'nginx:9' },
      { op: 'add', path: '/spec/extra', value: { list: [1, 2, 3] } },
      { op: 'copy', from: '/metadata/name', path: '/spec/copied' },
      { op: 'move', from: '/spec/template', path: '/spec/moved' },
      { op: 'test', path: '/spec/replicas', value: 2 },
      { op: 'add', path: '/spec/template/spec/containers/9', value: {} },
      { op: 'remove', path: '/spec/absent' },
    ]);
  const usual = () =>
    dice.pick<Json>([
      { op: 'add', path: '/metadata/labels', value: { only: 'this' } },
      { op: 'add', path: '/metadata/annotations', value: { only: 'this' } },
      { op: 'replace', path: '/metadata/name', value: 'renamed' },
    ]);
  return Array.from({ length: dice.between(1, 2) }, () => (dice.chance(0.8) ? usual() : one()));
}

/** The text of a patch, in the kustomization or in a file. */
function asEntry(dice: Dice, text: string, files: Files): Json {
  if (dice.chance(0.6)) return { patch: text };
  const path = `patch-${Object.keys(files).length}.yaml`;
  files[path] = text;
  return { path };
}

function patches(dice: Dice, known: readonly Json[], files: Files): Json {
  const entries = Array.from({ length: dice.between(1, 3) }, () => {
    if (dice.chance(0.35))
      return {
        ...asEntry(dice, JSON.stringify(jsonOperations(dice)), files),
        ...(dice.chance(0.98) ? { target: selector(dice, known) } : {}),
      };
    const patch = mergePatch(dice, known);
    if (dice.chance(0.35)) {
      const options = dice.pick([
        {},
        {},
        { options: { allowNameChange: true } },
        { options: { allowKindChange: true } },
      ]);
      return { ...asEntry(dice, JSON.stringify(patch), files), target: selector(dice, known), ...options };
    }
    const both = dice.chance(0.15)
      ? `${JSON.stringify(patch)}\n---\n${JSON.stringify(mergePatch(dice, known))}`
      : JSON.stringify(patch);
    return asEntry(dice, both, files);
  });
  return { patches: entries };
}

function generator(dice: Dice, files: Files): Json {
  files['app.properties'] = 'a=1\n# no\nb = two\n';
  files['file.txt'] = `<&> ${dice.between(1, 9)}\n${'long '.repeat(30)}`;
  return {
    name: dice.pick(CONFIGS),
    ...dice.pick<Json>([
      { literals: ['A=1', "B='x y'", 'C=a=b'] },
      { files: ['file.txt', 'key=app.properties'] },
      { envs: ['app.properties'] },
      { literals: ['key=<merged>'], env: 'app.properties' },
    ]),
    ...(dice.chance(0.7)
      ? {}
      : dice.pick<Json>([{ behavior: 'merge' }, { behavior: 'replace' }, { namespace: 'shop' }])),
    ...dice.pick<Json>([
      {},
      {},
      { options: { disableNameSuffixHash: true, labels: { gen: 'yes' } } },
      { options: { immutable: true } },
    ]),
  };
}

const MAKERS: readonly Maker[] = [
  patches,
  patches,
  (dice, known, files) => ({
    patchesStrategicMerge: Array.from({ length: dice.between(1, 2) }, () => {
      const entry = asEntry(dice, JSON.stringify(mergePatch(dice, known)), files);
      return entry.patch ?? entry.path;
    }),
  }),
  (dice, known, files) => ({
    patchesJson6902: [
      {
        ...asEntry(dice, JSON.stringify(jsonOperations(dice)), files),
        target: { kind: targetId(dice, known).kind, name: dice.pick(NAMES) },
      },
    ],
  }),
  (dice) => ({ namePrefix: dice.pick(['dev-', 'a-', 'b-']) }),
  (dice) => ({ nameSuffix: dice.pick(['-v1', '-x']) }),
  (dice) => ({ namespace: dice.pick(['shop', 'prod', 'default']) }),
  () => ({ commonLabels: { env: 'prod', app: 'common' } }),
  (dice) => ({
    labels: [
      {
        pairs: { team: 'blue', b: 'c' },
        ...dice.pick([{}, { includeSelectors: true }, { includeTemplates: true }]),
        ...(dice.chance(0.2) ? { fields: [{ path: 'spec/marks', create: true, kind: 'Thing' }] } : {}),
      },
    ],
  }),
  () => ({ commonAnnotations: { by: 'kustomize' } }),
  (dice) => ({
    images: [
      {
        name: dice.pick(['nginx', 'registry.example:5000/team/app', 'busybox']),
        ...dice.pick([
          { newTag: 'v9' },
          { newName: 'other/name' },
          { digest: 'sha256:bb' },
          { newName: 'n', newTag: 't' },
          { tagSuffix: '-s' },
        ]),
      },
    ],
  }),
  (dice, known) => ({
    replicas: [{ name: dice.chance(0.97) ? (idOf(scaled(dice, known)).metadata as Json).name : 'absent', count: 4 }],
  }),
  (dice, _, files) => ({ configMapGenerator: [generator(dice, files)] }),
  (dice, _, files) => ({
    secretGenerator: [{ ...generator(dice, files), ...(dice.chance(0.2) ? { type: 'x/y' } : {}) }],
  }),
  (dice) => ({ generatorOptions: { labels: { all: 'yes' }, disableNameSuffixHash: dice.chance(0.3) } }),
  (dice, known) => ({
    replacements: [
      {
        source: {
          kind: targetId(dice, known).kind,
          name: (targetId(dice, known).metadata as Json).name,
          ...dice.pick([{}, { fieldPath: 'metadata.name' }]),
        },
        targets: [
          {
            select: dice.pick<Json>([{ kind: 'Deployment' }, { kind: dice.pick(known)?.kind ?? 'Pod' }]),
            ...dice.pick<Json>([
              { fieldPaths: ['metadata.labels.copied'], options: { create: true } },
              { fieldPaths: ['metadata.annotations.[team.example/x]'], options: { create: true } },
              {
                fieldPaths: ['spec.template.spec.containers.[name=main].image'],
                options: { delimiter: ':', index: 1 },
              },
              { fieldPaths: ['spec.template.spec.containers.*.name'] },
              { fieldPaths: ['spec.template.spec.containers.0.image'] },
            ]),
          },
        ],
      },
    ],
  }),
  (dice, known) => {
    const target = targetId(dice, known);
    return {
      vars: [
        {
          name: 'WEB_NAME',
          objref: { apiVersion: target.apiVersion, kind: target.kind, name: (target.metadata as Json).name },
          ...dice.pick([{}, { fieldref: { fieldPath: 'metadata.name' } }, { fieldref: { fieldPath: 'kind' } }]),
        },
      ],
    };
  },
  (_dice, _known, files) => {
    files['places.yaml'] = JSON.stringify({
      nameReference: [
        { kind: 'EC2NodeClass', fieldSpecs: [{ kind: 'NodePool', path: 'spec/template/spec/nodeClassRef/name' }] },
      ],
      images: [{ path: 'spec/containers/image', kind: 'Thing' }],
    });
    return { configurations: ['places.yaml'] };
  },
  (dice) => ({ sortOptions: { order: dice.pick(['fifo', 'legacy']) } }),
  (dice) =>
    dice.chance(0.15)
      ? dice.pick<Json>([{ unknownField: 1 }, { namespace: ['a'] }, { resources: [{ a: 1 }] }, { patches: 'x' }])
      : {},
];

function scaled(dice: Dice, known: readonly Json[]): Json {
  const some = known.filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(String(kind)));
  return some.length === 0 ? { metadata: { name: 'absent' } } : dice.pick(some);
}

/** Fields of one kustomization. */
export function fields(dice: Dice, known: readonly Json[], files: Files): Json {
  const makers = dice.some(MAKERS, dice.between(0, 3));
  return Object.assign({}, ...makers.map((make) => make(dice, known, files))) as Json;
}
