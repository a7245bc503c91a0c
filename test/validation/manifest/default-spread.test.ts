import { CONTAINER, pod } from './manifests';
import { SchedulerConfig } from '../../../src/contract';
import { CheckOptions, readManifests } from '../../../src/validation';
import { dump, object, pod as clusterPod } from '../cluster/dump';

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
const OF_CONTROLLER = [
  { key: 'app', operator: 'In', values: ['web'] },
  { key: 'tier', operator: 'Exists', values: [] },
];

function spreadOf(documents: readonly string[], options: CheckOptions = { schedulerConfig: CONFIG }) {
  const { workloads } = readManifests([{ path: 'input.yaml', text: documents.join('---\n') }], options);
  return workloads[0].shape!.topologySpread;
}

describe('DefaultSpread', () => {
  test('is empty without default constraints in the scheduler configuration', () => {
    expect(spreadOf([workload('StatefulSet')], {})).toEqual([]);
    expect(spreadOf([workload('StatefulSet')], { schedulerConfig: { defaultConstraints: [] } })).toEqual([]);
  });

  test('does not apply to pods with spread constraints', () => {
    const own = `${LABELLED}  topologySpreadConstraints: [{ maxSkew: 5, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway }]\n`;
    expect(spreadOf([own, service('s', '{ selector: { app: web } }')])).toMatchObject([{ maxSkew: 5 }]);
  });

  test.each(['StatefulSet', 'ReplicaSet'])('selects the pods of the %s', (kind) => {
    expect(spreadOf([workload(kind)])).toEqual([
      { ...CONSTRAINT, labelSelector: { matchLabels: {}, matchExpressions: OF_CONTROLLER } },
    ]);
  });

  test('selects the pods of one template hash of a Deployment', () => {
    const [{ labelSelector }] = spreadOf([workload('Deployment')])!;
    expect(labelSelector!.matchExpressions).toContainEqual({
      key: 'pod-template-hash',
      operator: 'In',
      values: ['web'],
    });
  });

  test('combines the selectors of all Services that select the pod, with later names overriding earlier ones', () => {
    const services = [
      service('b', '{ selector: { tier: front } }'),
      service('a', '{ selector: { app: web } }'),
      service('c', '{ selector: { app: other } }'),
      service('d', '{ selector: { app: web } }', 'elsewhere'),
      service('e', '{ clusterIP: None }'),
    ];
    expect(spreadOf([LABELLED, ...services])).toEqual([
      { ...CONSTRAINT, labelSelector: { matchLabels: { app: 'web', tier: 'front' }, matchExpressions: [] } },
    ]);
  });

  test('is empty if neither a Service nor a controller selects the pod', () => {
    expect(spreadOf([LABELLED, service('all', '{ selector: {} }')])).toEqual([]);
  });
});

describe('DefaultSpread of cluster pods', () => {
  const OWNED = { owner: ['ReplicaSet', 'api-5d9c'] as const, labels: { app: 'api', 'pod-template-hash': '5d9c' } };
  const shapeIn = (...items: Parameters<typeof dump>) => {
    const { cluster } = readManifests([], { schedulerConfig: CONFIG, cluster: dump(...items) });
    return cluster!.pods[0].shape;
  };

  test.each([
    [
      'ReplicaSet',
      object('apps/v1', 'ReplicaSet', 'api-5d9c', {
        spec: { selector: { matchLabels: { app: 'api', 'pod-template-hash': '5d9c' } } },
      }),
    ],
    [
      'Deployment of its ReplicaSet',
      object('apps/v1', 'Deployment', 'api', { spec: { selector: { matchLabels: { app: 'api' } } } }),
    ],
  ])('uses the selector of the %s', (_, controller) => {
    const [{ labelSelector }] = shapeIn(controller, clusterPod('api-5d9c-x', OWNED)).topologySpread!;
    expect(labelSelector!.matchExpressions).toEqual([
      { key: 'app', operator: 'In', values: ['api'] },
      { key: 'pod-template-hash', operator: 'In', values: ['5d9c'] },
    ]);
  });

  test('is not evaluated if the controller of the pod is not in the input', () => {
    expect(shapeIn(clusterPod('api-5d9c-x', OWNED)).notEvaluated).toEqual([
      'the default spread among the pods of ReplicaSet default/api-5d9c, which is not in the input',
    ]);
  });
});

test('new pods have the template hash of the running pods', () => {
  const running = clusterPod('web-5d9c-x', {
    on: 'n1',
    owner: ['ReplicaSet', 'web-5d9c'],
    labels: { app: 'web', tier: 'front', 'pod-template-hash': '5d9c' },
  });
  const { workloads } = readManifests([{ path: 'input.yaml', text: workload('Deployment') }], {
    cluster: dump(running),
  });
  expect(workloads[0].shape!.labels).toMatchObject({ 'pod-template-hash': '5d9c' });
});
