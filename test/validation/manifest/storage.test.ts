import { CONTAINER, onlyWorkload } from './manifests';
import { check } from '../../../src/validation';
import { NODE_CLASS, nodePool } from '../setup';

const ZONE = 'topology.kubernetes.io/zone';
const storageClass = (fields: string, name = 'fast') =>
  `apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: ${name} }\nprovisioner: ebs.csi.aws.com\n${fields}\n---\n`;
const WAITING = 'volumeBindingMode: WaitForFirstConsumer\n';
const allowed = (...zones: string[]) =>
  `${WAITING}allowedTopologies:\n${zones.map((zone) => `- matchLabelExpressions: [{ key: topology.ebs.csi.aws.com/zone, values: [${zone}] }]\n`).join('')}`;
const claim = (spec: string, rest = '', name = 'data') =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name}${rest} }\nspec: { resources: { requests: { storage: 1Gi } }, ${spec} }\n`;
const volume = (spec: string, rest = '') =>
  `apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: pv-1${rest} }\nspec: { ${spec} }\n---\n`;
const inZone = (zone: string) =>
  `nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: ${ZONE}, operator: In, values: [${zone}] }] }] } }`;
const POD = `apiVersion: v1\nkind: Pod\nmetadata: { name: db }\nspec:\n${CONTAINER}`;
const mounting = (...claims: string[]) =>
  `${POD}  volumes: [${claims.map((name, i) => `{ name: v${i}, persistentVolumeClaim: { claimName: ${name} } }`).join(', ')}]\n`;

function shape(...documents: string[]) {
  return onlyWorkload(documents.join('---\n')).shape!;
}

const zoneIn = (zone: string) => [{ operator: 'In', values: [zone] }];

describe('volumes of a pod', () => {
  test('have no requirements without a claim', () => {
    const read = shape(`${POD}  volumes: [{ name: a, emptyDir: {} }, { name: b, configMap: { name: c } }]\n`);
    expect(read).toMatchObject({ notEvaluated: [] });
    expect(read).not.toHaveProperty('volumeTopology');
  });

  test('may be in any zone that the StorageClass of an unbound claim allows', () => {
    const read = shape(
      storageClass(allowed('us-east-1a', 'us-east-1b')),
      claim('storageClassName: fast'),
      mounting('data'),
    );
    expect(read.volumeTopology).toMatchObject([zoneIn('us-east-1a'), zoneIn('us-east-1b')]);
    expect(read.mountedClaims).toEqual(new Map([['default/data', 'ebs.csi.aws.com']]));
  });

  test('must be in the zone of a bound volume', () => {
    const read = shape(
      volume(`csi: { driver: ebs.csi.aws.com }, ${inZone('us-east-1c')}`),
      claim('volumeName: pv-1'),
      mounting('data'),
    );
    expect(read.volumeTopology).toMatchObject([zoneIn('us-east-1c')]);
  });

  test('leave out combinations of zones that contradict each other', () => {
    const read = shape(
      storageClass(allowed('us-east-1a', 'us-east-1b')),
      volume(inZone('us-east-1b')),
      claim('storageClassName: fast'),
      claim('volumeName: pv-1', '', 'old'),
      mounting('data', 'old'),
    );
    expect(read.volumeTopology).toMatchObject([[...zoneIn('us-east-1b'), ...zoneIn('us-east-1b')]]);
  });

  test('keep a contradiction if no combination is possible, so that the pod is unschedulable', () => {
    const read = shape(
      storageClass(allowed('us-east-1a')),
      volume(inZone('us-east-1b')),
      claim('storageClassName: fast'),
      claim('volumeName: pv-1', '', 'old'),
      mounting('data', 'old'),
    );
    expect(read.volumeTopology).toMatchObject([[...zoneIn('us-east-1a'), ...zoneIn('us-east-1b')]]);
  });

  test('do not require the hostname of a local volume', () => {
    const affinity =
      'nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [ip-1] }] }] } }';
    expect(
      shape(volume(`local: { path: /mnt }, ${affinity}`), claim('volumeName: pv-1'), mounting('data')).volumeTopology,
    ).toEqual([[]]);
  });

  test('include the volumeClaimTemplates of a StatefulSet', () => {
    const set =
      'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: { name: db }\nspec:\n  selector: { matchLabels: { app: db } }\n  replicas: 2\n' +
      '  template: { metadata: { labels: { app: db } }, spec: { containers: [{ name: main }] } }\n  volumeClaimTemplates: [{ metadata: { name: data }, spec: { storageClassName: fast, resources: { requests: { storage: 1Gi } } } }]\n';
    expect(shape(storageClass(allowed('us-east-1a')), set).volumeTopology).toMatchObject([zoneIn('us-east-1a')]);
  });

  test('include ephemeral volumes', () => {
    const pod = `${POD}  volumes: [{ name: tmp, ephemeral: { volumeClaimTemplate: { spec: { storageClassName: fast } } } }]\n`;
    expect(shape(storageClass(allowed('us-east-1b')), pod).volumeTopology).toMatchObject([zoneIn('us-east-1b')]);
  });

  test.each(['efs.csi.aws.com', 'fsx.csi.aws.com', 's3.csi.aws.com'])(
    'restrict no node if %s creates them before the pod is scheduled',
    (driver) => {
      const read = shape(
        storageClass('').replace('ebs.csi.aws.com', driver),
        claim('storageClassName: fast'),
        mounting('data'),
      );
      expect(read).toMatchObject({ notEvaluated: [] });
      expect(read).not.toHaveProperty('volumeTopology');
      expect(read).not.toHaveProperty('mountedClaims');
    },
  );

  test.each([
    ['a class that is not in the input', 'storageClassName: efs'],
    ['no class', 'storageClassName: ""'],
  ])('restrict no node if a file system of the input has %s', (_, className) => {
    const fileSystem = volume(`csi: { driver: efs.csi.aws.com }, accessModes: [ReadWriteMany], ${className}`);
    const read = shape(fileSystem, claim(`accessModes: [ReadWriteMany], ${className}`), mounting('data'));
    expect(read).toMatchObject({ notEvaluated: [] });
    expect(read).not.toHaveProperty('ignored');
    expect(shape(fileSystem, claim(`accessModes: [ReadWriteOnce], ${className}`), mounting('data'))).toHaveProperty(
      className.endsWith('""') ? 'ignored' : 'notEvaluated.0',
    );
  });

  test('use the default StorageClass if none is named', () => {
    const standard = storageClass(allowed('us-east-1a')).replace(
      'name: fast',
      'name: fast, annotations: { storageclass.kubernetes.io/is-default-class: "true" }',
    );
    expect(shape(standard, claim('accessModes: []'), mounting('data')).volumeTopology).toMatchObject([
      zoneIn('us-east-1a'),
    ]);
  });

  test('may be in any zone with the class gp2, which EKS creates', () => {
    expect(shape(claim('storageClassName: gp2'), mounting('data'))).toMatchObject({
      notEvaluated: [],
      mountedClaims: new Map([['default/data', 'ebs.csi.aws.com']]),
    });
  });
});

describe('a claim without a class', () => {
  const ASSUMED = expect.stringContaining(
    'gp2 is assumed; clusters that EKS created with version 1.30 or later have no default',
  );

  test('is planned with gp2 of EKS, as an assumption says', () => {
    const text = `${claim('accessModes: []')}---\n${mounting('data')}`;
    expect(onlyWorkload(text).shape!).toMatchObject({
      notEvaluated: [],
      mountedClaims: new Map([['default/data', 'ebs.csi.aws.com']]),
    });
    expect(check([{ path: 'a.yaml', text }]).assumptions).toContainEqual(ASSUMED);
  });

  test.each([
    ['a class is named', claim('storageClassName: gp2')],
    ['no pod mounts it', claim('accessModes: []', '', 'other')],
    [
      'the input has a default class',
      `${claim('accessModes: []')}---\n${storageClass('').replace('name: fast', 'name: fast, annotations: { storageclass.kubernetes.io/is-default-class: "true" }')}`,
    ],
  ])('makes no assumption if %s', (_, text) => {
    const { assumptions } = check([{ path: 'a.yaml', text: `${text}---\n${mounting('data')}` }]);
    expect(assumptions).not.toContainEqual(ASSUMED);
  });

  test('is not evaluated if the cluster is given and has no default class', () => {
    const cluster = [{ path: 'cluster.yaml', text: 'apiVersion: v1\nkind: List\nitems: []\n' }];
    const text = [NODE_CLASS, nodePool(['m5.large']), claim('accessModes: []'), mounting('data')].join('---\n');
    const [{ what }] = check([{ path: 'a.yaml', text }], { cluster }).notEvaluated;
    expect(what).toContain('the default StorageClass, which is not in the input');
  });
});

describe('a pod is not evaluated', () => {
  test.each([
    ['claim', mounting('data'), 'PersistentVolumeClaim default/data, which is not in the input'],
    [
      'class',
      claim('storageClassName: fast') + '---\n' + mounting('data'),
      'StorageClass fast, which is not in the input',
    ],
    [
      'bound volume',
      claim('volumeName: pv-1') + '---\n' + mounting('data'),
      'PersistentVolume pv-1, which is not in the input',
    ],
    [
      'zone',
      storageClass('').replace('ebs.csi.aws.com', 'csi.example.com') +
        claim('storageClassName: fast') +
        '---\n' +
        mounting('data'),
      'a volume of StorageClass fast, which is created in an unknown zone before the pod is scheduled (volumeBindingMode Immediate)',
    ],
  ])('if the %s of a volume is unknown', (_, text, what) => {
    expect(onlyWorkload(text).shape!.notEvaluated).toEqual([what]);
  });

  test('but not for EBS volumes that are created before their pod', () => {
    const text =
      storageClass('volumeBindingMode: Immediate') + claim('storageClassName: fast') + '---\n' + mounting('data');
    expect(onlyWorkload(text).shape!.notEvaluated).toEqual([]);
    expect(onlyWorkload(text).shape!.mountedClaims).toEqual(new Map([['default/data', 'ebs.csi.aws.com']]));
  });

  test('if its volumes have too many combinations of zones', () => {
    const zones = Array.from({ length: 40 }, (_, i) => `zone-${i}`);
    const text = [
      storageClass(allowed(...zones)),
      ...[0, 1].map((i) => `${claim('storageClassName: fast', '', `data-${i}`)}---\n`),
      mounting('data-0', 'data-1'),
    ].join('');
    expect(onlyWorkload(text).shape!.notEvaluated).toEqual([]);
    const more = [
      storageClass(allowed(...zones)),
      storageClass(allowed(...zones.map((zone) => `${zone}x`)), 'slow'),
      `${claim('storageClassName: fast')}---\n`,
      `${claim('storageClassName: slow', '', 'other')}---\n`,
      mounting('data', 'other'),
    ].join('');
    expect(onlyWorkload(more).shape!.notEvaluated).toEqual(['more than 1000 combinations of the zones of its volumes']);
  });
});

describe('Karpenter ignores a pod with a volume', () => {
  test.each([
    [
      'whose claim is being deleted',
      claim('storageClassName: gp2', ', deletionTimestamp: 2026-01-01T00:00:00Z'),
      'persistentvolumeclaim is being deleted',
    ],
    [
      'whose claim is lost',
      `${claim('volumeName: pv-1')}status: { phase: Lost }\n`,
      'persistentvolumeclaim bound to non-existent persistentvolume',
    ],
    ['of a class named ""', claim('storageClassName: ""'), 'unbound pvc must define a storage class'],
    [
      'that the cluster has not bound',
      `${volume('csi: {}')}${claim('volumeName: pv-1')}status: { phase: Pending }\n`,
      'pvc is considered unbound because it does not contain annotation',
    ],
    [
      'of a class with immediate binding',
      `${storageClass('')}${claim('storageClassName: fast')}status: { phase: Pending }\n`,
      'pvc with immediate volume binding mode must be bound',
    ],
  ])('%s', (_, documents, message) => {
    expect(onlyWorkload(`${documents}---\n${mounting('data')}`).shape!.ignored).toContain(message);
  });
});
