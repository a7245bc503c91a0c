import { safeFix, setField } from '../../../../src/contract';
import { check } from '../../../../src/validation';
import { affinityUnsatisfiableByAnyPool } from '../../../../src/validation/rules/instance-selection/affinity-unsatisfiable-by-any-pool';
import { daemonSet, deployment, judge, nodeClass, nodePool, oneOf } from '../judge';

const rule = affinityUnsatisfiableByAnyPool;
const CLASS = nodeClass();
const inZone = (zone: string) => ({ nodeSelector: { 'topology.kubernetes.io/zone': zone } });
const rulesOf = (...documents: string[]) =>
  check([{ path: 'all.yaml', text: documents.join('\n---\n') }], { zones: ['us-east-1a', 'us-east-1b'] })
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ rule: id }) => id);

describe('KARP-213 affinity-unsatisfiable-by-any-pool', () => {
  test('reports pods that every NodePool refuses, with the reason and the smallest change', () => {
    const pool = nodePool('default', { requirements: [oneOf('topology.kubernetes.io/zone', 'us-east-1a')] });
    const {
      states,
      findings: [{ message, remedy, path }],
    } = judge(rule, [CLASS, pool, deployment('web', inZone('us-east-1b'), { replicas: 2 })]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(message).toBe(
      'its 2 pods fit on no node, so they stay Pending: NodePool default: the pod requires topology.kubernetes.io/zone In [us-east-1b], and the NodePool allows In [us-east-1a]',
    );
    expect(remedy).toContain('us-east-1b');
    expect(path).toEqual(['spec', 'template', 'spec', 'nodeSelector', 'topology.kubernetes.io/zone']);
  });

  test('advises a family that is like those of the NodePool, even if the zone has only old ones of its category', () => {
    const pool = nodePool('default', { requirements: [oneOf('karpenter.k8s.aws/instance-family', 'm7i')] });
    const zoneIds = { 'us-east-1a': 'use1-az1', 'us-east-1e': 'use1-az3' };
    const {
      findings: [{ remedy }],
    } = judge(rule, [CLASS, pool, deployment('web', inZone('us-east-1e'))], {
      region: 'us-east-1',
      zones: Object.keys(zoneIds),
      zoneIds,
    });
    expect(remedy).toBe('allow instance family m4 in NodePool default');
  });

  describe('for pods that exclude a label', () => {
    const labelled = (...values: string[]) => values.map((value) => nodePool(value, { labels: { tier: value } }));
    const excluding = (operator: string, ...values: string[]) =>
      deployment('web', {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'tier', operator, ...(values.length > 0 ? { values } : {}) }] },
              ],
            },
          },
        },
      });
    const states = (pools: string[], pod: string) => judge(rule, [CLASS, ...pools, pod]).states;

    test('does not apply if every NodePool sets it, because other nodes are meant', () => {
      expect(states(labelled('a'), excluding('NotIn', 'a'))).toEqual([]);
      expect(states(labelled('a', 'b'), excluding('DoesNotExist'))).toEqual([]);
    });

    test('passes if one NodePool does not set it', () => {
      expect(states(labelled('a', 'b'), excluding('NotIn', 'a'))).toEqual(['pass Deployment/web']);
      expect(states([...labelled('a'), nodePool('c')], excluding('DoesNotExist'))).toEqual(['pass Deployment/web']);
    });
  });

  test('passes pods with a node, and does not apply to 0 replicas', () => {
    expect(
      judge(rule, [CLASS, nodePool('default'), deployment('web'), deployment('off', {}, { replicas: 0 })]).states,
    ).toEqual(['pass Deployment/web']);
  });

  test('passes pods that need several provisioning passes, which the assumptions name', () => {
    const term = { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: { app: 'web' } } };
    const apart = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    const verdict = (replicas: number) =>
      check(
        [
          {
            path: 'all.yaml',
            text: [CLASS, nodePool('default'), deployment('web', apart, { replicas })].join('\n---\n'),
          },
        ],
        { zones: ['us-east-1a', 'us-east-1b'] },
      );
    expect(verdict(2).unschedulable).toEqual([]);
    expect(verdict(2).findings.map(({ rule: id }) => id)).not.toContain('KARP-213');
    expect(verdict(2).assumptions).toContainEqual(
      expect.stringMatching(/^1 pod waits for later passes of Karpenter \(2 in all\): .*until their node is launched$/),
    );
    expect(verdict(3).findings.find(({ rule: id }) => id === 'KARP-213')?.message).toMatch(
      /^1 of its 3 pods fits on no node, so it stays Pending/,
    );
  });

  test('passes pods that use the room of a DaemonSet that does not run on their node, which the assumptions name', () => {
    const pool = nodePool('default', {
      requirements: [
        oneOf('node.kubernetes.io/instance-type', 'm5.large'),
        oneOf('karpenter.sh/capacity-type', 'spot', 'on-demand'),
      ],
    });
    const agent = daemonSet('agent', { cpu: '1' }, { nodeSelector: { 'karpenter.sh/capacity-type': 'on-demand' } });
    const of = (cpu: string) => ({ containers: [{ name: 'main', image: 'a:1', resources: { requests: { cpu } } }] });
    const text = [CLASS, pool, agent, deployment('web', of('1200m')), deployment('small', of('500m'))].join('\n---\n');
    const { unschedulable, assumptions } = check([{ path: 'all.yaml', text }], { zones: ['us-east-1a', 'us-east-1b'] });
    expect(unschedulable).toEqual([]);
    expect(assumptions).toContainEqual(
      '1 pod waits for later passes of Karpenter (2 in all): until a node is launched, it keeps room for every DaemonSet that it could run',
    );
  });

  test('reports pods that Karpenter ignores because of a misspelt value, at the value, with a fix', () => {
    const {
      findings: [{ message, remedy, path, fix }],
    } = judge(rule, [
      CLASS,
      nodePool('default'),
      deployment('web', { nodeSelector: { 'karpenter.sh/capacity-type': 'Spot' } }),
    ]);
    expect(message).toBe(
      'its pod fits on no node, so it stays Pending: no valid values found in [Spot] for karpenter.sh/capacity-type, expected one of [on-demand reserved spot]: Karpenter ignores the pod',
    );
    expect(remedy).toBe('select nodes with capacity type spot instead of Spot');
    const value = ['spec', 'template', 'spec', 'nodeSelector', 'karpenter.sh/capacity-type'];
    expect(path).toEqual(value);
    expect(fix).toEqual(safeFix(setField(value, 'spot')));
  });

  test.each([
    [
      'storageClassName: ""',
      '',
      'name a StorageClass in PersistentVolumeClaim default/data: storageClassName: gp3, for example',
    ],
    [
      'volumeName: pv-1',
      'status: { phase: Lost }\n',
      'restore the PersistentVolume of PersistentVolumeClaim default/data; if its data is not needed, mount a new claim',
    ],
  ])('advises to change the volume claim that Karpenter ignores the pods for: %s', (spec, status, remedy) => {
    const claim = `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data }\nspec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }, ${spec} }\n${status}`;
    const web = deployment('web', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] });
    expect(judge(rule, [CLASS, nodePool('default'), claim, web]).findings.map((finding) => finding.remedy)).toEqual([
      remedy,
    ]);
  });

  test.each([
    ['without a NodePool', [CLASS, deployment('web')]],
    [
      'to daemonsets, which have a pod on each node',
      [CLASS, nodePool('default'), daemonSet('agent', {}, inZone('us-east-1f'))],
    ],
    [
      'to pods for nodes of node groups',
      [CLASS, nodePool('default'), deployment('web', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'a' } })],
    ],
    [
      'to pods for the node group of Karpenter',
      [CLASS, nodePool('default'), deployment('web', { nodeSelector: { 'karpenter.sh/controller': 'true' } })],
    ],
  ])('does not apply %s', (_, documents) => {
    expect(judge(rule, documents).outcomes).toEqual([]);
  });

  test.each([
    ['of the selected type', { instanceType: 't3.large' }, 'info'],
    ['that may have the selected type', { instanceSelector: { vCPUs: 2 } }, 'info'],
    ['of another type', { instanceType: 'm7i.large' }, undefined],
    ['of several other types', { instancesDistribution: { instanceTypes: ['m7i.large', 'm7a.large'] } }, undefined],
  ])('says that pods may run in a node group only if it has their instance type: %s', (_, group, severity) => {
    const fields = { apiVersion: 'eksctl.io/v1alpha5', kind: 'ClusterConfig', metadata: { name: 'a' } };
    const cluster = JSON.stringify({ ...fields, managedNodeGroups: [{ name: 'system', ...group }] });
    const pool = nodePool('default', { requirements: [oneOf('node.kubernetes.io/instance-type', 'm5.large')] });
    const web = deployment('web', { nodeSelector: { 'node.kubernetes.io/instance-type': 't3.large' } });
    expect(judge(rule, [CLASS, pool, web, cluster]).findings.map((found) => found.severity)).toEqual([severity]);
  });

  test.each([
    ['kubernetes.io/zone', 'DoNotSchedule', {}, 'error'],
    ['rack', 'DoNotSchedule', {}, 'error'],
    ['rack', 'DoNotSchedule', { labels: { rack: 'r1' } }, 'info'],
    ['eks.amazonaws.com/nodegroup', 'DoNotSchedule', {}, 'info'],
  ])(
    'says that a node group may run a spread over %s, %s only if it may have the label: %o',
    (key, policy, group, severity) => {
      const fields = { apiVersion: 'eksctl.io/v1alpha5', kind: 'ClusterConfig', metadata: { name: 'a' } };
      const cluster = JSON.stringify({ ...fields, managedNodeGroups: [{ name: 'system', ...group }] });
      const spread = {
        maxSkew: 1,
        topologyKey: key,
        whenUnsatisfiable: policy,
        labelSelector: { matchLabels: { app: 'web' } },
      };
      const web = deployment('web', { topologySpreadConstraints: [spread] });
      const found = judge(rule, [CLASS, nodePool('default'), web, cluster]).findings;
      expect(found.map((finding) => finding.severity ?? 'error')).toEqual([severity]);
    },
  );

  test('is not evaluated if a NodePool is known only at deployment, or if the pods are not evaluated', () => {
    const unknown = nodePool('unknown', { labels: { team: '${Token[TOKEN.7]}' } });
    const web = deployment('web', inZone('us-east-1f'));
    expect(judge(rule, [CLASS, nodePool('default'), unknown, web], { zones: ['us-east-1a'] }).states).toEqual([
      'not-evaluated Deployment/web',
    ]);
    expect(
      judge(rule, [CLASS, nodePool('default'), deployment('web', { schedulingGates: [{ name: 'later' }] })]).states,
    ).toEqual(['not-evaluated Deployment/web']);
  });

  test('is dropped if a more specific rule reports the workload', () => {
    const pool = nodePool('default');
    expect(rulesOf(CLASS, pool, deployment('web', inZone('us-east-1f')))).toEqual(['KARP-213']);
    expect(rulesOf(CLASS, pool, deployment('web', { nodeSelector: { project: 'core' } }))).toEqual(['KARP-106']);
  });
});
