import { ApiObject, Chart, Duration, Testing } from 'cdk8s';
import { kindsOf, newChart, notesOf, podOf, resilient, workload, written } from './fixtures';
import * as workloads from '../../src/workloads';

const { Resilience, Safeguard } = workloads;
const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';
const SERVING = ['Deployment', 'StatefulSet', 'ReplicaSet'];
const ALL = [...SERVING, 'DaemonSet', 'Job', 'CronJob'];
const spread = (manifest: any, key: string) =>
  podOf(manifest).topologySpreadConstraints?.find(({ topologyKey }: any) => topologyKey === key);
const container = (manifest: any) => podOf(manifest).containers[0];

describe('replicas', () => {
  test.each(SERVING)('a %s without replicas gets two', (kind) => {
    expect(resilient(workload(kind)).spec.replicas).toBe(2);
  });

  test('keeps a written value, and adds a note if it is lower', () => {
    const one = resilient(workload('Deployment', { spec: { replicas: 1 } }));
    expect(one.spec.replicas).toBe(1);
    expect(notesOf(one)).toEqual({ replicas: 'as written: 1' });
    expect(resilient(workload('Deployment', { spec: { replicas: 5 } })).spec.replicas).toBe(5);
  });

  test('keeps 0 replicas', () => {
    const off = resilient(workload('Deployment', { spec: { replicas: 0 } }));
    expect([off.spec.replicas, notesOf(off)]).toEqual([0, {}]);
  });

  test('are removed from an autoscaled workload, and its autoscaler keeps two', () => {
    const chart = newChart();
    new ApiObject(chart, 'web', workload('Deployment'));
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const scaler: any = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: { scaleTargetRef, maxReplicas: 9 },
    };
    new ApiObject(chart, 'scaler', scaler);
    chart.with(new Resilience({ minReplicas: 6 }));
    expect(written(chart, 'Deployment').spec).not.toHaveProperty('replicas');
    expect(written(chart, 'HorizontalPodAutoscaler').spec.minReplicas).toBe(6);
    expect(spread(written(chart, 'Deployment'), HOSTNAME).maxSkew).toBe(2);
  });

  test.each([
    [1, undefined, 1, 'at most 1'],
    [3, 2, 2, 'at most 3'],
    [9, undefined, 4, undefined],
  ])('of an autoscaler with maxReplicas %d and minReplicas %s are %d', (maxReplicas, minReplicas, kept, note) => {
    const scaler: any = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: { maxReplicas, minReplicas },
    };
    const manifest = resilient(scaler, { minReplicas: 4 });
    expect([manifest.spec.minReplicas, notesOf(manifest).replicas]).toEqual([kept, note && `as written: ${note}`]);
  });

  test.each([
    [undefined, ['ReadWriteOnce'], 1, 0, 'as written: 1, by claim data, which is on one node'],
    [2, ['ReadWriteOncePod'], 2, 0, undefined],
    [undefined, ['ReadWriteOnce', 'ReadWriteMany'], 2, 2, undefined],
  ])(
    'of a workload with replicas %s that shares a claim of %j are not raised, and its pods not spread',
    (replicas, accessModes, pods, spreads, note) => {
      const chart = newChart();
      const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
      new ApiObject(chart, 'web', workload('Deployment', { spec: { replicas }, pod: { volumes } }));
      new ApiObject(chart, 'data', {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'data' },
        spec: { accessModes, resources: { requests: { storage: '1Gi' } } },
      });
      chart.with(new Resilience());
      const manifest = written(chart, 'Deployment');
      const constraints = podOf(manifest).topologySpreadConstraints ?? [];
      expect([manifest.spec.replicas, constraints.length, notesOf(manifest).replicas]).toEqual([pods, spreads, note]);
    },
  );

  describe('of an autoscaler', () => {
    const scaled = (web: object, ...others: any[]) => {
      const chart = newChart();
      const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
      new ApiObject(chart, 'scaler', {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'web' },
        spec: { scaleTargetRef, maxReplicas: 9 },
      } as any);
      [workload('Deployment', web), ...others].forEach(
        (manifest, index) => new ApiObject(chart, `it${index}`, manifest),
      );
      return chart;
    };
    const kept = (chart: Chart) => [
      written(chart, 'HorizontalPodAutoscaler').spec.minReplicas,
      notesOf(written(chart, 'HorizontalPodAutoscaler')).replicas,
    ];

    test('are not raised if the scaled workload waives the safeguard', () => {
      const annotated = scaled({
        metadata: { annotations: { 'resilience.karpenter-constructs.dev/replicas': 'off: one at night' } },
      });
      annotated.with(new Resilience());
      expect(kept(annotated)).toEqual([undefined, 'off: one at night']);
      const waived = scaled({});
      waived.with(new Resilience());
      waived.node
        .findChild('it0')
        .with(new Resilience({ waivers: [{ safeguard: Safeguard.REPLICAS, reason: 'one at night' }] }));
      expect(kept(waived)).toEqual([undefined, 'off: one at night']);
    });

    test('are not raised if the pods share a claim that only one node can mount', () => {
      const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
      const claim = {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      };
      const chart = scaled({ pod: { volumes } }, claim);
      chart.with(new Resilience());
      expect(kept(chart)).toEqual([undefined, 'as written: 1, by claim data, which is on one node']);
    });

    test('are raised if only a workload of another name has a waiver', () => {
      const chart = scaled({
        metadata: { name: 'api', annotations: { 'resilience.karpenter-constructs.dev/replicas': 'off: one at night' } },
      });
      chart.with(new Resilience());
      expect(kept(chart)).toEqual([2, undefined]);
    });
  });

  test('ignore the autoscaler of a workload with the same name in another namespace', () => {
    const chart = newChart();
    new ApiObject(chart, 'web', workload('Deployment'));
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const metadata = { name: 'web', namespace: 'other' };
    new ApiObject(chart, 'scaler', {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata,
      spec: { scaleTargetRef, maxReplicas: 9 },
    } as any);
    chart.with(new Resilience());
    expect(written(chart, 'Deployment').spec.replicas).toBe(2);
  });

  test('ignore an autoscaler in the chart of another cluster', () => {
    const app = Testing.app();
    const [staging, production] = ['staging', 'production'].map((stage) => new Chart(app, stage));
    new ApiObject(staging, 'web', workload('Deployment'));
    new ApiObject(production, 'web', workload('Deployment'));
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const scaler: any = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: { scaleTargetRef, maxReplicas: 9 },
    };
    new ApiObject(production, 'scaler', scaler);
    app.charts.forEach((chart) => chart.with(new Resilience()));
    expect([staging, production].map((chart) => written(chart, 'Deployment').spec.replicas)).toEqual([2, undefined]);
  });
});

describe('spread', () => {
  test('is added for zones and nodes, among the pods of one revision', () => {
    const labelSelector = { matchLabels: { app: 'web' } };
    expect(podOf(resilient(workload('Deployment'))).topologySpreadConstraints).toEqual(
      [ZONE, HOSTNAME].map((topologyKey) => ({
        labelSelector,
        matchLabelKeys: ['pod-template-hash'],
        maxSkew: 1,
        topologyKey,
        whenUnsatisfiable: 'DoNotSchedule',
      })),
    );
    expect(spread(resilient(workload('StatefulSet')), ZONE)).toEqual({
      labelSelector,
      maxSkew: 1,
      topologyKey: ZONE,
      whenUnsatisfiable: 'DoNotSchedule',
    });
  });

  test.each([
    [2, 1],
    [3, 1],
    [5, 1],
    [6, 2],
    [20, 6],
  ])('with %d replicas allows at most %d pods on a node', (replicas, maxSkew) => {
    expect(spread(resilient(workload('Deployment', { spec: { replicas } })), HOSTNAME).maxSkew).toBe(maxSkew);
  });

  test.each([
    [2, 1],
    [6, 2],
  ])('with an autoscaler whose minReplicas are %d allows at most %d pods on a node', (minReplicas, maxSkew) => {
    const chart = newChart();
    new ApiObject(chart, 'web', workload('Deployment'));
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const spec = { scaleTargetRef, minReplicas, maxReplicas: 9 };
    new ApiObject(chart, 'scaler', {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec,
    });
    chart.with(new Resilience({ minReplicas: 9 }));
    expect(spread(written(chart, 'Deployment'), HOSTNAME).maxSkew).toBe(maxSkew);
  });

  test('has minDomains of one less than zoneCount', () => {
    expect(spread(resilient(workload('Deployment'), { zoneCount: 3 }), ZONE).minDomains).toBe(2);
    expect(spread(resilient(workload('Deployment'), { zoneCount: 2 }), ZONE)).not.toHaveProperty('minDomains');
    expect(spread(resilient(workload('Deployment')), ZONE)).not.toHaveProperty('minDomains');
  });

  test.each([
    ['claim templates', workload('StatefulSet', { spec: { volumeClaimTemplates: [{ metadata: { name: 'data' } }] } })],
    [
      'a claim',
      workload('Deployment', { pod: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] } }),
    ],
    ['an ephemeral volume', workload('Deployment', { pod: { volumes: [{ name: 'data', ephemeral: {} }] } })],
  ])('asks for no number of zones of pods with %s', (_, manifest) => {
    expect(spread(resilient(manifest, { zoneCount: 3 }), ZONE)).not.toHaveProperty('minDomains');
  });

  test.each([
    ['podAntiAffinity', 1],
    ['podAffinity', 0],
  ])('of pods with %s to other pods has %d constraints', (affinity, spreads) => {
    const others = {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: HOSTNAME, labelSelector: { matchLabels: { app: 'db' } } },
      ],
    };
    const manifest = resilient(workload('Deployment', { pod: { affinity: { [affinity]: others } } }));
    expect(
      podOf(manifest).topologySpreadConstraints.filter(({ topologyKey }: any) => topologyKey === HOSTNAME),
    ).toHaveLength(spreads);
  });

  test('is not added to pods with their own spread, affinity or anti-affinity', () => {
    const own = { maxSkew: 5, topologyKey: ZONE, whenUnsatisfiable: 'ScheduleAnyway' };
    const apart = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: HOSTNAME, labelSelector: { matchLabels: { app: 'web' } } },
        ],
      },
    };
    const manifest = resilient(workload('Deployment', { pod: { topologySpreadConstraints: [own], affinity: apart } }));
    expect(podOf(manifest).topologySpreadConstraints).toEqual([own]);
  });
});

describe('termination', () => {
  test('has a grace period of 60 seconds and a preStop delay of 10 seconds', () => {
    const manifest = resilient(workload('Deployment'));
    expect(podOf(manifest).terminationGracePeriodSeconds).toBe(60);
    expect(container(manifest).lifecycle).toEqual({ preStop: { sleep: { seconds: 10 } } });
  });

  test.each([
    [31, 61],
    [80, 110],
  ])('with a preStopDelay of %d seconds has a grace period of %d seconds', (delay, grace) => {
    const manifest = resilient(workload('Deployment'), { preStopDelay: Duration.seconds(delay) });
    expect([
      podOf(manifest).terminationGracePeriodSeconds,
      container(manifest).lifecycle.preStop.sleep.seconds,
    ]).toEqual([grace, delay]);
  });

  test('limits the preStop delay to half of the grace period in the manifest', () => {
    const manifest = resilient(workload('Deployment', { pod: { terminationGracePeriodSeconds: 8 } }));
    expect([
      podOf(manifest).terminationGracePeriodSeconds,
      container(manifest).lifecycle.preStop.sleep.seconds,
    ]).toEqual([8, 4]);
  });

  test('has no preStop delay if the grace period is too short', () => {
    expect(
      container(resilient(workload('Deployment', { pod: { terminationGracePeriodSeconds: 1 } }))).lifecycle,
    ).toBeUndefined();
  });

  test('notes a grace period that is longer than the spot interruption notice', () => {
    const slow = workload('Deployment', { pod: { terminationGracePeriodSeconds: 600 } });
    expect(notesOf(resilient(slow))).toEqual({
      'termination-grace': 'as written: 600 seconds, of the 110 that a spot instance leaves',
    });
    expect(notesOf(resilient(slow, { capacity: workloads.CapacityPlacement.onDemandOnly() }))).toEqual({});
  });

  test.each([
    ['without a port', { ports: undefined }, undefined],
    ['with a port for UDP alone', { ports: [{ containerPort: 53, protocol: 'UDP' }] }, undefined],
    [
      'with a hook of its own',
      { lifecycle: { preStop: { exec: { command: ['stop'] } } } },
      { exec: { command: ['stop'] } },
    ],
  ])('of a container %s is not delayed', (_, fields, preStop) => {
    expect(container(resilient(workload('Deployment', { container: fields }))).lifecycle?.preStop).toEqual(preStop);
  });
});

describe('readiness', () => {
  const http = { httpGet: { path: '/healthz', port: 80 } };
  test.each([
    ['its port', {}, { tcpSocket: { port: 80 } }],
    ['what the liveness probe asks', { livenessProbe: { ...http, periodSeconds: 60 } }, http],
    [
      'what the startup probe asks',
      { startupProbe: { grpc: { port: 80 } }, livenessProbe: http },
      { grpc: { port: 80 } },
    ],
  ])('asks %s', (_, fields, handler) => {
    expect(container(resilient(workload('Deployment', { container: fields }))).readinessProbe).toEqual({
      ...handler,
      periodSeconds: 5,
      failureThreshold: 3,
      timeoutSeconds: 1,
    });
  });

  test('uses the timeout of the other probe', () => {
    const manifest = resilient(
      workload('Deployment', { container: { livenessProbe: { exec: { command: ['check'] }, timeoutSeconds: 10 } } }),
    );
    expect(container(manifest).readinessProbe).toEqual({
      exec: { command: ['check'] },
      periodSeconds: 5,
      failureThreshold: 3,
      timeoutSeconds: 10,
    });
  });

  test('keeps an existing readiness probe, and adds none without a port or another probe', () => {
    expect(
      container(resilient(workload('Deployment', { container: { readinessProbe: http } }))).readinessProbe,
    ).toEqual(http);
    expect(container(resilient(workload('Deployment', { container: { ports: undefined } })))).not.toHaveProperty(
      'readinessProbe',
    );
  });
});

describe('memory', () => {
  const resources = (given: object) =>
    container(resilient(workload('Deployment', { container: { resources: given } }))).resources;

  test('sets a missing limit to the request, and a missing request to the limit', () => {
    expect(resources({ requests: { cpu: '1', memory: '64Mi' } })).toEqual({
      requests: { cpu: '1', memory: '64Mi' },
      limits: { memory: '64Mi' },
    });
    expect(resources({ limits: { memory: '64Mi' } })).toEqual({
      requests: { memory: '64Mi' },
      limits: { memory: '64Mi' },
    });
  });

  test.each<[string, object, object, string | undefined]>([
    [
      'a limit alone',
      { limits: { memory: '1Gi' } },
      { limits: { memory: '1Gi' }, requests: { memory: '1Gi' } },
      undefined,
    ],
    [
      'both',
      { limits: { memory: '1Gi' }, requests: { memory: '256Mi' } },
      { limits: { memory: '1Gi' }, requests: { memory: '256Mi' } },
      'as written: pod: limit 1Gi, request 256Mi',
    ],
    [
      'a request alone',
      { requests: { memory: '1Gi' } },
      { requests: { memory: '1Gi' } },
      'as written: pod: no limit, request 1Gi',
    ],
  ])('of a pod that has a share of its own, %s, is not asked of its containers', (_, own, then, note) => {
    const manifest = resilient(
      workload('Deployment', { pod: { resources: own }, container: { resources: { limits: { memory: '1Gi' } } } }),
    );
    expect([podOf(manifest).resources, container(manifest).resources, notesOf(manifest)['memory-limit']]).toEqual([
      then,
      { limits: { memory: '1Gi' } },
      note,
    ]);
  });

  test('adds a note if the limit differs', () => {
    const apart = { requests: { memory: '64Mi' }, limits: { memory: '1Gi' } };
    const manifest = resilient(workload('CronJob', { container: { resources: apart } }));
    expect(container(manifest).resources).toEqual(apart);
    expect(notesOf(manifest)).toEqual({ 'memory-limit': 'as written: main: limit 1Gi, request 64Mi' });
  });

  test('adds no note if limit and request are the same amount, and no limit without either', () => {
    expect(
      notesOf(
        resilient(
          workload('Deployment', {
            container: { resources: { requests: { memory: '1Gi' }, limits: { memory: '1024Mi' } } },
          }),
        ),
      ),
    ).toEqual({});
    expect(resources({ requests: { cpu: '1' } })).toEqual({ requests: { cpu: '1' } });
  });
});

describe('security', () => {
  test.each(ALL)('a %s gets the seccomp profile of the runtime, and allowPrivilegeEscalation false', (kind) => {
    const manifest = resilient(workload(kind, { pod: { initContainers: [{ name: 'init' }] } }));
    expect(podOf(manifest).securityContext).toEqual({ seccompProfile: { type: 'RuntimeDefault' } });
    const contexts = [container(manifest), podOf(manifest).initContainers[0]].map(
      ({ securityContext }) => securityContext,
    );
    expect(contexts).toEqual([{ allowPrivilegeEscalation: false }, { allowPrivilegeEscalation: false }]);
  });

  test.each([{ privileged: true }, { capabilities: { add: ['SYS_ADMIN'] } }])(
    'does not change a container with %j',
    (securityContext) => {
      expect(container(resilient(workload('DaemonSet', { container: { securityContext } }))).securityContext).toEqual(
        securityContext,
      );
    },
  );

  test.each([
    ['unconfined', undefined],
    ['runtime/default', { seccompProfile: { type: 'RuntimeDefault' } }],
    ['docker/default', { seccompProfile: { type: 'RuntimeDefault' } }],
  ])('of a pod whose old annotation says %s is no other', (profile, securityContext) => {
    const annotations = { 'seccomp.security.alpha.kubernetes.io/pod': profile };
    expect(
      podOf(resilient(workload('Deployment', { template: { labels: { app: 'web' }, annotations } }))).securityContext,
    ).toEqual(securityContext);
  });

  test('adds no Linux fields to Windows pods', () => {
    expect(
      podOf(resilient(workload('Deployment', { pod: { nodeSelector: { 'kubernetes.io/os': 'windows' } } }))),
    ).not.toHaveProperty('securityContext');
  });
});

describe('batch work', () => {
  const protection = ({ kind, spec }: any) =>
    (kind === 'CronJob' ? spec.jobTemplate.spec : spec).template.metadata.annotations?.['karpenter.sh/do-not-disrupt'];

  test.each(['Job', 'CronJob'])('a %s is not disrupted until its deadline, or ever without a deadline', (kind) => {
    expect(protection(resilient(workload(kind)))).toBe('true');
    expect(protection(resilient(workload(kind, { spec: { activeDeadlineSeconds: 5400 } })))).toBe('1h30m');
    expect(
      protection(
        resilient(workload(kind, { spec: { activeDeadlineSeconds: 5400 }, pod: { activeDeadlineSeconds: 60 } })),
      ),
    ).toBe('1m');
  });

  test('keeps its own annotation', () => {
    expect(
      protection(resilient(workload('Job', { template: { annotations: { 'karpenter.sh/do-not-disrupt': 'false' } } }))),
    ).toBe('false');
  });

  test('gets no replicas, spread or preStop delay', () => {
    const manifest = resilient(workload('Job'));
    expect(Object.keys(manifest.spec)).toEqual(['template']);
    expect(Object.keys(podOf(manifest)).sort()).toEqual(['containers', 'securityContext']);
  });
});

describe('a DaemonSet', () => {
  const required = (manifest: any) =>
    podOf(manifest).affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;
  const notFargate = { key: 'eks.amazonaws.com/compute-type', operator: 'NotIn', values: ['fargate'] };

  test('gets the priority class system-node-critical, unless it has a priority', () => {
    expect(podOf(resilient(workload('DaemonSet'))).priorityClassName).toBe('system-node-critical');
    expect(podOf(resilient(workload('DaemonSet', { pod: { priorityClassName: 'low' } }))).priorityClassName).toBe(
      'low',
    );
  });

  test('excludes Fargate in each node selector term', () => {
    expect(required(resilient(workload('DaemonSet')))).toEqual([{ matchExpressions: [notFargate] }]);
    const arm = { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] };
    const nodeSelectorTerms = [{ matchExpressions: [arm] }, { matchExpressions: [notFargate] }];
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
    expect(required(resilient(workload('DaemonSet', { pod: { affinity } })))).toEqual([
      { matchExpressions: [arm, notFargate] },
      { matchExpressions: [notFargate] },
    ]);
  });
});

describe('a waiver', () => {
  const OF_KIND: Readonly<Record<string, string>> = {
    DO_NOT_DISRUPT: 'Job',
    PRIORITY_CLASS: 'DaemonSet',
    NOT_ON_FARGATE: 'DaemonSet',
  };

  test.each(Object.entries(Safeguard))(
    'of %s leaves out only this safeguard, and writes the reason',
    (name, safeguard) => {
      const manifest = workload(OF_KIND[name] ?? 'Deployment', {
        container: { resources: { requests: { memory: '1Gi' } } },
      });
      const chart = newChart();
      new ApiObject(chart, 'it', manifest);
      chart.with(new Resilience({ waivers: [{ safeguard, reason: 'it is a test' }] }));
      const waived = written(chart, manifest.kind);
      expect(notesOf(waived)).toEqual({ [safeguard]: 'off: it is a test' });
      const without = safeguard === Safeguard.POD_DISRUPTION_BUDGET ? kindsOf(chart) : waived.spec;
      expect(without).not.toEqual(
        safeguard === Safeguard.POD_DISRUPTION_BUDGET
          ? [manifest.kind, 'PodDisruptionBudget']
          : resilient(manifest).spec,
      );
    },
  );

  test('applies by the annotation only, as in included YAML', () => {
    const manifest = workload('Deployment', {
      metadata: { annotations: { 'resilience.karpenter-constructs.dev/pre-stop': 'off: no requests come' } },
    });
    expect(container(resilient(manifest))).not.toHaveProperty('lifecycle');
  });

  test('without a reason is rejected', () => {
    const manifest = workload('Deployment', {
      metadata: { annotations: { 'resilience.karpenter-constructs.dev/pre-stop': 'off: ' } },
    });
    expect(container(resilient(manifest))).toHaveProperty('lifecycle');
    expect(() => new Resilience({ waivers: [{ safeguard: Safeguard.PRE_STOP, reason: ' ' }] })).toThrow(
      'Resilience.waivers[0].reason: must not be empty, got " "; write why pre-stop is waived',
    );
  });
});
