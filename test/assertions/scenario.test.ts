import { Duration } from 'cdk8s';
import { KarpenterAssertions, KarpenterAssertionsProps, Scenario } from '../../src/assertions';
import { FeatureGates } from '../../src/plugins';
import { SCENARIO_NAMES } from '../../src/validation';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const POOL = nodePool(['m5.large']);
const WEB = deployment('web', 2, SMALL);
const NOT_EVALUATED = deployment(
  'db',
  1,
  SMALL,
  '      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]\n',
);

function budget(field: string, namespace = 'default'): string {
  return `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web, namespace: ${namespace} }
spec: { ${field}, selector: { matchLabels: { app: web } } }
`;
}

function on(documents: readonly string[], props?: KarpenterAssertionsProps): KarpenterAssertions {
  return KarpenterAssertions.fromYaml([NODE_CLASS, ...documents].join('---\n'), props);
}

test('Scenario has a member for every scenario', () => {
  const byName = ['rollout', 'no-spot', 'no-type', 'subnet-full', 'reservation-full', 'quota'];
  expect(Object.values(Scenario).sort()).toEqual([...SCENARIO_NAMES, ...byName].sort());
});

describe('keepsReady', () => {
  test('passes if enough pods are ready at all times', () => {
    expect(() => on([POOL, WEB, budget('maxUnavailable: 1')]).keepsReady('web', 1, Scenario.DRIFT)).not.toThrow();
  });

  test('fails with the events of the scenario', () => {
    expect(() => on([POOL, WEB]).keepsReady('web', 1, Scenario.DRIFT)).toThrow(
      new RegExp(
        '^expected Deployment default/web to keep at least 1 pod ready during drift, got 0\n\n' +
          'drift: 1 node, done after [^]*Deployment default/web: at least 0 of 2 pods ready, 2 evictions\n {5}00:00:00  Drift decides to replace default-0\n',
      ),
    );
  });

  test('names the zone in which it fails', () => {
    expect(() => on([POOL, WEB]).keepsReady('web', 1, Scenario.ZONE_OUTAGE)).toThrow(
      /got 0 in zone-outage of us-east-1a\n\nzone-outage of us-east-1a: /,
    );
  });

  test('fails if a family without capacity leaves pods without a node', () => {
    expect(() => on([POOL, WEB]).completes(Scenario.NO_TYPE)).toThrow(
      /^expected no-type to end without stuck nodes, pending pods and lost pods, got .*2 pods without a node/,
    );
  });

  test('passes without spot capacity if no node is a spot instance', () => {
    expect(() => on([POOL, WEB]).completes(Scenario.NO_SPOT)).not.toThrow();
  });

  test('simulates a quota of vcpuQuota on-demand vCPUs, and refuses one without it', () => {
    const completes = (vcpuQuota?: number) => () => on([POOL, WEB], { vcpuQuota }).completes(Scenario.QUOTA);
    expect(completes(1)).toThrow(/^expected quota to end without .*2 pods without a node/);
    expect(completes(2)).not.toThrow();
    expect(completes()).toThrow('vcpuQuota: Scenario.QUOTA needs a whole number of vCPUs from 0 on, got none');
  });

  test('passes a rollout that keeps all pods ready', () => {
    expect(() => on([POOL, WEB]).keepsReady('web', 2, Scenario.ROLLOUT)).not.toThrow();
  });

  test('passes if the scenario cannot occur', () => {
    expect(() => on([POOL, WEB]).keepsReady('web', 2, Scenario.SPOT_INTERRUPTION)).not.toThrow();
  });

  test('fails if too few pods are ready before the scenario, with an explanation', () => {
    const workload = deployment('web', 1, 'cpu: 6');
    expect(() => on([POOL, workload]).keepsReady('web', 1, Scenario.SPOT_INTERRUPTION)).toThrow(
      /got 0 before the scenario starts\n\ndefault\/web-0 fits nowhere/,
    );
  });

  test('fails if the workload has fewer pods, without an explanation of the scheduled ones', () => {
    expect(() => on([POOL, WEB]).keepsReady('web', 3, Scenario.DRIFT)).toThrow(
      new Error(
        'expected Deployment default/web to keep at least 3 pods ready during drift, ' +
          'got 2 before the scenario starts\n\nAll pods of Deployment default/web are scheduled: by its replicas, its autoscaler and the cluster, only 2 can be ready.\n',
      ),
    );
  });

  test.each<[string, string, string, RegExp]>([
    [
      'is not evaluated',
      'db',
      NOT_EVALUATED,
      /during drift: cannot be evaluated:\n {2}- pod default\/db-0 is not evaluated: /,
    ],
    [
      'is rejected',
      'api',
      deployment('api', -1, SMALL),
      /during drift: cannot be evaluated:\n {2}- Deployment default\/api is not evaluated: the API server would reject it or its pods/,
    ],
  ])('cannot be evaluated if the workload itself %s', (_, name, workload, message) => {
    expect(() => on([POOL, WEB, workload]).keepsReady(name, 1, Scenario.DRIFT)).toThrow(message);
  });

  test('fails if the workload has no replicas, and says so', () => {
    expect(() => on([POOL, WEB, deployment('idle', 0, SMALL)]).keepsReady('idle', 1, Scenario.DRIFT)).toThrow(
      'got 0 before the scenario starts\n\n' +
        'The input has no pod of Deployment default/idle: does it have replicas: 0?',
    );
  });

  test.each<[string, readonly string[], RegExp]>([
    [
      'a pod is not evaluated',
      [POOL, WEB, NOT_EVALUATED],
      /cannot be evaluated:\n {2}- pod default\/db-0 is not evaluated: /,
    ],
    [
      'a pod of another workload has no node',
      [POOL, WEB, deployment('big', 1, 'cpu: 6')],
      /cannot be evaluated:\n {2}- 1 pod has no node; hasAllPodsScheduled\(\) explains why/,
    ],
    [
      'the disruption settings are known only at deployment',
      [POOL.replace('  template:', '  disruption: { consolidateAfter: "${Token[AFTER.1]}" }\n  template:'), WEB],
      /cannot be evaluated:\n {2}- /,
    ],
    [
      'a manifest is rejected',
      [POOL, WEB, deployment('api', -1, SMALL)],
      /cannot be evaluated:\n {2}- Deployment default\/api is not evaluated/,
    ],
  ])('cannot be evaluated where %s', (_, documents, message) => {
    expect(() => on([...documents, budget('maxUnavailable: 1')]).keepsReady('web', 1, Scenario.CONSOLIDATION)).toThrow(
      message,
    );
  });

  test('cannot be evaluated if the horizon cuts off the scenario', () => {
    expect(() =>
      on([POOL, WEB, budget('maxUnavailable: 1')], { horizon: Duration.seconds(30) }).keepsReady(
        'web',
        1,
        Scenario.DRIFT,
      ),
    ).toThrow(/cannot be evaluated:\n {2}- drift is not over after 30 seconds; use a longer horizon/);
  });

  test('uses the given durations and start', () => {
    const props = {
      nodeStart: Duration.seconds(7),
      podStart: Duration.seconds(5),
      podStop: Duration.seconds(3),
      simulation: Duration.millis(500),
      start: new Date('2026-03-01T08:00:00Z'),
    };
    expect(() => on([POOL, WEB], props).keepsReady('web', 1, Scenario.DRIFT)).toThrow(
      /the simulation starts at 2026-03-01T08:00:00\.000Z[^]*a node is ready 7 seconds after its launch; a pod is ready 5 seconds after it is bound, and stops within 3 seconds[^]*Karpenter needs 500 ms to simulate/,
    );
  });

  describe('with the name of the workload', () => {
    const inShop = WEB.replace('{ name: web }', '{ name: web, namespace: shop }');
    const two = [POOL, WEB, inShop, budget('maxUnavailable: 1'), budget('maxUnavailable: 1', 'shop')];

    test.each(['shop/web', 'Deployment shop/web'])('accepts %s', (name) => {
      expect(() => on(two).keepsReady(name, 1, Scenario.DRIFT)).not.toThrow();
    });

    test('rejects an ambiguous name', () => {
      expect(() => on(two).keepsReady('web', 1, Scenario.DRIFT)).toThrow(
        'workload: 2 workloads have the name "web"; write Deployment default/web or Deployment shop/web',
      );
    });

    test('lists the workloads for an unknown name', () => {
      expect(() => on([POOL, WEB]).keepsReady('api', 1, Scenario.DRIFT)).toThrow(
        'workload: there is no workload "api"; there is Deployment default/web',
      );
    });

    test.each([
      ['weeb', 'web'],
      ['defualt/web', 'default/web'],
    ])('suggests for %s the nearest name %s', (name, nearest) => {
      expect(() => on([POOL, WEB]).keepsReady(name, 1, Scenario.DRIFT)).toThrow(
        `workload: there is no workload "${name}"; did you mean ${nearest}?`,
      );
    });
  });
});

describe('completes', () => {
  test('passes if the scenario completes', () => {
    expect(() => on([POOL, WEB]).completes(Scenario.DRIFT)).not.toThrow();
  });

  test('fails if a node is stuck, with the remedy', () => {
    expect(() => on([POOL, WEB, budget('maxUnavailable: 0')]).completes(Scenario.DRIFT)).toThrow(
      /^expected drift to end without stuck nodes, pending pods and lost pods, got node default-0 stuck\n\n[^]*node default-0 is stuck: pdb prevents pod evictions[^]*; allow one eviction at a time/,
    );
  });

  test('fails if pods stay pending', () => {
    const autoscaler = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { minReplicas: 2, maxReplicas: 9, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web } }
`;
    expect(() => on([POOL.replace('cpu: 1000', 'cpu: 2'), WEB, autoscaler]).completes(Scenario.PEAK)).toThrow(
      /got pod default\/web-3 and 5 more stuck, 6 pods without a node\n/,
    );
  });

  test.each<[string, string, RegExp]>([
    ['is not evaluated', NOT_EVALUATED, /cannot be evaluated:\n {2}- pod default\/db-0 is not evaluated: /],
    [
      'has no node before the scenario',
      deployment('big', 1, 'cpu: 6'),
      /cannot be evaluated:\n {2}- 1 pod has no node; hasAllPodsScheduled\(\) explains why/,
    ],
  ])('cannot be evaluated if a pod %s', (_, workload, message) => {
    expect(() => on([POOL, WEB, workload]).completes(Scenario.DRIFT)).toThrow(message);
  });
});

describe('featureGates', () => {
  const fixed = nodePool(['m5.large'], 'default', '  replicas: 1\n').replace(
    'limits: { cpu: 1000, memory: 1000Gi }',
    'limits: { nodes: 1 }',
  );
  const completes =
    (scenario: Scenario, featureGates: FeatureGates, pool = POOL) =>
    () =>
      on([pool, WEB], { featureGates }).completes(scenario);

  test('nodeRepair makes Karpenter repair nodes', () => {
    expect(completes(Scenario.NODE_REPAIR, {})).toThrow('the feature gate NodeRepair is off');
    expect(completes(Scenario.NODE_REPAIR, { nodeRepair: true })).not.toThrow();
  });

  test('terminateFirst gates make Karpenter terminate nodes that it cannot replace first', () => {
    const open = { staticCapacity: true, nodeRepair: true };
    expect(completes(Scenario.DRIFT, open, fixed)).toThrow('settings.featureGates.terminateFirstDrift: true');
    expect(completes(Scenario.DRIFT, { ...open, terminateFirstDrift: true }, fixed)).not.toThrow();
    expect(completes(Scenario.NODE_REPAIR, open, fixed)).toThrow('settings.featureGates.terminateFirstRepair: true');
    expect(completes(Scenario.NODE_REPAIR, { ...open, terminateFirstRepair: true }, fixed)).not.toThrow();
  });

  test('spotToSpotConsolidation satisfies its rule', () => {
    const types = ['m5', 'm5a', 'm6i', 'm6a', 'm7i', 'm7a', 'c5', 'c5a'].flatMap((family) => [
      `${family}.large`,
      `${family}.xlarge`,
    ]);
    const spot = nodePool(types, 'default', '  disruption: { consolidateAfter: 0s }\n').replace(
      '[on-demand]',
      '[spot]',
    );
    const finds = (featureGates: FeatureGates) => () =>
      on([spot, WEB], { featureGates }).hasNoFindingOf('spot-to-spot-cannot-happen');
    expect(finds({})).toThrow('feature gate SpotToSpotConsolidation is off');
    expect(finds({ spotToSpotConsolidation: true })).not.toThrow();
  });
});
