import { taintWithoutToleration } from '../../../../src/validation/rules/instance-selection/taint-without-toleration';
import { daemonSet, deployment, foreignNode, judge, manifest, nodeClass, nodePool, requiredAffinity } from '../judge';

const rule = taintWithoutToleration;
const GPU = { key: 'nvidia.com/gpu', effect: 'NoSchedule' };
const gpuPool = nodePool('gpu', { labels: { pool: 'gpu' }, taints: [GPU] });
const toleration = { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' };
const train = (pod: object) => deployment('train', { nodeSelector: { pool: 'gpu' }, ...pod });
const trainStates = (states: readonly string[]) => states.filter((state) => state.endsWith('Deployment/train'));

describe('KARP-211 taint-without-toleration', () => {
  test('reports a workload whose only NodePools have taints that it does not tolerate', () => {
    const { states, findings } = judge(rule, [nodeClass(), nodePool('default'), gpuPool, train({})]);
    expect(trainStates(states)).toEqual(['fail Deployment/train']);
    expect(findings[0].message).toContain('NodePool gpu has nvidia.com/gpu:NoSchedule');
    expect(findings[0].remedy).toContain('{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}');
    expect(findings[0].severity).toBeUndefined();
  });

  test.each([
    ['the pods select nodes by the same key and value', { nodeSelector: { team: 'b' } }, []],
    ['another NodePool has the taint', {}, [{ key: 'team', value: 'b', effect: 'NoSchedule' }]],
  ])('only notes that no pod is for a NodePool if %s', (_, pod, taints) => {
    const tolerations = [{ key: 'team', value: 'b', effect: 'NoSchedule' }];
    const { findings } = judge(rule, [
      nodeClass(),
      nodePool('a', { taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }] }),
      nodePool('b', { taints, labels: { team: 'b' } }),
      deployment('web', { tolerations, ...pod }),
    ]);
    expect(findings.map(({ object, severity }) => [object.name, severity])).toEqual([['a', 'info']]);
  });

  describe('with only NodePools that have taints', () => {
    const judged = (pod: object, ...documents: string[]) =>
      judge(rule, [nodeClass(), gpuPool, deployment('train', pod), ...documents]).findings[0];

    test('warns about pods that are for none of them, because other nodes may run these pods', () => {
      const { message, severity } = judged({});
      expect(severity).toBe('warning');
      expect(message).toContain('launches no node for them, and they wait unless the cluster has other nodes');
    });

    test.each([
      ['select the nodes of one', { nodeSelector: { pool: 'gpu' } }],
      ['tolerate another taint', { tolerations: [{ key: 'team', operator: 'Exists' }] }],
    ])('has an error about pods that %s', (_, pod) => {
      expect(judged(pod)).toMatchObject({
        severity: undefined,
        message: expect.stringContaining('so they stay Pending'),
      });
    });
  });

  test('suggests a toleration with the value of the taint', () => {
    const pool = nodePool('team', { taints: [{ key: 'team', value: 'a', effect: 'NoExecute' }] });
    expect(judge(rule, [nodeClass(), pool, deployment('train')]).findings[0].remedy).toContain(
      '{key: team, operator: Equal, value: "a", effect: NoExecute}',
    );
  });

  test('names all taints that are not tolerated', () => {
    const pool = nodePool('team', {
      taints: [{ key: 'team', value: 'a', effect: 'NoExecute' }, GPU, { key: 'soft', effect: 'PreferNoSchedule' }],
    });
    const {
      findings: [workloadFinding, ...others],
    } = judge(rule, [nodeClass(), pool, deployment('train')]);
    const both =
      'the tolerations {key: team, operator: Equal, value: "a", effect: NoExecute} and {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}';
    expect(workloadFinding.message).toContain('NodePool team has team=a:NoExecute and nvidia.com/gpu:NoSchedule');
    expect(workloadFinding.remedy).toBe(
      `add a NodePool without these taints for them, or, if they belong on nodes of NodePool team, ${both}`,
    );
    expect(workloadFinding.fix).toBeUndefined();
    expect(others).toEqual([]);
  });

  test('passes a workload with a matching node in the cluster', () => {
    expect(judge(rule, [nodeClass(), gpuPool, deployment('web')], { cluster: foreignNode() }).states).toEqual([
      'pass Deployment/web',
      'fail NodePool/gpu',
    ]);
  });

  test('is not evaluated if a built-in NodePool of EKS Auto Mode may accept the pods', () => {
    const auto = nodePool('arm', {
      nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' },
      taints: [GPU],
    });
    const arm = deployment('web', { nodeSelector: { 'karpenter.sh/nodepool': 'arm' } });
    expect(judge(rule, [auto, deployment('web')]).states[0]).toBe('not-evaluated Deployment/web');
    expect(judge(rule, [auto, arm]).states[0]).toBe('fail Deployment/web');
  });

  test('passes a tolerated taint', () => {
    expect(judge(rule, [nodeClass(), gpuPool, train({ tolerations: [toleration] })]).states).toEqual([
      'pass Deployment/train',
      'pass NodePool/gpu',
    ]);
  });

  test('passes if another NodePool accepts the pods', () => {
    expect(
      trainStates(
        judge(rule, [nodeClass(), gpuPool, nodePool('plain', { labels: { pool: 'gpu' } }), train({})]).states,
      ),
    ).toEqual(['pass Deployment/train']);
  });

  test('passes a PreferNoSchedule taint', () => {
    const pool = nodePool('soft', { taints: [{ key: 'a', effect: 'PreferNoSchedule' }] });
    expect(judge(rule, [nodeClass(), pool, deployment('train')]).states).toEqual(['pass Deployment/train']);
  });

  test('notes a NodePool with a taint that no workload tolerates, because its pods may come from elsewhere', () => {
    const { findings } = judge(rule, [nodeClass(), gpuPool, nodePool('default'), deployment('web')]);
    expect(findings.map(({ severity, object }) => [severity, object.name])).toEqual([['info', 'gpu']]);
  });

  test.each([
    [{ key: 'nvidia.com/gpuu', operator: 'Exists' }, '{key: nvidia.com/gpuu, operator: Exists}'],
    [
      { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoExecute' },
      '{key: nvidia.com/gpu, operator: Exists, effect: NoExecute}',
    ],
  ])('warns if a workload tolerates nearly the same: %j', (tolerated, text) => {
    const { findings } = judge(rule, [
      nodeClass(),
      gpuPool,
      nodePool('default'),
      deployment('web', { tolerations: [tolerated] }),
    ]);
    expect(findings).toMatchObject([
      { severity: 'warning', message: expect.stringMatching(new RegExp(`; Deployment web tolerates ${text}$`)) },
    ]);
  });

  test('warns of a taint that an agent removes, which belongs to startupTaints', () => {
    const cilium = { key: 'node.cilium.io/agent-not-ready', value: 'true', effect: 'NoExecute' };
    const input = [nodeClass(), nodePool('default'), nodePool('spot', { taints: [cilium] }), deployment('web')];
    const [{ severity, path, remedy, fix }] = judge(rule, input).findings;
    const place = ['spec', 'template', 'spec', 'taints'];
    expect({ severity, path, remedy }).toEqual({
      severity: 'warning',
      path: [...place, 0, 'key'],
      remedy: 'move the taint to startupTaints',
    });
    expect(fix?.edits).toMatchObject([
      { operation: 'append', value: cilium },
      { operation: 'remove', path: place },
    ]);
  });

  test('is not evaluated for a NodePool whose taints a Workflow tolerates, because its pods are not counted', () => {
    const workflow = (tolerations: unknown) =>
      manifest('argoproj.io/v1alpha1', 'Workflow', 'nightly', { templates: [{ name: 'main', tolerations }] });
    const judged = (tolerations: unknown) =>
      judge(rule, [nodeClass(), gpuPool, nodePool('default'), deployment('web'), workflow(tolerations)]);
    expect(judged([toleration]).whys).toEqual(['Workflow nightly tolerates its taints, but its pods are not counted']);
    expect(judged([{ key: 'other', operator: 'Exists' }]).findings).toHaveLength(1);
    expect(judged([5, {}, null]).whys).toEqual([]);
  });

  test.each([
    ['another field', { containers: [{ name: 'a', image: 'a', resources: { requests: { memory: '4GB' } } }] }, {}],
    ['its toleration', {}, { tolerationSeconds: 5 }],
  ])(
    'is not evaluated for a NodePool whose taints a Deployment tolerates that is refused for %s',
    (_, spec, seconds) => {
      const refused = deployment('train', { ...spec, tolerations: [{ ...toleration, ...seconds }] });
      expect(judge(rule, [nodeClass(), gpuPool, nodePool('default'), deployment('web'), refused]).whys).toEqual([
        'Deployment train tolerates its taints, but its pods are not counted',
      ]);
    },
  );

  test('does not apply to workloads that no NodePool could accept anyway, for other nodes, or to daemonsets', () => {
    const lost = deployment('train', { nodeSelector: { unknown: 'x' } });
    const other = deployment('train', requiredAffinity([{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }]));
    for (const documents of [[lost], [other], [daemonSet('train', {})]]) {
      expect(trainStates(judge(rule, [nodeClass(), gpuPool, ...documents]).states)).toEqual([]);
    }
  });

  test('does not apply without workloads or without NodePools', () => {
    expect(judge(rule, [nodeClass(), gpuPool]).outcomes).toEqual([]);
    expect(judge(rule, [train({})]).outcomes).toEqual([]);
  });

  test('is not evaluated if a NodePool or a toleration is known only at deployment', () => {
    const unknown = nodePool('unknown', { labels: { pool: '${Token[TOKEN.5]}' } });
    expect(trainStates(judge(rule, [nodeClass(), gpuPool, unknown, train({})]).states)).toEqual([
      'not-evaluated Deployment/train',
    ]);
    const open = train({ tolerations: [{ ...toleration, key: '${Token[TOKEN.6]}' }] });
    expect(judge(rule, [nodeClass(), gpuPool, open]).states).not.toContainEqual(expect.stringContaining('fail'));
  });
});
