import { requirementKeyNotWellKnown } from '../../../../src/validation/rules/api/requirement-key-not-well-known';
import { deployment, foreignNode, judge, nodeClass, nodePool, oneOf, requiredAffinity, types } from '../judge';

const rule = requirementKeyNotWellKnown;

describe('KARP-105 requirement-key-not-well-known', () => {
  test('reports a known name under the wrong domain, and counts the types with and without the correction', () => {
    const requirements = [
      types('m5.large', 't3.large', 't3.xlarge'),
      oneOf('node.kubernetes.io/instance-category', 't'),
    ];
    const { states, findings } = judge(rule, [nodeClass(), nodePool('default', { requirements })]);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain(
      '(all 3 types remain); did you mean karpenter.k8s.aws/instance-category, which would leave 2 types?',
    );
    expect(findings[0].severity).toBeUndefined();
    expect(findings[0].object.locate(findings[0].path).path).toBe('spec.template.spec.requirements[1].key');
  });

  test.each([
    ['eks.amazonaws.com/capacityType', 'karpenter.sh/capacity-type', 'restricts no instance type'],
    ['node.kubernetes.io/instance-typ', 'node.kubernetes.io/instance-type', 'restricts no instance type'],
    ['karpenter.k8s.aws/instance-famly', 'karpenter.k8s.aws/instance-family', 'the API server rejects the NodePool'],
    ['karpenter.sh/provisioner-name', 'karpenter.sh/nodepool', 'the API server rejects the NodePool'],
  ])('reports %s and suggests %s', (key, suggestion, effect) => {
    const { findings } = judge(rule, [
      nodeClass(),
      nodePool('default', { requirements: [{ key, operator: 'Exists' }] }),
    ]);
    expect(findings.map(({ evidence }) => evidence.suggestion)).toEqual([suggestion]);
    expect(findings[0].message).toContain(effect);
  });

  test('passes if the NodePool restricts the meant label already', () => {
    const requirements = [
      oneOf('karpenter.k8s.aws/instance-category', 'm'),
      oneOf('node.kubernetes.io/instance-category', 'm'),
    ];
    expect(judge(rule, [nodeClass(), nodePool('default', { requirements })]).states).toEqual(['pass NodePool/default']);
    const labels = { 'node.kubernetes.io/arch': 'arm64' };
    expect(
      judge(rule, [nodeClass(), nodePool('default', { labels, requirements: [oneOf('kubernetes.io/arch', 'arm64')] })])
        .states,
    ).toEqual(['pass NodePool/default']);
  });

  test('passes a template label with a value that no instance type has', () => {
    expect(
      judge(rule, [nodeClass(), nodePool('default', { labels: { 'node.kubernetes.io/instance-category': 'compute' } })])
        .states,
    ).toEqual(['pass NodePool/default']);
  });

  test('advises other values if the meant label with the same values leaves no instance type', () => {
    const [finding] = judge(rule, [
      nodeClass(),
      nodePool('default', { requirements: [oneOf('eks.amazonaws.com/capacityType', 'SPOT')] }),
    ]).findings;
    expect(finding.message).toMatch(/did you mean karpenter.sh\/capacity-type\?$/);
    expect(finding.remedy).toBe(
      'write karpenter.sh/capacity-type with values that instance types have, or remove the requirement',
    );
  });

  test('reports a label of a self-managed Karpenter in a NodePool of Auto Mode', () => {
    const requirements = [
      oneOf('karpenter.k8s.aws/instance-category', 'm'),
      oneOf('eks.amazonaws.com/instance-cpu', '4'),
    ];
    const auto = nodePool('auto', {
      nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' },
      requirements,
    });
    expect(judge(rule, [auto]).findings).toMatchObject([
      {
        severity: 'warning',
        message:
          'requirement on karpenter.k8s.aws/instance-category, a label of a self-managed Karpenter: it selects no instance types of EKS Auto Mode, whose label is eks.amazonaws.com/instance-category',
        remedy: 'write eks.amazonaws.com/instance-category',
      },
    ]);
  });

  test('passes a pod with a label of EKS Auto Mode if the input has a NodePool of Auto Mode', () => {
    const auto = nodePool('auto', { nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' } });
    const web = deployment('web', { nodeSelector: { 'eks.amazonaws.com/instance-gpu-name': 'a10g' } });
    expect(judge(rule, [auto, web]).states).toContain('pass Deployment/web');
    expect(judge(rule, [nodeClass(), nodePool('default'), web]).states).toContain('fail Deployment/web');
  });

  test('reports a warning under another domain if instance types have the values, and passes other values', () => {
    const [meant, own] = ['t', 'frontend'].map((value) =>
      judge(rule, [
        nodeClass(),
        nodePool('default', { requirements: [oneOf('example.com/instance-category', value)] }),
      ]),
    );
    expect(meant.findings.map(({ severity }) => severity)).toEqual(['warning']);
    expect(own.states).toEqual(['pass NodePool/default']);
  });

  test('reports a warning for a template label under the wrong domain', () => {
    const labels = { 'node.kubernetes.io/instance-family': 'm5', team: 'a' };
    const { findings } = judge(rule, [nodeClass(), nodePool('default', { labels })]);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      severity: 'warning',
      evidence: { suggestion: 'karpenter.k8s.aws/instance-family' },
    });
  });

  test('suggests no label with the name of the NodePool, which the API server refuses in a NodePool', () => {
    const key = 'node.kubernetes.io/nodepool';
    const labelled = nodePool('x86', { labels: { [key]: 'x86' } });
    const required = nodePool('arm', { requirements: [oneOf(key, 'arm')] });
    expect(judge(rule, [nodeClass(), labelled, required]).states).toEqual(['pass NodePool/x86', 'pass NodePool/arm']);
    const old = nodePool('old', { requirements: [oneOf('karpenter.sh/provisioner-name', 'old')] });
    const [finding] = judge(rule, [nodeClass(), old]).findings;
    expect(finding).toMatchObject({ remedy: 'remove it, because Karpenter sets karpenter.sh/nodepool itself' });
    expect(finding.fix).toBeUndefined();
  });

  test('reports a workload that requires the label of v1alpha5 provisioners', () => {
    const web = deployment('web', { nodeSelector: { 'karpenter.sh/provisioner-name': 'default' } });
    const { states, findings } = judge(rule, [nodeClass(), nodePool('default'), web]);
    expect(states).toEqual(['pass NodePool/default', 'fail Deployment/web']);
    expect(findings[0].remedy).toBe('write karpenter.sh/nodepool and the name of a NodePool');
  });

  test.each<[string, Record<string, string>, string]>([
    ['the same value', { 'node.kubernetes.io/instance-category': 'm' }, 'write karpenter.k8s.aws/instance-category'],
    [
      'a value that leaves no instance type',
      { 'node.kubernetes.io/instance-category': 'general' },
      'write karpenter.k8s.aws/instance-category with values that instance types have',
    ],
    [
      'a meant label that is required already',
      { 'node.kubernetes.io/arch': 'arm64', 'kubernetes.io/arch': 'arm64' },
      'remove it, because kubernetes.io/arch is required already',
    ],
  ])('advises a workload with %s what leaves instance types', (_, nodeSelector, remedy) => {
    const { findings } = judge(rule, [nodeClass(), nodePool('default'), deployment('web', { nodeSelector })]);
    expect(findings.map((finding) => finding.remedy)).toEqual([remedy]);
  });

  test('reports the key in the node affinity of a workload', () => {
    const web = deployment('web', requiredAffinity([oneOf('node.kubernetes.io/instance-family', 'm5')]));
    const { findings } = judge(rule, [nodeClass(), nodePool('default'), web]);
    expect(findings[0].object.locate(findings[0].path).path).toMatch(
      /nodeSelectorTerms\[0\]\.matchExpressions\[0\]\.key$/,
    );
  });

  test('passes a workload with another affinity term that can be met', () => {
    const old = { key: 'eks.amazonaws.com/capacityType', operator: 'In', values: ['ON_DEMAND'] };
    const affinity = requiredAffinity([old], [oneOf('karpenter.sh/capacity-type', 'on-demand')]);
    expect(judge(rule, [nodeClass(), nodePool('default'), deployment('web', affinity)]).states).toEqual([
      'pass NodePool/default',
      'pass Deployment/web',
    ]);
  });

  test('passes a workload with a matching node in the cluster', () => {
    const key = 'node.kubernetes.io/instance-family';
    const documents = [nodeClass(), nodePool('default'), deployment('web', { nodeSelector: { [key]: 'm5' } })];
    expect(judge(rule, documents, { cluster: foreignNode({ [key]: 'm5' }) }).states).toEqual([
      'pass NodePool/default',
      'pass Deployment/web',
    ]);
  });

  describe('preferences', () => {
    const labels = { 'example.com/rack': 'a' };
    const soft = (topologyKey: string) => ({ maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway', topologyKey });
    const near = (topologyKey: string) => ({
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey } }],
    });
    const nodes = (...keys: string[]) => ({
      preferredDuringSchedulingIgnoredDuringExecution: keys.map((key) => ({
        weight: 1,
        preference: { matchExpressions: [oneOf(key, 'a')] },
      })),
    });
    const suggestions = (spec: object) =>
      judge(rule, [nodeClass(), nodePool('default', { labels }), deployment('web', spec)]).findings.map(
        ({ object, path, evidence: { suggestion } }) => [
          object.locate(path).path.replace(/.*spec\.(?=to|af)/, ''),
          suggestion,
        ],
      );

    test('reports misspelt keys of spreads and affinities that Karpenter drops', () => {
      expect(
        suggestions({
          topologySpreadConstraints: [soft('topology.kubernetes.io/zone-name'), soft('kubernetes.io/hostname')],
          affinity: { podAntiAffinity: near('failure-domain.beta.kubernetes.io/zone'), podAffinity: near('host') },
        }),
      ).toEqual([
        ['topologySpreadConstraints[0].topologyKey', 'topology.kubernetes.io/zone'],
        [
          'affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey',
          'kubernetes.io/hostname',
        ],
        [
          'affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.topologyKey',
          'topology.kubernetes.io/zone',
        ],
      ]);
    });

    test('reports misspelt keys of preferred node affinity, but no label of other nodes', () => {
      const nodeAffinity = nodes(
        ...['node.kubernetes.io/instance-family', 'example.com/rak', 'example.com/other'],
        ...['eks.amazonaws.com/nodegroup', 'failure-domain.beta.kubernetes.io/zone', 'kubernetes.io/hostname'],
      );
      expect(suggestions({ affinity: { nodeAffinity } }).map(([, suggestion]) => suggestion)).toEqual([
        'karpenter.k8s.aws/instance-family',
        'example.com/rack',
      ]);
    });

    test('passes keys that a NodePool or a running node has, and keys that resemble none', () => {
      expect(suggestions({ topologySpreadConstraints: [soft('example.com/rack'), soft('example.com/shelf')] })).toEqual(
        [],
      );
      const web = deployment('web', { topologySpreadConstraints: [soft('zone')] });
      expect(
        judge(rule, [nodeClass(), nodePool('default'), web], { cluster: foreignNode({ zone: 'a' }) }).findings,
      ).toEqual([]);
    });
  });

  test('passes a workload whose key a NodePool declares', () => {
    const labels = { 'node.kubernetes.io/instance-family': 'm5' };
    const web = deployment('web', { nodeSelector: labels });
    expect(judge(rule, [nodeClass(), nodePool('default', { labels }), web]).states).toContain('pass Deployment/web');
  });

  test('passes well-known labels, their old aliases, and labels that resemble none', () => {
    const requirements = [
      oneOf('kubernetes.io/arch', 'amd64'),
      oneOf('failure-domain.beta.kubernetes.io/zone', 'us-east-1a'),
      oneOf('example.com/team', 'a'),
      oneOf('kubernetes.io/role', 'web'),
    ];
    expect(judge(rule, [nodeClass(), nodePool('default', { requirements })]).states).toEqual(['pass NodePool/default']);
  });

  test('does not apply to workloads without node constraints, for managed node groups, or that only exclude a label', () => {
    const free = deployment('free');
    const managed = deployment('managed', { nodeSelector: { 'eks.amazonaws.com/capacityType': 'SPOT' } });
    const notFargate = deployment(
      'cloud',
      requiredAffinity([{ key: 'eks.amazonaws.com/compute-type', operator: 'NotIn', values: ['fargate'] }]),
    );
    expect(judge(rule, [nodeClass(), nodePool('default'), free, managed, notFargate]).states).toEqual([
      'pass NodePool/default',
    ]);
  });

  test('is not evaluated for a NodePool with values known only at deployment', () => {
    const requirements = [oneOf('node.kubernetes.io/instance-category', '${Token[TOKEN.1]}')];
    expect(judge(rule, [nodeClass(), nodePool('default', { requirements })]).states).toEqual([
      'not-evaluated NodePool/default',
    ]);
  });
});
