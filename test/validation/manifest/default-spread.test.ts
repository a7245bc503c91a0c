import { CONTAINER, pod } from './manifests';
import { SchedulerConfig } from '../../../src/contract';
import { CheckOptions, readManifests } from '../../../src/validation';
import { dump, object, pod as waiting } from '../cluster/dump';

const ZONE = 'topology.kubernetes.io/zone';
const CONSTRAINT = { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' } as const;
const CONFIG: SchedulerConfig = { defaultConstraints: [CONSTRAINT] };
const service = (name: string, spec: string, namespace = 'default') =>
  `apiVersion: v1\nkind: Service\nmetadata: { name: ${name}, namespace: ${namespace} }\nspec: ${spec}\n`;
const LABELLED = pod(CONTAINER).replace('name: web\n', 'name: web\n  labels: { app: web, tier: front }\n');
const workload = (kind: string) => `apiVersion: apps/v1
kind: ${kind}
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web }, matchExpressions: [{ key: tier, operator: Exists }] }
  template: { metadata: { labels: { app: web, tier: front } }, spec: { containers: [{ name: main }] } }
`;
const OF_CONTROLLER = [{ key: 'app', operator: 'In', values: ['web'] }, { key: 'tier', operator: 'Exists', values: [] }];

function spreadOf(documents: readonly string[], options: CheckOptions = { schedulerConfig: CONFIG }) {
  const { workloads } = readManifests([{ path: 'input.yaml', text: documents.join('---\n') }], options);
  return workloads[0].shape!.topologySpread;
}

describe('the spread of pods that have none of their own', () => {
  test('is none where Karpenter is not told of one', () => {
    expect(spreadOf([workload('StatefulSet')], {})).toEqual([]);
    expect(spreadOf([workload('StatefulSet')], { schedulerConfig: { defaultConstraints: [] } })).toEqual([]);
  });

  test('is not given to pods that have one of their own', () => {
    const own = `${LABELLED}  topologySpreadConstraints: [{ maxSkew: 5, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway }]\n`;
    expect(spreadOf([own, service('s', '{ selector: { app: web } }')])).toMatchObject([{ maxSkew: 5 }]);
  });

  test.each(['StatefulSet', 'ReplicaSet'])('is among the pods that the %s selects', (kind) => {
    expect(spreadOf([workload(kind)])).toEqual([{ ...CONSTRAINT, labelSelector: { matchLabels: {}, matchExpressions: OF_CONTROLLER } }]);
  });

  test('is among the pods of one revision of a Deployment', () => {
    const [{ labelSelector }] = spreadOf([workload('Deployment')])!;
    expect(labelSelector!.matchExpressions).toContainEqual({ key: 'pod-template-hash', operator: 'In', values: ['web'] });
  });

  test('is among those that all Services that select the pod select, the later by name winning', () => {
    const services = [
      service('b', '{ selector: { tier: front } }'), service('a', '{ selector: { app: web } }'),
      service('c', '{ selector: { app: other } }'), service('d', '{ selector: { app: web } }', 'elsewhere'), service('e', '{ clusterIP: None }'),
    ];
    expect(spreadOf([LABELLED, ...services])).toEqual([{ ...CONSTRAINT, labelSelector: { matchLabels: { app: 'web', tier: 'front' }, matchExpressions: [] } }]);
  });

  test('is none where neither a Service nor a controller selects the pod: it would be spread with every pod there is', () => {
    expect(spreadOf([LABELLED, service('all', '{ selector: {} }')])).toEqual([]);
  });
});

describe('the default spread of pods of the cluster', () => {
  const OWNED = { owner: ['ReplicaSet', 'api-5d9c'] as const, labels: { 'app': 'api', 'pod-template-hash': '5d9c' } };
  const shapeIn = (...items: Parameters<typeof dump>) => {
    const { cluster } = readManifests([], { schedulerConfig: CONFIG, cluster: dump(...items) });
    return cluster!.pods[0].shape;
  };

  test.each([
    ['ReplicaSet', object('apps/v1', 'ReplicaSet', 'api-5d9c', { spec: { selector: { matchLabels: { 'app': 'api', 'pod-template-hash': '5d9c' } } } })],
    ['Deployment above it', object('apps/v1', 'Deployment', 'api', { spec: { selector: { matchLabels: { app: 'api' } } } })],
  ])('is told by the %s', (_, maker) => {
    const [{ labelSelector }] = shapeIn(maker, waiting('api-5d9c-x', OWNED)).topologySpread!;
    expect(labelSelector!.matchExpressions).toEqual([
      { key: 'app', operator: 'In', values: ['api'] }, { key: 'pod-template-hash', operator: 'In', values: ['5d9c'] },
    ]);
  });

  test('is not evaluated where what made the pod is in no file', () => {
    expect(shapeIn(waiting('api-5d9c-x', OWNED)).notEvaluated)
      .toEqual(['the default spread among the pods of ReplicaSet default/api-5d9c, which is not in the input']);
  });
});

test('pods to come are of the revision of those that run', () => {
  const running = waiting('web-5d9c-x', { on: 'n1', owner: ['ReplicaSet', 'web-5d9c'], labels: { 'app': 'web', 'tier': 'front', 'pod-template-hash': '5d9c' } });
  const { workloads } = readManifests([{ path: 'input.yaml', text: workload('Deployment') }], { cluster: dump(running) });
  expect(workloads[0].shape!.labels).toMatchObject({ 'pod-template-hash': '5d9c' });
});
