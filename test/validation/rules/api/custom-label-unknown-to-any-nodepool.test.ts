import { customLabelUnknownToAnyNodePool } from '../../../../src/validation/rules/api/custom-label-unknown-to-any-nodepool';
import { daemonSet, deployment, foreignNode, judge, nodeClass, nodePool, oneOf, requiredAffinity } from '../judge';

const rule = customLabelUnknownToAnyNodePool;
const web = deployment('web', { nodeSelector: { project: 'core' } });

describe('KARP-106 custom-label-unknown-to-any-nodepool', () => {
  test('reports a label that no NodePool declares, and names the declared labels', () => {
    const pool = nodePool('default', { labels: { team: 'a' }, requirements: [{ key: 'tier', operator: 'Exists' }] });
    const { states, findings } = judge(rule, [nodeClass(), pool, web]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(findings[0].message).toContain(
      'requires the label project, which no NodePool declares (declared: team and tier)',
    );
    expect(findings[0].object.locate(findings[0].path).path).toBe('spec.template.spec.nodeSelector.project');
  });

  test('reports the name of an EC2 instance, which no new node has, but not names of other machines', () => {
    const key = 'kubernetes.io/hostname';
    const found = (pod: object) => judge(rule, [nodeClass(), nodePool('default'), deployment('web', pod)]).findings;
    const name = 'ip-10-0-43-117.eu-west-1.compute.internal';
    const [finding] = found({ nodeSelector: { [key]: name } });
    expect(finding).toMatchObject({ severity: 'warning', evidence: { hostnames: [name] } });
    expect(finding.message).toContain('no node that Karpenter launches has this name');
    expect(finding.fix?.edits).toHaveLength(1);
    expect(found(requiredAffinity([oneOf(key, 'i-0123456789abcdef0')]))).toHaveLength(1);
    expect(found({ nodeSelector: { [key]: 'rack-1' } })).toEqual([]);
    const cluster = foreignNode({ [key]: name });
    const documents = [nodeClass(), nodePool('default'), deployment('web', { nodeSelector: { [key]: name } })];
    expect(judge(rule, documents, { cluster }).findings).toEqual([]);
  });

  test('moves a label that is on the NodePool itself to its template', () => {
    const pool = JSON.parse(nodePool('core')) as { metadata: object };
    pool.metadata = { ...pool.metadata, labels: { project: 'core' } };
    const [finding] = judge(rule, [nodeClass(), nodePool('default'), JSON.stringify(pool), web]).findings;
    expect(finding.remedy).toBe(
      'move project from metadata.labels of NodePool core to its spec.template.metadata.labels',
    );
    expect(finding.also).toMatchObject([{ object: { name: 'core' } }]);
  });

  test('reports labels that no single NodePool declares together', () => {
    const both = deployment('both', { nodeSelector: { project: 'core', team: 'a' } });
    const pools = [nodePool('one', { labels: { project: 'core' } }), nodePool('two', { labels: { team: 'a' } })];
    expect(judge(rule, [nodeClass(), ...pools, both]).findings[0].message).toContain(
      'no single NodePool declares all of them',
    );
  });

  test.each([
    ['a template label', { labels: { project: 'core' } }],
    ['a requirement', { requirements: [{ key: 'project', operator: 'Exists' }] }],
  ])('passes if a NodePool declares the label by %s', (_, fields) => {
    expect(judge(rule, [nodeClass(), nodePool('other'), nodePool('default', fields), web]).states).toEqual([
      'pass Deployment/web',
    ]);
  });

  test('passes if a node of the cluster has the label and fits all pods', () => {
    const many = (replicas: number) =>
      deployment('web', { nodeSelector: { project: 'core' } }, { replicas, requests: { cpu: '10', memory: '1Gi' } });
    const states = (replicas: number) =>
      judge(rule, [nodeClass(), nodePool('default'), many(replicas)], { cluster: foreignNode({ project: 'core' }) })
        .states;
    expect(states(3)).toEqual(['pass Deployment/web']);
    expect(states(4)).toEqual(['fail Deployment/web']);
  });

  test('passes if one of several affinity terms can be met', () => {
    const either = deployment(
      'either',
      requiredAffinity([oneOf('project', 'core')], [oneOf('kubernetes.io/arch', 'amd64')]),
    );
    expect(judge(rule, [nodeClass(), nodePool('default'), either]).states).toEqual(['pass Deployment/either']);
  });

  test.each([
    ['without NodePools', [web]],
    [
      'to well-known labels',
      [nodePool('default'), deployment('web', { nodeSelector: { 'beta.kubernetes.io/arch': 'amd64' } })],
    ],
    [
      'to a label that must be absent',
      [nodePool('default'), deployment('web', requiredAffinity([{ key: 'project', operator: 'DoesNotExist' }]))],
    ],
    [
      'to preferences',
      [
        nodePool('default'),
        deployment('web', {
          affinity: {
            nodeAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                { weight: 1, preference: { matchExpressions: [oneOf('project', 'core')] } },
              ],
            },
          },
        }),
      ],
    ],
    [
      'to restricted labels, for which Karpenter launches no node',
      [nodePool('default'), deployment('web', { nodeSelector: { 'karpenter.sh/team': 'core' } })],
    ],
    [
      'to managed node groups',
      [
        nodePool('default'),
        deployment('web', { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'a', project: 'core' } }),
      ],
    ],
    [
      'to pods that exclude nodes of Karpenter',
      [
        nodePool('default'),
        deployment('web', {
          nodeSelector: { project: 'core' },
          ...requiredAffinity([{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }]),
        }),
      ],
    ],
    ['to daemonsets', [nodePool('default'), daemonSet('agent', {}, { nodeSelector: { project: 'core' } })]],
    [
      'to a misspelt well-known label, which KARP-105 reports',
      [nodePool('default'), deployment('web', { nodeSelector: { 'node.kubernetes.io/instance-family': 'm5' } })],
    ],
  ])('does not apply %s', (_, documents) => {
    expect(judge(rule, [nodeClass(), ...documents]).outcomes).toEqual([]);
  });

  test('passes a label of EKS Auto Mode if the input has a NodePool of Auto Mode', () => {
    const auto = nodePool('auto', { nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' } });
    expect(
      judge(rule, [auto, deployment('web', { nodeSelector: { 'eks.amazonaws.com/network-policy': 'a' } })]).states,
    ).toEqual(['pass Deployment/web']);
  });

  test('is not evaluated if labels of a NodePool are known only at deployment', () => {
    const unknown = nodePool('unknown', { labels: { team: '${Token[TOKEN.7]}' } });
    expect(judge(rule, [nodeClass(), unknown, web]).states).toEqual(['not-evaluated Deployment/web']);
  });

  test('does not name misspelt labels, which KARP-105 reports', () => {
    const { findings } = judge(rule, [
      nodeClass(),
      nodePool('default'),
      deployment('web', { nodeSelector: { team: 'web', 'node.kubernetes.io/instance-category': 'm' } }),
    ]);
    expect(findings[0].evidence).toMatchObject({ missing: ['team'] });
  });
});

describe('KARP-106 and nodes of their own', () => {
  const tolerated = (key: string, value: string) => ({
    nodeSelector: { [key]: value },
    tolerations: [{ key, operator: 'Equal', value, effect: 'NoSchedule' }],
  });
  const severityFor = (pod: object, pool: Parameters<typeof nodePool>[1] = {}) =>
    judge(rule, [nodeClass(), nodePool('default', pool), deployment('agent', pod)]).findings.map(
      ({ severity = 'error' }) => severity,
    );

  test.each([
    ['workload-type', 'jenkins-controller'],
    ['dedicated', 'gpu-batch'],
    ['node.company.io/role', 'ingress'],
  ])('notes pods that select and tolerate %s=%s, which no NodePool has', (key, value) => {
    expect(severityFor(tolerated(key, value))).toEqual(['info']);
  });

  test('notes pods that tolerate any value of the taint, by node affinity', () => {
    const pod = {
      ...requiredAffinity([oneOf('dedicated', 'db')]),
      tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    };
    expect(severityFor(pod)).toEqual(['info']);
  });

  test.each([
    ['has a similar key', { labels: { 'workload-typ': 'x' } }],
    ['has the value under another key', { labels: { team: 'jenkins-controller' } }],
    ['has the taint, but not the label', { taints: [{ key: 'workload-type', value: 'x', effect: 'NoSchedule' }] }],
  ])('stays an error if a NodePool %s', (_, pool) => {
    expect(severityFor(tolerated('workload-type', 'jenkins-controller'), pool)).toEqual(['error']);
  });

  test('stays an error if no toleration repeats the label', () => {
    expect(severityFor({ nodeSelector: { 'workload-type': 'jenkins-controller' } })).toEqual(['error']);
  });
});
