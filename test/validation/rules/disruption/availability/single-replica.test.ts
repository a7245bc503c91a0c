import { CheckOptions, simulateScenario } from '../../../../../src/validation';
import { singleReplica } from '../../../../../src/validation/rules/disruption/availability/single-replica';
import {
  annotated,
  autoscaler,
  daemonSet,
  deployment,
  job,
  judge,
  manifest,
  nodeClass,
  nodePool,
  oneOf,
  types,
  workload,
} from '../../judge';
import { clusterWithOversizedNode } from '../oversized-node';

const rule = singleReplica;
const ON_DEMAND = [oneOf('karpenter.sh/capacity-type', 'on-demand')];
const optedOut = (reason: string) =>
  JSON.stringify({
    ...JSON.parse(deployment('web')),
    metadata: { name: 'web', annotations: { 'resilience.karpenter-constructs.dev/replicas': reason } },
  });

describe('KARP-401 single-replica', () => {
  test.each([
    ['a controller', 'mail-controller', [], 'info'],
    ['a controller with a leader', 'mail', [{ name: 'main', image: 'mail', args: ['--leader-elect'] }], 'info'],
    ['a bridge to a chat', 'alertmanager-discord', [], 'info'],
    ['an exporter', 'mail', [{ name: 'main', image: 'quay.io/x/blackbox-exporter:1' }], 'info'],
    ['a page for operators', 'pgadmin', [], 'info'],
    ['any other pod', 'mail', [], undefined],
  ])('of %s that no Service selects, it is %s', (_, name, containers, severity) => {
    const spot = nodePool('default', { requirements: [oneOf('karpenter.sh/capacity-type', 'spot')] });
    const pod = containers.length === 0 ? {} : { containers };
    expect(judge(rule, [nodeClass(), spot, deployment(name, pod)]).findings[0].severity).toBe(severity);
  });

  test.each([
    ['http', undefined],
    ['metrics', 'info'],
  ])('of a controller with a Service for %s, it is %s', (port, severity) => {
    const spot = nodePool('default', { requirements: [oneOf('karpenter.sh/capacity-type', 'spot')] });
    const selector = { app: 'mail-controller' };
    const service = manifest('v1', 'Service', 'mail', { selector, ports: [{ name: port, port: 80 }] });
    const { findings } = judge(rule, [nodeClass(), spot, deployment('mail-controller'), service]);
    expect(findings[0].severity).toBe(severity);
  });

  test.each(['Deployment', 'StatefulSet', 'ReplicaSet'])('reports a %s of one pod, explicit or by default', (kind) => {
    expect(judge(rule, [workload(kind, 'web', {})]).states).toEqual([`fail ${kind}/web`]);
    expect(judge(rule, [workload(kind, 'web', {}, { replicas: 1 })]).states).toEqual([`fail ${kind}/web`]);
  });

  test.each([
    ['jenkins/jenkins:lts', []],
    ['docker.io/library/sonarqube:10', []],
    ['shop/worker:1', ['celery', '-A', 'shop', 'beat']],
  ])('advises no second pod of a program that runs alone: %s %j', (image, command) => {
    const [finding] = judge(rule, [deployment('ci', { containers: [{ name: 'main', image, command }] })]).findings;
    expect(finding.remedy).toMatch(/annotate the workload .*, because only one pod of the program may run$/);
  });

  test.each<[string, string, string[], object, RegExp, RegExp]>([
    [
      'whose claim attaches to one node',
      'Deployment',
      ['ReadWriteOnce'],
      {},
      /at least 20 s, .* after its volume has moved/,
      /^annotate .* because the volume of its ReadWriteOnce claim data attaches to one node only; write strategy\.type: Recreate,/,
    ],
    [
      'whose claim attaches to one node',
      'StatefulSet',
      ['ReadWriteOncePod'],
      {},
      /at least/,
      /claim data attaches to one node only$/,
    ],
    [
      'that is recreated',
      'Deployment',
      ['ReadWriteMany'],
      { strategy: { type: 'Recreate' } },
      /outage of 20 s/,
      /^annotate .* because its strategy Recreate says/,
    ],
    [
      'whose claim attaches to several nodes',
      'Deployment',
      ['ReadWriteMany'],
      {},
      /outage of 20 s/,
      /^run at least 2 replicas/,
    ],
  ])('advises what a pod %s allows: %s %j', (_, kind, accessModes, spec, message, remedy) => {
    const claim = manifest('v1', 'PersistentVolumeClaim', 'data', { accessModes });
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    const [finding] = judge(rule, [claim, workload(kind, 'web', { volumes }, spec)]).findings;
    expect(finding.message).toMatch(message);
    expect(finding.remedy).toMatch(remedy);
  });

  test('does not apply to pods that test something', () => {
    expect(judge(rule, [deployment('smoke-test', {}, { replicas: 1 })]).outcomes).toEqual([]);
  });

  test('reports an autoscaler with a minimum of one pod', () => {
    const [finding] = judge(rule, [deployment('web', {}, { replicas: 5 }), autoscaler()]).findings;
    expect(finding.message).toContain('runs 1 pod (minReplicas of HorizontalPodAutoscaler web)');
  });

  test('says how long the outage is, and how often nodes expire', () => {
    const slow = {
      containers: [
        {
          name: 'main',
          image: 'app',
          resources: { requests: { cpu: '100m', memory: '128Mi' } },
          readinessProbe: { initialDelaySeconds: 45, tcpSocket: { port: 80 } },
        },
      ],
    };
    const documents = [nodeClass(), nodePool('default')];
    expect(judge(rule, [...documents, deployment('web', slow)]).findings[0].message).toMatch(
      /is an outage of 45 s, if the pod starts within 45 s; NodePool default consolidates .+ and expires nodes after 30 days \(1 time in 30 days\)/,
    );
    expect(judge(rule, [...documents, workload('StatefulSet', 'web', {})]).findings[0].evidence).toMatchObject({
      outageSeconds: 30,
    });
  });

  test('is a note on demand, and a warning if the pod may run on spot', () => {
    const judged = (capacityType: string) =>
      judge(rule, [
        nodeClass(),
        nodePool('default', { requirements: [oneOf('karpenter.sh/capacity-type', capacityType)] }),
        deployment('web'),
      ]).findings[0];
    expect(judged('on-demand')).toMatchObject({ severity: 'info', evidence: { spotNodes: 0 } });
    expect(judged('spot')).toMatchObject({ severity: undefined, evidence: { spotNodes: 1 } });
    expect(judged('spot').message).toMatch(
      /; the node planned for its pods may be spot, which EC2 may interrupt at any time with two minutes' notice$/,
    );
    expect(judged('spot').remedy).toContain(
      'let NodePool default launch on-demand nodes too, and require karpenter.sh/capacity-type In [on-demand, reserved]',
    );
  });

  describe('for a database or a broker', () => {
    const running = (image: string, pod: object = {}) =>
      judge(rule, [deployment('store', { containers: [{ name: 'main', image }], ...pod })]).findings[0];

    test('does not take a client that sleeps for the database of its image', () => {
      const client = { name: 'main', image: 'redis:7', command: ['sleep', '86400'] };
      expect(judge(rule, [deployment('store', { containers: [client] })]).states).toEqual([]);
    });

    test.each([
      'redpandadata/redpanda:v24.1.1',
      'postgres:16',
      'docker.io/bitnami/redis@sha256:00',
      'confluentinc/cp-kafka',
    ])('advises no second replica of %s, and says that its data is lost', (image) => {
      const { message, remedy } = running(image);
      expect(message).toMatch(/; it has no persistent volume, so \w+ then loses what it stored/);
      expect(remedy).toMatch(/^run \w+ as a cluster or as a managed service/);
      expect(remedy).toContain('keep its data in a PersistentVolumeClaim');
      expect(remedy).not.toContain('run at least 2 replicas');
    });

    test('does not say that data is lost if a claim keeps it', () => {
      const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
      const { message, remedy } = running('mysql:8', { volumes });
      expect(message).not.toContain('loses');
      expect(remedy).not.toContain('keep its data');
    });

    test.each(['redis-commander', 'prometheuscommunity/postgres-exporter:v1', 'kafka-ui'])(
      'advises replicas of %s',
      (image) => {
        expect(running(image).remedy).toMatch(/^run at least 2 replicas/);
      },
    );
  });

  test.each([
    ['24h', 30, '30 times'],
    ['336h', 2.14, '2.14 times'],
    ['2400h', 0.3, '0.3 times'],
    ['900000h', 0, 'less than 0.01 times'],
  ])('counts the expiries of a month for expireAfter %s', (expireAfter, expiries, text) => {
    const [finding] = judge(rule, [nodeClass(), nodePool('default', { expireAfter }), deployment('web')]).findings;
    expect(finding.evidence).toMatchObject({ expiriesPerMonth: [{ nodePool: 'default', expiries }] });
    expect(finding.message).toContain(`(${text} in 30 days)`);
  });

  describe('with a simulation of consolidation', () => {
    const web = deployment('web', {}, { requests: { cpu: '1', memory: '1Gi' } });
    const documents = [
      nodeClass(),
      nodePool('default', {
        requirements: [types('m5.large', 'm5.4xlarge'), oneOf('karpenter.sh/capacity-type', 'on-demand')],
      }),
      web,
    ];
    const cluster = clusterWithOversizedNode();
    const simulatedEvictions = (options: CheckOptions) =>
      simulateScenario(
        [{ path: 'test.yaml', text: documents.join('\n---\n') }],
        'consolidation',
        options,
      ).reports[0].workloads.find(({ workload: key }) => key === 'Deployment default/web')!.evictions;

    test('has the evictions of the scenario', () => {
      expect(simulatedEvictions({ cluster })).toBe(1);
      const [finding] = judge(rule, documents, { cluster }).findings;
      expect(finding.evidence).toMatchObject({ consolidationEvictions: 1 });
      expect(finding.message).toContain('(simulated: it evicts the pod 1 time)');
      expect(finding.severity).toBeUndefined();
    });

    test('says that the scenario evicts no pod', () => {
      expect(simulatedEvictions({})).toBe(0);
      expect(judge(rule, documents).findings[0].message).toContain('(simulated: the pod stays)');
    });

    test.each<[string, string[]]>([
      ['there are too many pods to simulate', [deployment('crowd', {}, { replicas: 1000 })]],
      [
        'some pod cannot be evaluated',
        [deployment('claims', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] })],
      ],
      [
        'some NodePool is known only at deployment',
        [nodePool('other', { disruption: { consolidateAfter: '${After}' } })],
      ],
      ['another workload is invalid', [deployment('broken', {}, { replicas: 2, requests: { cpu: 'much' } })]],
    ])('does not mention a simulation if %s', (_, others) => {
      const [finding] = judge(rule, [...documents, ...others]).findings;
      expect(finding.evidence).toMatchObject({ consolidationEvictions: null });
      expect(finding.message).not.toContain('simulated');
    });

    test('does not mention evictions if more than one pod runs now', () => {
      const [finding] = judge(rule, [...documents.slice(0, 2), deployment('web', {}, { replicas: 5 }), autoscaler()], {
        cluster,
      }).findings;
      expect(finding.evidence).toMatchObject({ replicas: 1, consolidationEvictions: null });
    });
  });

  test('does not mention a NodePool that never disrupts its nodes', () => {
    const still = nodePool('default', {
      requirements: ON_DEMAND,
      expireAfter: 'Never',
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' },
    });
    expect(judge(rule, [nodeClass(), still, deployment('web')]).findings[0].message).toMatch(
      /is an outage of 20 s, if the pod starts within 20 s$/,
    );
  });

  test('does not mention evictions that are blocked', () => {
    const blocked = annotated(deployment('web'), { 'karpenter.sh/do-not-disrupt': 'true' });
    const [finding] = judge(rule, [nodeClass(), nodePool('default', { requirements: ON_DEMAND }), blocked]).findings;
    expect(finding.message).toBe(
      'runs 1 pod: karpenter.sh/do-not-disrupt keeps Karpenter from evicting it, but an interruption or a lost node ' +
        'is an outage of 20 s, if the pod starts within 20 s',
    );
    expect(finding.evidence).toMatchObject({
      expiriesPerMonth: [{ nodePool: 'default', expiries: 0 }],
      consolidationEvictions: null,
    });
    const ends = nodePool('default', { terminationGracePeriod: '1h' });
    expect(judge(rule, [nodeClass(), ends, blocked]).findings[0].message).toContain(
      'each consolidation, drift and expiry of its node is an outage',
    );
  });

  test('passes 0 pods, several pods, and an autoscaler with a minimum of several', () => {
    for (const replicas of [0, 2, 9])
      expect(judge(rule, [deployment('web', {}, { replicas })]).states).toEqual(['pass Deployment/web']);
    expect(judge(rule, [deployment('web'), autoscaler({ minReplicas: 2 })]).states).toEqual(['pass Deployment/web']);
  });

  test('passes an opt-out annotation only with a reason', () => {
    expect(judge(rule, [optedOut('off: a gap is fine')]).states).toEqual(['pass Deployment/web']);
    expect(judge(rule, [optedOut('off: ')]).states).toEqual(['fail Deployment/web']);
  });

  test('is not evaluated if KEDA sets the replicas', () => {
    const keda = manifest('keda.sh/v1alpha1', 'ScaledObject', 'web', { scaleTargetRef: { name: 'web' } });
    expect(judge(rule, [deployment('web'), keda]).whys).toEqual([
      'ScaledObject web sets the replicas of Deployment web',
    ]);
  });

  test('is not evaluated if the number is invalid', () => {
    expect(judge(rule, [deployment('web', {}, { replicas: -1 })]).whys).toEqual([
      'its replicas are not a valid number',
    ]);
  });

  test.each([[null], ['pods'], [[]]])(
    'does not apply to a workload whose spec is %j, which the API server rejects',
    (spec) => {
      const document = JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec });
      expect(judge(rule, [document]).outcomes).toEqual([]);
    },
  );

  test('does not apply to Jobs, daemonsets, and pods on managed node groups', () => {
    expect(
      judge(rule, [
        job('web'),
        daemonSet('web', {}),
        deployment('web', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'a' } }),
      ]).outcomes,
    ).toEqual([]);
  });
});
