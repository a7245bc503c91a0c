import { InstanceTypesInEachZoneOptions, KarpenterAssertions, KarpenterAssertionsProps } from '../../src/assertions';
import { CapacityType } from '../../src/nodes';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const POOL = nodePool(['m5.large', 'm5.xlarge']);
const WEB = deployment('web', 2, SMALL);
/** Needs a volume whose PersistentVolumeClaim is not in the input. */
const NOT_EVALUATED = deployment(
  'db',
  1,
  SMALL,
  '      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]\n',
);
const TOKEN = NODE_CLASS.replace('role: node', 'role: node\n  kubelet: { maxPods: "${Token[PODS.1]}" }');
/** Requires more instance families than one launch request to EC2 can contain. */
const VARIED = POOL.replace(
  /- \{ key: node.kubernetes.io\/instance-type.*\n/,
  '- { key: karpenter.k8s.aws/instance-family, operator: Exists, minValues: 50 }\n',
);

function on(documents: readonly string[], props?: KarpenterAssertionsProps): KarpenterAssertions {
  return KarpenterAssertions.fromYaml(documents.join('---\n'), props);
}

describe('hasAllPodsScheduled', () => {
  test('passes if every pod has a node', () => {
    expect(() => on([NODE_CLASS, POOL, WEB]).hasAllPodsScheduled()).not.toThrow();
  });

  test('fails if the input has no pod', () => {
    expect(() => on([NODE_CLASS, POOL]).hasAllPodsScheduled()).toThrow(
      /^expected every pod to have a node, got no pod at all\n\nThe input has no workload with pods/,
    );
  });

  test('fails with an explanation of the unschedulable pod and the smallest change that helps', () => {
    expect(() => on([NODE_CLASS, POOL, WEB, deployment('big', 1, 'cpu: 6')]).hasAllPodsScheduled()).toThrow(
      /^expected every pod to have a node, got 1 of 3 pods without one\n\ndefault\/big-0 fits nowhere\n[^]*needs 6\.15 CPUs, including 0\.15 CPUs for 2 daemonset pods; the largest allowed type, m5\.xlarge, has 3\.92[^]*→ allow instance type m5a\.2xlarge in NodePool default \(the nodes of the plan then cost [^)]*\): then every pod/,
    );
  });

  test('fails if the API server rejects the NodePool, whose nodes are planned as if it were correct', () => {
    const rejected = POOL.replace('  template:\n    spec:\n', '  template:\n    spec:\n      expireAfter: 14d\n');
    expect(rejected).not.toBe(POOL);
    expect(() => on([NODE_CLASS, rejected, WEB]).hasAllPodsScheduled()).toThrow(
      /^expected every pod to have a node, got 2 pods without one until the errors are corrected\n\n[^]*expireAfter/,
    );
  });

  test('fails if a node cannot be launched', () => {
    expect(() => on([NODE_CLASS, VARIED, deployment('web', 1, 'cpu: 100m')]).hasAllPodsScheduled()).toThrow(
      /got 1 node that cannot be launched\n\nNodes\n {2}default-0: cannot be launched: insufficient capacity, /,
    );
  });

  test.each<[string, readonly string[], RegExp]>([
    [
      'a pod that is not evaluated',
      [NODE_CLASS, POOL, NOT_EVALUATED],
      /cannot be evaluated:\n {2}- pod default\/db-0 is not evaluated: /,
    ],
    [
      'a node class that is not evaluated',
      [TOKEN, POOL],
      /cannot be evaluated:\n {2}- EC2NodeClass main is not evaluated: spec\.kubelet\.maxPods is known only at deployment/,
    ],
    ['a file that cannot be read', ['a: ['], /cannot be evaluated:\n {2}- manifests\.yaml:1: /],
    [
      'no Karpenter object and no pod',
      ['apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n'],
      /cannot be evaluated:\n {2}- manifests\.yaml:1: nothing to evaluate/,
    ],
  ])('cannot be evaluated with %s', (_, documents, message) => {
    expect(() => on(documents).hasAllPodsScheduled()).toThrow(message);
  });

  test('reads the cluster files', () => {
    expect(() => on([WEB], { clusterFiles: ['missing.yaml'] }).hasAllPodsScheduled()).toThrow(
      /cannot be evaluated:\n {2}- missing\.yaml:1: /,
    );
  });
});

describe('hasNodesAtMost', () => {
  test('passes up to the count', () => {
    expect(() => on([NODE_CLASS, POOL, WEB]).hasNodesAtMost(1)).not.toThrow();
  });

  test('fails with the nodes and the placement of each pod', () => {
    expect(() => on([NODE_CLASS, POOL, WEB]).hasNodesAtMost(0)).toThrow(
      /^expected at most 0 nodes to be launched, got 1\n\nNodes\n {2}default-0: m5\.large [^]*Placements\n {2}default\/web-0 opens default-0/,
    );
  });

  test.each<[string, string, RegExp]>([
    ['is not evaluated', NOT_EVALUATED, /cannot be evaluated:\n {2}- pod default\/db-0 is not evaluated/],
    [
      'has no node',
      deployment('big', 2, 'cpu: 6'),
      /cannot be evaluated:\n {2}- 2 pods have no node; hasAllPodsScheduled\(\) explains why/,
    ],
  ])('cannot be evaluated if a pod %s', (_, workload, message) => {
    expect(() => on([NODE_CLASS, POOL, WEB, workload]).hasNodesAtMost(5)).toThrow(message);
  });

  test('rejects a fractional count', () => {
    expect(() => on([POOL]).hasNodesAtMost(1.5)).toThrow(
      'count: must be a whole number of at least 0, got 1.5; write for example 1',
    );
  });
});

describe('hasHourlyCostAtMost', () => {
  test('passes up to the price', () => {
    expect(() => on([NODE_CLASS, POOL, WEB]).hasHourlyCostAtMost(0.096)).not.toThrow();
  });

  test('passes if no node is launched', () => {
    expect(() => on([NODE_CLASS, POOL]).hasHourlyCostAtMost(0)).not.toThrow();
  });

  test('fails with the nodes, their prices and the assumptions', () => {
    expect(() => on([NODE_CLASS, POOL, WEB]).hasHourlyCostAtMost(0.05)).toThrow(
      /^expected the launched nodes to cost at most \$0\.0500\/h, got \$0\.0960\/h \(no packing costs less than \$0\.\d{4}\/h\)\n\nNodes\n[^]*at \$0\.0960\/h[^]*Assumptions/,
    );
  });

  test('cannot be evaluated if a node cannot be launched', () => {
    expect(() => on([NODE_CLASS, VARIED, deployment('web', 1, 'cpu: 100m')]).hasHourlyCostAtMost(1)).toThrow(
      /cannot be evaluated:\n {2}- node default-0 cannot be launched: insufficient capacity, /,
    );
  });

  test('rejects a negative price', () => {
    expect(() => on([POOL]).hasHourlyCostAtMost(-1)).toThrow(
      'usd: must be a number of at least 0, got -1; write for example 1.5',
    );
  });
});

describe('hasInstanceTypesInEachZone', () => {
  const inZones =
    (count: number, options?: InstanceTypesInEachZoneOptions, documents = [NODE_CLASS, POOL]) =>
    () =>
      on(documents).hasInstanceTypesInEachZone('default', count, options);

  test('passes if each zone has enough instance types', () => {
    expect(inZones(2)).not.toThrow();
  });

  test('fails with the count of each zone and the types that remain after each requirement', () => {
    expect(inZones(3)).toThrow(
      new RegExp(
        '^expected NodePool default to have at least 3 instance types in each zone, got 2 in us-east-1a, 2 in us-east-1b, 2 in us-east-1c\n\n' +
          'NodePools\n  default: can launch 2 instance types[^]* → 2 \\(type m5\\.large, m5\\.xlarge\\)',
      ),
    );
  });

  test('counts only types with the capacity type', () => {
    expect(inZones(1, { capacityType: CapacityType.SPOT })).toThrow(
      /at least 1 instance type of spot capacity in each zone, got 0 in us-east-1a, 0 in us-east-1b/,
    );
    expect(inZones(2, { capacityType: CapacityType.ON_DEMAND })).not.toThrow();
  });

  test('checks the given zones', () => {
    expect(inZones(2, { zones: ['us-east-1a'] })).not.toThrow();
    expect(inZones(2, { zones: ['us-east-1a', 'us-east-1f'] })).toThrow('got 2 in us-east-1a, 0 in us-east-1f');
  });

  test('fails if no instance type satisfies the requirements', () => {
    expect(inZones(1, undefined, [NODE_CLASS, nodePool(['m5.tiny'])])).toThrow(
      /got none in any zone\n\nNodePools\n {2}default: can launch nothing/,
    );
  });

  test('assumes a stock class if the input has no class', () => {
    expect(inZones(1, undefined, [POOL])).not.toThrow();
  });

  test('cannot be evaluated without the node class', () => {
    expect(inZones(1, undefined, [NODE_CLASS.replace('name: main', 'name: other'), POOL])).toThrow(
      /cannot be evaluated:\n {2}- NodePool default can launch nothing: its EC2NodeClass is not in the input/,
    );
  });

  test('cannot be evaluated for a NodePool that Karpenter rejects', () => {
    expect(
      inZones(1, undefined, [NODE_CLASS, POOL.replace('limits: { cpu: 1000', 'weight: 0\n  limits: { cpu: 1000')]),
    ).toThrow(/cannot be evaluated:\n {2}- NodePool default is not evaluated: Karpenter would reject it/);
  });

  test('suggests the nearest NodePool name', () => {
    expect(() => on([NODE_CLASS, POOL]).hasInstanceTypesInEachZone('defalt', 1)).toThrow(
      'nodePool: there is no NodePool "defalt"; did you mean default?',
    );
  });

  test('rejects an empty list of zones', () => {
    expect(inZones(1, { zones: [] })).toThrow('options.zones: must name at least one zone, got none');
  });
});
