import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { ApiObject, Duration, Include, JsonPatch } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import * as fc from 'fast-check';
import { kindsOf, newChart, notesOf, podOf, resilient, workload, written } from './fixtures';
import * as workloads from '../../src/workloads';
import { safeguarded } from '../../src/workloads/private/protected-object';
import { settingsOf } from '../../src/workloads/private/settings';

const { Resilience, Safeguard } = workloads;
const KINDS = ['Deployment', 'StatefulSet', 'ReplicaSet', 'DaemonSet', 'Job', 'CronJob'];

describe('Resilience', () => {
  test('protects all workloads of a chart: cdk8s-plus, ApiObject, included YAML and Helm', () => {
    const folder = mkdtempSync(join(tmpdir(), 'resilience-'));
    writeFileSync(join(folder, 'web.yaml'), JSON.stringify(workload('StatefulSet', { labels: { app: 'db' } })));
    const chart = newChart();
    new ApiObject(chart, 'plain', workload('Deployment', { metadata: { name: 'plain' } }));
    new kplus.DaemonSet(chart, 'plus', { containers: [{ image: 'agent' }] });
    new Include(chart, 'included', { url: join(folder, 'web.yaml') });
    rmSync(folder, { recursive: true });
    chart.with(new Resilience());
    expect(podOf(written(chart, 'DaemonSet')).priorityClassName).toBe('system-node-critical');
    expect([written(chart, 'Deployment').spec.replicas, written(chart, 'StatefulSet').spec.replicas]).toEqual([2, 2]);
    expect(kindsOf(chart).filter((kind) => kind === 'PodDisruptionBudget')).toHaveLength(2);
  });

  test('does not change other kinds, or workload kinds of another API group', () => {
    const chart = newChart();
    const others = [
      { apiVersion: 'v1', kind: 'Pod', spec: { containers: [] } },
      { ...workload('Deployment'), apiVersion: 'example.com/v1' },
    ];
    others.forEach((manifest, index) => new ApiObject(chart, `it${index}`, { ...manifest, metadata: { name: 'it' } }));
    const before = JSON.stringify(chart.toJson());
    chart.with(new Resilience());
    expect(JSON.stringify(chart.toJson())).toBe(before);
  });

  test('fails the synth if a workload is in a List', () => {
    const chart = newChart();
    new ApiObject(chart, 'listed', {
      apiVersion: 'v1',
      kind: 'List',
      items: [{ apiVersion: 'v1', kind: 'ConfigMap' }, workload('Deployment')],
    } as any);
    chart.with(new Resilience(), new Resilience());
    expect(chart.node.findChild('listed').node.validate()).toEqual([
      'chart/listed: must be one object for each workload to be protected, got a List with Deployment web; ' +
        'write its items as documents of their own, with --- between them, or apply Resilience to other constructs only',
    ]);
  });

  test.each<[string, unknown]>([
    ['other objects', [{ apiVersion: 'v1', kind: 'ConfigMap' }, null, { kind: 'Deployment' }]],
    ['no items', undefined],
  ])('accepts a List of %s', (_, items) => {
    const chart = newChart();
    new ApiObject(chart, 'listed', { apiVersion: 'v1', kind: 'List', items } as any);
    chart.with(new Resilience());
    expect(chart.node.findChild('listed').node.validate()).toEqual([]);
  });

  test('respects properties, patches and autoscalers that are added later', () => {
    const chart = newChart();
    const web = new kplus.Deployment(chart, 'web', { containers: [{ image: 'nginx', portNumber: 80 }] }).with(
      new Resilience(),
    ) as kplus.Deployment;
    new ApiObject(chart, 'plain', workload('StatefulSet')).with(new Resilience());
    ApiObject.of(chart.node.findChild('plain')).addJsonPatch(JsonPatch.add('/spec/replicas', 7));
    web.addContainer({ image: 'sidecar', name: 'sidecar' });
    new kplus.HorizontalPodAutoscaler(chart, 'scaler', { target: web, maxReplicas: 9 });
    const { spec } = written(chart, 'Deployment');
    expect([spec.replicas, written(chart, 'StatefulSet').spec.replicas]).toEqual([undefined, 7]);
    expect(
      spec.template.spec.containers.map((container: any) => container.securityContext.allowPrivilegeEscalation),
    ).toEqual([false, false]);
  });

  test('does not change charts that it was not applied to', () => {
    const chart = newChart();
    new ApiObject(chart, 'it', workload('Deployment'));
    expect(written(chart, 'Deployment').spec).toEqual(workload('Deployment').spec);
  });

  test('writes keys in the order of cdk8s', () => {
    const manifest = resilient(workload('Deployment'));
    expect(Object.keys(manifest)).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(Object.keys(manifest.spec)).toEqual(['replicas', 'selector', 'template']);
  });

  test.each<[string, workloads.ResilienceProps, string]>([
    [
      'a single replica',
      { minReplicas: 1 },
      'Resilience.minReplicas: must be a whole number of at least 2, got 1; write at least 2, or waive Safeguard.REPLICAS with a reason',
    ],
    [
      'maxUnavailable 0',
      { maxUnavailable: 0 },
      'Resilience.maxUnavailable: must be a whole number of at least 1, got 0; write at least 1: with 0, no node could be drained',
    ],
    [
      'maxUnavailable equal to minReplicas',
      { maxUnavailable: 2 },
      'Resilience.maxUnavailable: must be below minReplicas, which is 2, got 2; write at most 1',
    ],
    [
      'a fractional zoneCount',
      { zoneCount: 0.5 },
      'Resilience.zoneCount: must be a whole number of at least 1, got 0.5; write the number of zones that nodes can be in',
    ],
    [
      'a preStopDelay beyond the spot interruption notice',
      { preStopDelay: Duration.minutes(2) },
      'Resilience.preStopDelay: must leave the pod time to stop before a spot instance is terminated, got 120 seconds; write at most 80 seconds',
    ],
  ])('rejects %s', (_, props, message) => {
    expect(() => new Resilience(props)).toThrow(new Error(message));
  });
});

describe('Resilience, applied twice', () => {
  const applied = (...all: workloads.ResilienceProps[]) => {
    const chart = newChart();
    new ApiObject(chart, 'it', workload('Deployment'));
    all.forEach((props) => chart.with(new Resilience(props)));
    return chart.toJson();
  };

  test('adds each safeguard once', () => {
    expect(applied({}, {})).toEqual(applied({}));
  });

  test.each(['before', 'after'])('applies a waiver that was added %s', (when) => {
    const waivers = [
      { safeguard: Safeguard.POD_DISRUPTION_BUDGET, reason: 'a batch of one' },
      { safeguard: Safeguard.PRE_STOP, reason: 'takes no requests' },
    ];
    expect(when === 'before' ? applied({ waivers }, {}) : applied({}, { waivers })).toEqual(applied({ waivers }));
  });

  test('uses the later properties', () => {
    expect(applied({ minReplicas: 4, zoneCount: 3 }, { minReplicas: 6 })).toEqual(
      applied({ minReplicas: 6, zoneCount: 3 }),
    );
  });

  test('rejects properties that contradict earlier ones, at construction', () => {
    expect(() => applied({ minReplicas: 4, maxUnavailable: 3 }, { minReplicas: 2 })).toThrow(
      'Resilience.maxUnavailable: must be below minReplicas, which is 2, got 3',
    );
  });

  test('does not change its own output', () => {
    fc.assert(
      fc.property(anyWorkload(), anyProps(), (manifest, props) => {
        const once = safeguarded(manifest, settingsOf(props));
        expect(safeguarded(once, settingsOf(props))).toEqual(once);
      }),
      { numRuns: 300 },
    );
  });

  test('never overwrites values of the manifest', () => {
    fc.assert(
      fc.property(anyWorkload(), anyProps(), (manifest, props) => {
        expect(safeguarded(manifest, settingsOf(props))).toMatchObject(withoutLists(manifest));
      }),
      { numRuns: 300 },
    );
  });
});

/** Lists may get more items, such as another spread constraint or toleration. */
function withoutLists(value: any): any {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => !Array.isArray(each))
      .map(([key, each]) => [key, withoutLists(each)]),
  );
}

function anyWorkload(): fc.Arbitrary<any> {
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const memory = maybe(fc.constantFrom('64Mi', '1Gi', '1024Mi'));
  const probe = maybe(fc.record({ tcpSocket: fc.constant({ port: 80 }) }));
  const container = fc.record({
    ports: maybe(fc.constantFrom([{ containerPort: 80 }], [{ containerPort: 53, protocol: 'UDP' }])),
    resources: fc.record({ requests: fc.record({ memory }), limits: fc.record({ memory }) }),
    livenessProbe: probe,
    readinessProbe: probe,
    securityContext: maybe(
      fc.record({ privileged: maybe(fc.boolean()), allowPrivilegeEscalation: maybe(fc.boolean()) }),
    ),
  });
  const pod = fc.record({
    terminationGracePeriodSeconds: maybe(fc.constantFrom(0, 1, 30, 600)),
    nodeSelector: maybe(
      fc.constantFrom(
        { 'karpenter.sh/nodepool': 'other' },
        { 'karpenter.sh/capacity-type': 'spot' },
        { 'kubernetes.io/os': 'windows' },
      ),
    ),
    topologySpreadConstraints: maybe(
      fc.constantFrom(
        [],
        [{ maxSkew: 3, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' }],
      ),
    ),
    tolerations: maybe(fc.constantFrom([{ operator: 'Exists' }], [{ key: 'team', operator: 'Exists' }])),
    activeDeadlineSeconds: maybe(fc.constantFrom(60)),
    priorityClassName: maybe(fc.constantFrom('high')),
  });
  const spec = fc.record({
    replicas: maybe(fc.constantFrom(0, 1, 2, 9)),
    activeDeadlineSeconds: maybe(fc.constantFrom(90)),
  });
  return fc
    .record({ kind: fc.constantFrom(...KINDS), spec, pod, container })
    .map(({ kind, ...fields }) => JSON.parse(JSON.stringify(workload(kind, fields))));
}

function anyProps(): fc.Arbitrary<workloads.ResilienceProps> {
  const { CapacityPlacement, DoNotDisrupt } = workloads;
  return fc.record(
    {
      minReplicas: fc.constantFrom(2, 3, 7),
      zoneCount: fc.constantFrom(1, 2, 3),
      capacity: fc.constantFrom(
        CapacityPlacement.onDemandOnly(),
        CapacityPlacement.evenSplit(),
        CapacityPlacement.splitBy('capacity-spread'),
      ),
      doNotDisrupt: fc.constantFrom(DoNotDisrupt.always(), DoNotDisrupt.untilAge(Duration.hours(1))),
      waivers: fc
        .subarray(Object.values(Safeguard))
        .map((all) => all.map((safeguard) => ({ safeguard, reason: 'it is not wanted' }))),
    },
    { requiredKeys: [] },
  );
}

describe('note annotations', () => {
  test('are removed when the weaker value is gone', () => {
    const once = resilient(workload('Deployment', { spec: { replicas: 1 } }));
    expect(notesOf(once)).toEqual({ replicas: 'as written: 1' });
    expect(notesOf(resilient({ ...once, spec: { ...once.spec, replicas: 3 } }))).toEqual({});
  });
});
