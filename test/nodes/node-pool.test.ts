import { ApiObject, App, Chart, Cron, Duration, JsonPatch, Lazy, Size, YamlOutputType } from 'cdk8s';
import { newChart, newNodePool, NODE_CLASS, specOf } from './fixtures';
import * as nodes from '../../src/nodes';

const { CapacityType, Consolidation, DisruptionBudget, Expiration, NodePool, Requirement, TaintEffect } = nodes;

describe('NodePool', () => {
  test('refers to its node class by the name that the class gets', () => {
    const chart = newChart();
    const nodeClass = new nodes.EC2NodeClass(chart, 'class', NODE_CLASS);
    new NodePool(chart, 'pool', { nodeClass });
    expect(specOf(chart, 'NodePool')).toEqual({
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: nodeClass.name },
          requirements: [],
        },
      },
    });
  });

  test('is found by ApiObject.of', () => {
    const pool = newNodePool(newChart(), { metadata: { name: 'general' } });
    expect([pool.name, ApiObject.of(pool).apiVersion, pool.apiObject.kind]).toEqual([
      'general',
      'karpenter.sh/v1',
      'NodePool',
    ]);
  });

  test('writes durations in hours, minutes and seconds', () => {
    const chart = newChart();
    newNodePool(chart, {
      expireAfter: Expiration.after(Duration.days(30)),
      terminationGracePeriod: Duration.minutes(90),
      disruption: { consolidateAfter: Consolidation.after(Duration.seconds(61)) },
    });
    const { template, disruption } = specOf(chart, 'NodePool');
    expect([template.spec.expireAfter, template.spec.terminationGracePeriod, disruption.consolidateAfter]).toEqual([
      '720h',
      '1h30m',
      '1m1s',
    ]);
  });

  test('writes Never for nodes that never expire and are never consolidated', () => {
    const chart = newChart();
    newNodePool(chart, { expireAfter: Expiration.never(), disruption: { consolidateAfter: Consolidation.never() } });
    const { template, disruption } = specOf(chart, 'NodePool');
    expect([template.spec.expireAfter, disruption.consolidateAfter]).toEqual(['Never', 'Never']);
  });

  test('always writes consolidateAfter with disruption, because older releases require it', () => {
    const chart = newChart();
    newNodePool(chart, { disruption: { consolidationPolicy: nodes.ConsolidationPolicy.WHEN_EMPTY } });
    expect(specOf(chart, 'NodePool').disruption).toEqual({ consolidateAfter: '0s', consolidationPolicy: 'WhenEmpty' });
  });

  test('writes budgets with their reasons and windows', () => {
    const chart = newChart();
    const schedule = Cron.schedule({ minute: '0', hour: '9', weekDay: 'mon-fri' });
    newNodePool(chart, { disruption: { budgets: [DisruptionBudget.percent(20)] } }).addBudgets(
      DisruptionBudget.nodes(0, { schedule, duration: Duration.hours(8), reasons: [nodes.DisruptionReason.DRIFTED] }),
    );
    expect(specOf(chart, 'NodePool').disruption.budgets).toEqual([
      { nodes: '20%' },
      { nodes: '0', schedule: '0 9 * * mon-fri', duration: '8h', reasons: ['Drifted'] },
    ]);
  });

  test('writes limits as quantities', () => {
    const chart = newChart();
    newNodePool(chart, {
      limits: { cpu: 0.5, memory: Size.gibibytes(1000), nodes: 10, other: { 'nvidia.com/gpu': '8' } },
    });
    expect(specOf(chart, 'NodePool').limits).toEqual({
      cpu: '0.5',
      memory: '1000Gi',
      nodes: '10',
      'nvidia.com/gpu': '8',
    });
  });

  test('with replicas is static', () => {
    const chart = newChart();
    const pool = newNodePool(chart, { replicas: 3, limits: { nodes: 5 } });
    expect([pool.replicas, specOf(chart, 'NodePool').replicas, specOf(chart, 'NodePool').limits]).toEqual([
      3,
      3,
      { nodes: '5' },
    ]);
  });

  test('writes timeAdded of a taint in whole seconds', () => {
    const chart = newChart();
    newNodePool(chart, {
      taints: [{ key: 'a', effect: TaintEffect.NO_EXECUTE, timeAdded: new Date('2026-01-31T12:00:00.500Z') }],
    });
    expect(specOf(chart, 'NodePool').template.spec.taints).toEqual([
      { key: 'a', effect: 'NoExecute', timeAdded: '2026-01-31T12:00:00Z' },
    ]);
  });

  test('writes fields of newer releases by a JSON patch', () => {
    const chart = newChart();
    newNodePool(chart, { weight: 1 }).addJsonPatch(
      JsonPatch.add('/spec/newField', { on: true }),
      JsonPatch.replace('/spec/weight', 2),
    );
    expect(specOf(chart, 'NodePool')).toMatchObject({ newField: { on: true }, weight: 2 });
  });

  test('that is imported has a name, but writes no object', () => {
    const chart = newChart();
    expect(NodePool.fromNodePoolName(chart, 'pool', 'shared').name).toBe('shared');
    expect(chart.node.findAll().filter(ApiObject.isApiObject)).toEqual([]);
  });

  test('has methods that add to its collections, and getters that return copies', () => {
    const chart = newChart();
    const pool = newNodePool(chart, { labels: { team: 'a' } });
    pool.addLabel('tier', 'web');
    pool.addAnnotation('note', 'x');
    pool.addRequirements(Requirement.capacityType().in(CapacityType.SPOT));
    pool.addTaints({ key: 'batch', effect: TaintEffect.NO_SCHEDULE });
    pool.addStartupTaints({ key: 'cni', effect: TaintEffect.NO_EXECUTE });
    pool.requirements.length = 0;
    pool.taints.length = 0;
    pool.startupTaints.length = 0;
    pool.addBudgets(DisruptionBudget.nodes(1));
    pool.budgets.length = 0;
    Object.assign(pool.labels, { more: '1' });
    Object.assign(pool.annotations, { more: '1' });

    const { metadata, spec } = specOf(chart, 'NodePool').template;
    expect(specOf(chart, 'NodePool').disruption.budgets).toEqual([{ nodes: '1' }]);
    expect(metadata).toEqual({ labels: { team: 'a', tier: 'web' }, annotations: { note: 'x' } });
    expect(spec.requirements).toEqual([{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }]);
    expect([spec.taints, spec.startupTaints]).toEqual([
      [{ key: 'batch', effect: 'NoSchedule' }],
      [{ key: 'cni', effect: 'NoExecute' }],
    ]);
  });
});

describe('NodePool with invalid props', () => {
  test.each<[string, Omit<nodes.NodePoolProps, 'nodeClass'>, string]>([
    [
      'a weight of 0',
      { weight: 0 },
      'chart/pool/spec.weight: must be an integer from 1 to 100, got 0; write an integer from 1 to 100',
    ],
    [
      'a capacity type in capitals',
      { requirements: [Requirement.capacityType().in(CapacityType.of('SPOT'))] },
      'chart/pool/spec.template.spec.requirements[0].values: must be one of on-demand, reserved, spot for karpenter.sh/capacity-type, got ["SPOT"]; write on-demand, reserved, spot, in lower case',
    ],
    [
      'a generation with a fraction',
      { requirements: [Requirement.instanceGeneration().greaterThan(3.5)] },
      'chart/pool/spec.template.spec.requirements[0].values: must be one integer of 0 or more, as a string, when the operator is Gt, Lt, Gte or Lte, got ["3.5"]',
    ],
    [
      'requirements that exclude each other',
      {
        requirements: [
          Requirement.architecture().in(nodes.Architecture.AMD64),
          Requirement.instanceCpu().greaterThan(4),
          Requirement.architecture().in(nodes.Architecture.ARM64),
        ],
      },
      'chart/pool/spec.template.spec.requirements[2]: must allow a value that the other requirements on kubernetes.io/arch allow, because a node must meet all of them, got "arch = amd64 and arch = arm64"; remove one of them',
    ],
    [
      'bounds that cross',
      { requirements: [Requirement.instanceCpu().greaterThan(8), Requirement.instanceCpu().lessThan(4)] },
      'chart/pool/spec.template.spec.requirements[1]: must allow a value that the other requirements on karpenter.k8s.aws/instance-cpu allow',
    ],
    [
      'half a second',
      { expireAfter: Expiration.after(Duration.millis(500)) },
      'chart/pool/spec.template.spec.expireAfter: must be a duration of hours, minutes and seconds, or Never, got "0.5s"',
    ],
    [
      'a limit of NaN',
      { limits: { cpu: NaN } },
      'chart/pool/spec.limits.cpu: must be a Kubernetes quantity, got "NaN"',
    ],
    [
      'an invalid name',
      { metadata: { name: 'My_Pool' } },
      'chart/pool/metadata.name: must be a DNS name, got "My_Pool"; write lower-case letters',
    ],
    [
      'a name too long for a label',
      { metadata: { name: 'p'.repeat(64) } },
      'chart/pool/metadata.name: must have at most 63 characters',
    ],
    [
      'an invalid label of the object',
      { metadata: { labels: { 'a b': 'c' } } },
      'chart/pool/metadata.labels["a b"]: must be a label key',
    ],
    [
      'a label of Karpenter',
      { labels: { 'karpenter.sh/nodepool': 'x' } },
      'chart/pool/spec.template.metadata.labels["karpenter.sh/nodepool"]: must not be karpenter.sh/nodepool',
    ],
    [
      'a static pool with a weight',
      { replicas: 1, weight: 1 },
      'chart/pool/spec.weight: must be absent if replicas is set, got 1; remove weight',
    ],
    [
      'a static pool with a limit on cpu',
      { replicas: 1, limits: { cpu: 1 } },
      'chart/pool/spec.limits: must have only the limit nodes if replicas is set, got {"cpu":"1"}; remove the other limits',
    ],
    ['half a replica', { replicas: 0.5 }, 'chart/pool/spec.replicas: must be an integer of 0 or more, got 0.5'],
    [
      'an invalid timeAdded',
      { taints: [{ key: 'a', effect: TaintEffect.NO_EXECUTE, timeAdded: new Date(NaN) }] },
      'chart/pool/spec.template.spec.taints[0].timeAdded: must be a date and time, got "Invalid Date"',
    ],
    [
      'a requirement on the pool itself',
      { requirements: [Requirement.nodePool().exists()] },
      'chart/pool/spec.template.spec.requirements[0].key: must not be karpenter.sh/nodepool',
    ],
  ])('rejects %s', (_, props, message) => {
    expect(() => newNodePool(newChart(), props)).toThrow(message);
  });

  test('reports all problems at once, one per line', () => {
    const misuse = () => newNodePool(newChart(), { weight: 101, limits: { other: { gpu: 'two' } } });
    expect(misuse).toThrow(/^chart\/pool\/spec\.limits\.gpu: .*\nchart\/pool\/spec\.weight: [^\n]*$/);
  });

  test('rejects invalid values that are added later', () => {
    const pool = newNodePool(newChart(), { taints: [{ key: 'a', effect: TaintEffect.NO_SCHEDULE }] });
    expect(() => pool.addStartupTaints({ key: 'a', effect: TaintEffect.NO_SCHEDULE })).toThrow(
      'chart/pool/spec.template.spec.startupTaints[0]: must not repeat',
    );
    expect(() => pool.addLabel('a b', 'c')).toThrow(
      'chart/pool/spec.template.metadata.labels["a b"]: must be a label key',
    );
  });
});

describe('NodePool with values that are known only at synth', () => {
  const app = () => new App({ yamlOutputType: YamlOutputType.FILE_PER_APP });

  test('accepts them, and writes the final values', () => {
    const chart = newChart();
    newNodePool(chart, { weight: Lazy.any({ produce: () => 7 }) });
    expect(specOf(chart, 'NodePool').weight).toBe(7);
  });

  test('rejects invalid final values at synth, with the path', () => {
    const it = app();
    newNodePool(new Chart(it, 'chart'), { weight: Lazy.any({ produce: () => 700 }) });
    expect(() => it.synthYaml()).toThrow('[chart/pool] spec.weight: must be an integer from 1 to 100, got 700');
  });

  test('rejects invalid final metadata at synth', () => {
    const it = app();
    const pool = newNodePool(new Chart(it, 'chart'), { metadata: { name: Lazy.any({ produce: () => 'My_Pool' }) } });
    pool.apiObject.metadata.addLabel('a b', 'c');
    expect(() => it.synthYaml()).toThrow(
      /\[chart\/pool\] metadata\.name: must be a DNS name[^]*\[chart\/pool\] metadata\.labels\["a b"\]: must be a label key/,
    );
  });

  test('accepts tokens of the AWS CDK in strings', () => {
    const chart = newChart();
    expect(() => newNodePool(chart, { labels: { vpc: '${Token[VPC.Id.12]}' } })).not.toThrow();
  });

  test('still rejects other invalid values', () => {
    const props = { weight: Lazy.any({ produce: () => 7 }), labels: { 'a b': '${Token[X.1]}', ok: 'c d' } };
    expect(() => newNodePool(newChart(), props)).toThrow('labels.ok: must be a label value, got "c d"');
  });
});
