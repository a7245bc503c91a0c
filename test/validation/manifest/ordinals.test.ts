import { check, readManifests } from '../../../src/validation';
import { dump, node, object, pod } from '../cluster/dump';
import { manifests, NODE_CLASS, nodePool } from '../setup';

const ZONE = 'topology.kubernetes.io/zone';
const claimed = (ordinal: number, name = 'data') =>
  object('v1', 'PersistentVolumeClaim', `${name}-db-${ordinal}`, {
    metadata: {
      name: `${name}-db-${ordinal}`,
      namespace: 'default',
      annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
    },
    spec: { volumeName: `pv-${ordinal}` },
    status: { phase: 'Bound' },
  });
const volume = (ordinal: number, zone: string) =>
  object('v1', 'PersistentVolume', `pv-${ordinal}`, {
    spec: {
      csi: { driver: 'ebs.csi.aws.com' },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values: [`us-east-1${zone}`] }] }],
        },
      },
    },
  });
const inZones = (...zones: Array<string | undefined>) =>
  zones.flatMap((zone, ordinal) => (zone === undefined ? [] : [claimed(ordinal), volume(ordinal, zone)]));
const set = (replicas: number, more = '') => `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  replicas: ${replicas}
  selector: { matchLabels: { app: db } }
${more}  template: { metadata: { labels: { app: db } }, spec: { containers: [{ name: main, resources: { requests: { cpu: 1, memory: 1Gi } } }] } }
  volumeClaimTemplates: [{ metadata: { name: data }, spec: { storageClassName: gp2, resources: { requests: { storage: 1Gi } } } }]
`;

function ranges(text: string, ...items: Parameters<typeof dump>) {
  const [workload] = readManifests([{ path: 'input.yaml', text }], { cluster: dump(...items) }).workloads;
  return workload.ordinals?.map(({ first, count, shape }) => [
    first,
    count,
    shape.volumeTopology?.[0][0].values?.[0] ?? 'anywhere',
  ]);
}

describe('pods of a StatefulSet with existing claims', () => {
  test('are all equal without existing claims', () => {
    expect(ranges(set(3))).toBeUndefined();
    expect(ranges(set(3), claimed(0, 'other'))).toBeUndefined();
  });

  test('run in the zone of their own volume, or anywhere without a volume', () => {
    expect(ranges(set(6), ...inZones('a', undefined, 'b', 'b'))).toEqual([
      [0, 1, 'us-east-1a'],
      [1, 1, 'anywhere'],
      [2, 1, 'us-east-1b'],
      [3, 1, 'us-east-1b'],
      [4, 2, 'anywhere'],
    ]);
  });

  test('ignore claims of ordinals beyond the replicas', () => {
    expect(ranges(set(1), ...inZones('a', 'b'))).toEqual([[0, 1, 'us-east-1a']]);
  });

  test('are numbered from ordinals.start', () => {
    expect(ranges(set(2, '  ordinals: { start: 1 }\n'), ...inZones('a', 'b'))).toEqual([
      [1, 1, 'us-east-1b'],
      [2, 1, 'anywhere'],
    ]);
  });

  test('are placed only if their ordinal does not run', () => {
    const running = [0, 2].map((ordinal) => pod(`db-${ordinal}`, { on: 'n1', owner: ['StatefulSet', 'db'] }));
    expect(ranges(set(4), node('n1'), ...running, ...inZones('a', 'b', 'c', 'c'))).toEqual([
      [1, 1, 'us-east-1b'],
      [3, 1, 'us-east-1c'],
    ]);
  });

  test('are placed by missing ordinal even without claims', () => {
    const running = [1, 2].map((ordinal) => pod(`db-${ordinal}`, { on: 'n1', owner: ['StatefulSet', 'db'] }));
    expect(ranges(set(4), node('n1'), ...running)).toEqual([
      [0, 1, 'anywhere'],
      [3, 1, 'anywhere'],
    ]);
    expect(ranges(set(2, '  ordinals: { start: 1 }\n'), node('n1'), ...running)).toEqual([]);
  });

  test('are not enumerated: two billion replicas stay ranges', () => {
    const running = pod('db-7', { on: 'n1', owner: ['StatefulSet', 'db'] });
    expect(ranges(set(2_147_483_647), node('n1'), running, ...inZones('a'))).toEqual([
      [0, 1, 'us-east-1a'],
      [1, 6, 'anywhere'],
      [8, 2_147_483_639, 'anywhere'],
    ]);
  });

  test('are scheduled to the zones of their volumes, under their own names', () => {
    const workloads = `${set(3)}---\n${set(1).replaceAll('name: db', 'name: cache')}`;
    const verdict = check(manifests(nodePool(['m5.large']), NODE_CLASS, workloads), {
      cluster: dump(...inZones('c', 'b', 'c')),
    });
    const placed = Object.fromEntries(
      verdict.nodeClaims.flatMap(({ pods, zones }) => pods.map((name) => [name, zones])),
    );
    expect(placed).toEqual({
      'default/db-0': ['us-east-1c'],
      'default/db-1': ['us-east-1b'],
      'default/db-2': ['us-east-1c'],
      'default/cache-0': expect.anything(),
    });
  });
});
