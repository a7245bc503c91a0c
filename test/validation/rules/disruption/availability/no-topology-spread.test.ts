import { noTopologySpread } from '../../../../../src/validation/rules/disruption/availability/no-topology-spread';
import { deployment, judge, manifest, nodeClass, nodePool, pdb, types } from '../../judge';

const rule = noTopologySpread;
/** The workload opts out of a PodDisruptionBudget, so that KARP-402 does not report it. */
const withoutPdb = (text: string) =>
  JSON.stringify({
    ...JSON.parse(text),
    metadata: {
      name: 'web',
      annotations: { 'resilience.karpenter-constructs.dev/pod-disruption-budget': 'off: stateless' },
    },
  });
const judged = (pod: object, ...documents: string[]) =>
  judge(rule, [
    nodeClass(),
    nodePool('default', { requirements: [types('m5.large')] }),
    withoutPdb(deployment('web', pod, { replicas: 6 })),
    ...documents,
  ]);
const selector = { labelSelector: { matchLabels: { app: 'web' } } };

describe('KARP-414 no-topology-spread', () => {
  test('reports pods that are all on one node', () => {
    const { states, findings } = judged({});
    expect(states).toEqual(['fail Deployment/web']);
    expect(findings[0].message).toContain('the plan puts 6 of 6 pods on one node (m5.large)');
    expect(findings[0].evidence).toEqual({ podsOnFullestNode: 6, pods: 6 });
    const constraint = { whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: { app: 'web' } } };
    expect(findings[0].fix?.edits).toMatchObject([{ operation: 'set', value: [constraint, constraint] }]);
  });

  test('reports more pods on a node than a budget allows to evict', () => {
    const containers = [{ name: 'main', image: 'app', resources: { requests: { cpu: '900m', memory: '128Mi' } } }];
    expect(judged({ containers }).states).toEqual(['pass Deployment/web']);
    expect(judged({ containers }, pdb({ maxUnavailable: 1 })).states).toEqual(['fail Deployment/web']);
    expect(judged({ containers }, pdb({ maxUnavailable: '50%' })).states).toEqual(['pass Deployment/web']);
  });

  test('does not report pods that share a node with some random names only', () => {
    const of = (name: string, replicas: number, cpu: string) =>
      deployment(name, {}, { replicas, requests: { cpu, memory: '256Mi' } });
    const states = judge(
      rule,
      [
        nodeClass(),
        nodePool('default', { requirements: [types('m5.large')] }),
        ...[of('web', 2, '300m'), of('side', 2, '300m'), of('api', 6, '800m')],
        ...['web', 'side', 'api'].map((app) =>
          pdb({ maxUnavailable: 1, selector: { matchLabels: { app } } }, `${app}-pdb`),
        ),
      ],
      { settle: {} },
    ).states;
    expect(states).toEqual(['pass Deployment/web', 'pass Deployment/side', 'fail Deployment/api']);
  });

  test('adds up the pods of all workloads that a budget selects', () => {
    const containers = [{ name: 'main', image: 'app', resources: { requests: { cpu: '900m', memory: '128Mi' } } }];
    const other = deployment(
      'api',
      {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule', ...selector },
        ],
      },
      { replicas: 4 },
    );
    expect(
      judged({ containers }, other.replace(/"app": "api"/g, '"app": "web"'), pdb({ minAvailable: 5 })).states,
    ).toEqual(['pass Deployment/web', 'pass Deployment/api']);
  });

  test.each([
    [
      'a spread over nodes',
      {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule', ...selector },
        ],
      },
    ],
    [
      'a preferred spread over zones',
      {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway', ...selector },
        ],
      },
    ],
    [
      'anti-affinity',
      {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', ...selector }],
          },
        },
      },
    ],
  ])('passes with %s', (_, pod) => {
    expect(judged(pod).states).toEqual(['pass Deployment/web']);
  });

  test('reports constraints that select only other pods', () => {
    const [term] = [{ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'database' } } }];
    expect(
      judged({ topologySpreadConstraints: [{ maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', ...term }] }).states,
    ).toEqual(['fail Deployment/web']);
    expect(
      judged({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }).states,
    ).toEqual(['fail Deployment/web']);
  });

  test('leaves pods without a PodDisruptionBudget to KARP-402', () => {
    expect(judge(rule, [nodeClass(), nodePool('default'), deployment('web', {}, { replicas: 6 })]).outcomes).toEqual(
      [],
    );
  });

  test('is not evaluated if the plan has no node, or the number of pods is unknown', () => {
    expect(judge(rule, [deployment('web', {}, { replicas: 6 }), pdb({ maxUnavailable: 1 })]).whys).toEqual([
      'the plan has no node for its pods',
    ]);
    const keda = manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', { scaleTargetRef: { name: 'web' } });
    expect(judged({}, keda).states).toEqual(['not-evaluated Deployment/web']);
  });

  test('does not apply to a single pod', () => {
    expect(judge(rule, [deployment('web')]).outcomes).toEqual([]);
  });
});
