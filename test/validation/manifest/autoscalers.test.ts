import { onlyWorkload, read } from './manifests';
import { check } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const autoscaler = (spec: string, target = '{ kind: Deployment, name: web }', namespace = 'default') =>
  `apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: web, namespace: ${namespace} }\nspec: { scaleTargetRef: ${target}, ${spec} }\n`;
const replicas = (manifestReplicas: number, ...documents: string[]) =>
  onlyWorkload([deployment('web', manifestReplicas, SMALL), ...documents].join('---\n')).replicas;

describe('Autoscalers', () => {
  test.each<[number, string, number]>([
    [1, 'minReplicas: 3, maxReplicas: 9', 3],
    [5, 'minReplicas: 3, maxReplicas: 9', 5],
    [12, 'minReplicas: 3, maxReplicas: 9', 9],
    [2, 'maxReplicas: 9', 2],
    [0, 'minReplicas: 3, maxReplicas: 9', 0],
  ])('scales %i replicas with {%s} to %i', (manifestReplicas, spec, expected) => {
    expect(replicas(manifestReplicas, autoscaler(spec))).toBe(expected);
  });

  test.each([
    ['of another workload', autoscaler('minReplicas: 3, maxReplicas: 9', '{ kind: StatefulSet, name: web }')],
    ['of another namespace', autoscaler('minReplicas: 3, maxReplicas: 9', undefined, 'elsewhere')],
    ['without maxReplicas', autoscaler('minReplicas: 3')],
    [
      'with a mapping as name',
      autoscaler('minReplicas: 3, maxReplicas: 9', '{ kind: { of: Deployment }, name: { of: web } }'),
    ],
    [
      'of KEDA with a mapping as name',
      'apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: { name: web }\nspec: { scaleTargetRef: { kind: [{}], name: { of: web } } }\n',
    ],
    ['with maxReplicas below minReplicas', autoscaler('minReplicas: 3, maxReplicas: 2')],
  ])('ignores an autoscaler %s', (_, document) => {
    expect(replicas(1, document)).toBe(1);
  });

  test.each([
    [
      'minReplicas: 15, maxReplicas: 12',
      'spec.maxReplicas: must be at least minReplicas (15), got 12; write 15 or more, or lower minReplicas',
    ],
    [
      'minReplicas: 3',
      'spec.maxReplicas: must be set, because the API server has no default; write the most replicas that the workload may have',
    ],
    ['maxReplicas: 0', 'spec.maxReplicas: must be at least 1, got 0; write 1 or more'],
  ])('rejects {%s} as the API server does', (spec, problem) => {
    const { problems } = read([deployment('web', 1, SMALL), autoscaler(spec)].join('---\n'));
    expect(problems.map(({ rule, severity, message, remedy }) => `${severity} ${rule} ${message}; ${remedy}`)).toEqual([
      `error KARP-100 ${problem}`,
    ]);
  });

  test('rejects no limits that are valid, or known only at deployment', () => {
    for (const spec of ['minReplicas: 3, maxReplicas: 3', 'maxReplicas: "${Token[TOKEN.5]}"', 'maxReplicas: 9'])
      expect(read([deployment('web', 1, SMALL), autoscaler(spec)].join('---\n')).problems).toEqual([]);
  });

  test('states in an assumption how far the autoscaler may scale', () => {
    const verdict = check(
      manifests(
        nodePool(['m5.large']),
        NODE_CLASS,
        deployment('web', 1, SMALL),
        autoscaler('minReplicas: 3, maxReplicas: 9'),
      ),
    );
    expect(verdict.summary.pods).toBe(3);
    expect(verdict.assumptions).toContain(
      'Deployment default/web has 3 pods; HorizontalPodAutoscaler default/web may scale it to 9',
    );
  });
});

describe('check reports', () => {
  const problems = (document: string) =>
    check(manifests(NODE_CLASS, nodePool(['m5.large']), deployment('web', 3, SMALL), document))
      .findings.filter(({ rule, severity }) => rule === 'KARP-100' && severity === 'error')
      .map(({ location, remedy }) => `${location.path} → ${remedy}`);
  const scaled = (spec: string) =>
    `apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: { name: web }\nspec: { scaleTargetRef: { name: web }, ${spec} }\n`;

  test('replica counts of a ScaledObject that KEDA refuses', () => {
    expect(problems(scaled('minReplicaCount: 20, maxReplicaCount: 2'))).toEqual([
      'spec.maxReplicaCount → write maxReplicaCount: 20 or more, or lower minReplicaCount',
    ]);
    expect(problems(scaled('minReplicaCount: 200'))).toEqual([
      'spec.minReplicaCount → write maxReplicaCount: 200 or more, or lower minReplicaCount',
    ]);
    expect(problems(scaled('minReplicaCount: 2, idleReplicaCount: 2, maxReplicaCount: 5'))).toEqual([
      'spec.idleReplicaCount → write idleReplicaCount: 0, and minReplicaCount: 1 or more',
    ]);
    expect(problems(scaled('minReplicaCount: 2, idleReplicaCount: 0, maxReplicaCount: 2'))).toEqual([]);
  });

  test('replica counts of a ScaledJob that KEDA refuses', () => {
    const job = scaled('minReplicaCount: 50, maxReplicaCount: 40').replace('ScaledObject', 'ScaledJob');
    expect(problems(job)).toEqual([
      'spec.maxReplicaCount → write maxReplicaCount: 50 or more, or lower minReplicaCount',
    ]);
  });

  test('a utilization that is no whole number of percent, and a version that is no longer served', () => {
    const metric = (target: string) =>
      `maxReplicas: 9, metrics: [{ type: Resource, resource: { name: cpu, target: ${target} } }]`;
    expect(problems(autoscaler(metric('{ type: Utilization, averageUtilization: 0.7 }')))).toEqual([
      'spec.metrics[0].resource.target.averageUtilization → write 70',
    ]);
    const old = autoscaler(metric('{ type: Utilization, averageUtilization: 70 }')).replace('/v2', '/v2beta2');
    expect(problems(old)).toEqual(['apiVersion → write apiVersion: autoscaling/v2']);
  });
});
