import { al2Eol } from '../../../../src/validation/rules/controller/al2-eol';
import { controllerCannotBeHa } from '../../../../src/validation/rules/controller/controller-cannot-be-ha';
import { controllerOnManagedNodes } from '../../../../src/validation/rules/controller/controller-on-managed-nodes';
import { controllerResourcesUnsetOrSmall } from '../../../../src/validation/rules/controller/controller-resources-unset-or-small';
import { crdsNotManaged } from '../../../../src/validation/rules/controller/crds-not-managed';
import { kubernetesKarpenterCompatibility } from '../../../../src/validation/rules/controller/k8s-karpenter-compat';
import { judge, judgeFiles, judgeStack, nodeClass, nodePool } from '../judge';
import { applied, chart, OPEN } from '../stack';

const CHART = 'Custom::AWSCDK-EKS-HelmChart/Karpenter';
const OPEN_CHART = {
  Type: 'Custom::AWSCDK-EKS-HelmChart',
  Properties: { ClusterName: 'prod', Chart: 'karpenter', Values: OPEN },
};
const cluster = (version: unknown = '1.34') => ({
  Type: 'AWS::EKS::Cluster',
  Properties: { Name: 'prod', Version: version },
});
const autoMode = {
  Type: 'AWS::EKS::Cluster',
  Properties: {
    Name: 'prod',
    Version: '1.34',
    ComputeConfig: { Enabled: true, NodePools: ['system', 'general-purpose'] },
  },
};
const nodeGroup = (minSize: unknown = 2) => ({
  Type: 'AWS::EKS::Nodegroup',
  Properties: { ClusterName: 'prod', NodeRole: 'arn', ScalingConfig: { MinSize: minSize } },
});
const OF_KARPENTER = [{ Key: 'app.kubernetes.io/name', Value: 'karpenter' }];
const fargate = {
  Type: 'AWS::EKS::FargateProfile',
  Properties: { ClusterName: 'prod', Selectors: [{ Namespace: 'kube-system', Labels: OF_KARPENTER }] },
};
function nodeAffinity(...terms: object[][]): object {
  const nodeSelectorTerms = terms.map((matchExpressions) => ({ matchExpressions }));
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}
const poolResource = (dependsOn: string[] = []) => applied([JSON.parse(nodePool('default'))], { dependsOn });

/** A Deployment as the chart renders it, with these fields of the pod's spec. */
function deployed(pod: object, replicas = 2): string {
  const env = [{ name: 'KARPENTER_SERVICE', value: 'karpenter' }];
  const spec = {
    replicas,
    template: {
      spec: { containers: [{ name: 'controller', image: 'public.ecr.aws/karpenter/controller:1.12.0', env }], ...pod },
    },
  };
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'karpenter', namespace: 'kube-system' },
    spec,
  });
}

describe('KARP-901 controller-on-managed-nodes', () => {
  const rule = controllerOnManagedNodes;
  const NOT_OWN = { key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' };
  const team = { key: 'team', operator: 'In', values: ['platform'] };

  test.each<[string, object]>([
    ['the defaults of the chart', { Karpenter: chart() }],
    ['the label of a node group', { Karpenter: chart({ nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' } }) }],
    [
      'the label karpenter.sh/controller',
      { Karpenter: chart({ affinity: null, nodeSelector: { 'karpenter.sh/controller': 'true' } }) },
    ],
    ['a label that no NodePool sets', { Karpenter: chart(nodeAffinity([team])) }],
    ['Fargate', { Karpenter: chart({ affinity: null }), Fargate: fargate }],
    ['a node group in its cluster', { Karpenter: chart(), Cluster: cluster(), Group: nodeGroup() }],
    [
      'a NodePool of EKS Auto Mode',
      {
        Karpenter: chart(nodeAffinity([{ key: 'karpenter.sh/nodepool', operator: 'In', values: ['system'] }])),
        Cluster: autoMode,
      },
    ],
    [
      'a NodePool of EKS Auto Mode in the node selector',
      { Karpenter: chart({ affinity: null, nodeSelector: { 'karpenter.sh/nodepool': 'system' } }), Cluster: autoMode },
    ],
    [
      'any node of EKS Auto Mode',
      {
        Karpenter: chart(nodeAffinity([{ key: 'eks.amazonaws.com/compute-type', operator: 'In', values: ['auto'] }])),
        Cluster: autoMode,
      },
    ],
  ])('passes with %s', (_, resources) => {
    expect(judgeStack(rule, resources, [nodeClass(), nodePool('default')]).states).toEqual([`pass ${CHART}`]);
  });

  test.each([
    ['0.27.5', 'pass'],
    ['0.31.4', 'pass'],
    ['0.35.0', 'fail'],
    [undefined, 'fail'],
  ])('takes the label of a Provisioner in release %s: %s', (servingVersion, state) => {
    const pod = nodeAffinity([{ key: 'karpenter.sh/provisioner-name', operator: 'DoesNotExist' }]);
    const text = deployed(pod).replace('controller:1.12.0', `controller:${servingVersion ?? '1.12.0'}`);
    expect(judge(rule, [text], { servingVersion }).states).toEqual([`${state} Deployment/karpenter`]);
  });

  test.each<[string, object, string]>([
    [
      "an affinity that replaces the chart's",
      { Karpenter: chart(nodeAffinity([{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }])) },
      'may be scheduled on nodes that it launches',
    ],
    [
      'an additional term, because terms are alternatives',
      { Karpenter: chart(nodeAffinity([NOT_OWN], [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }])) },
      'may be scheduled',
    ],
    [
      'an affinity that only excludes a node group',
      {
        Karpenter: chart(nodeAffinity([{ key: 'eks.amazonaws.com/nodegroup', operator: 'NotIn', values: ['batch'] }])),
      },
      'may be scheduled on nodes',
    ],
    ['no affinity', { Karpenter: chart({ affinity: null }) }, 'may be scheduled'],
    ['no other nodes than its own', { Karpenter: chart(), Cluster: cluster() }, 'has no node to run on: cluster prod'],
    [
      "only nodes of EKS Auto Mode, which the chart's affinity excludes",
      { Karpenter: chart(), Cluster: autoMode },
      'its affinity excludes the nodes of EKS Auto Mode',
    ],
  ])('fails with %s', (_, resources, message) => {
    expect(judgeStack(rule, resources).findings[0].message).toContain(message);
  });

  test('fails with its own NodePool that has the name of an EKS Auto Mode NodePool', () => {
    const affinity = nodeAffinity([{ key: 'karpenter.sh/nodepool', operator: 'In', values: ['system'] }]);
    expect(judgeStack(rule, { Karpenter: chart(affinity) }, [nodeClass(), nodePool('system')]).states).toEqual([
      `fail ${CHART}`,
    ]);
  });

  test('fails with a label that a NodePool sets', () => {
    const pool = nodePool('default', { labels: { team: 'platform' } });
    expect(judgeStack(rule, { Karpenter: chart(nodeAffinity([team])) }, [nodeClass(), pool]).states).toEqual([
      `fail ${CHART}`,
    ]);
  });

  test.each<[string, string, object, unknown, object]>([
    ['pass', 'its name', { 'app.kubernetes.io/instance': 'autoscaler' }, 'autoscaler', {}],
    ['fail', 'the name of another release', { 'app.kubernetes.io/instance': 'karpenter' }, 'autoscaler', {}],
    ['pass', 'nameOverride', { 'app.kubernetes.io/name': 'nodes' }, 'karpenter', { nameOverride: 'nodes' }],
    ['pass', 'a label of its pods', { team: 'platform' }, 'karpenter', { podLabels: { team: 'platform' } }],
    ['fail', 'a label that its pods lack', { team: 'platform' }, 'karpenter', {}],
    [
      'not-evaluated',
      'a name that is known only at deployment',
      { 'app.kubernetes.io/instance': 'karpenter' },
      OPEN,
      {},
    ],
  ])('has state %s if a Fargate profile selects the pods by %s', (state, _, labels, release, values) => {
    const selectors = [
      { Namespace: 'kube-system', Labels: Object.entries(labels).map(([Key, Value]) => ({ Key, Value })) },
    ];
    const profile = { Type: 'AWS::EKS::FargateProfile', Properties: { ClusterName: 'prod', Selectors: selectors } };
    const resources = { Karpenter: chart({ affinity: null, ...values }, { release }), Fargate: profile };
    expect(judgeStack(rule, resources, [nodeClass(), nodePool('default')]).states).toEqual([`${state} ${CHART}`]);
  });

  test('checks a rendered Deployment', () => {
    expect(judge(rule, [deployed({})]).states).toEqual(['fail Deployment/karpenter']);
    expect(judge(rule, [deployed(nodeAffinity([NOT_OWN]))]).states).toEqual(['pass Deployment/karpenter']);
  });

  test('does not apply if nothing installs Karpenter', () => {
    expect(
      judge(rule, [nodePool('default')], { controllerValues: { file: 'values.yaml', values: {} } }).outcomes,
    ).toEqual([]);
  });

  test('is not evaluated with values that are known only at deployment', () => {
    expect(judgeStack(rule, { Karpenter: OPEN_CHART }).states).toEqual([`not-evaluated ${CHART}`]);
  });
});

describe('KARP-902 controller-cannot-be-ha', () => {
  const rule = controllerCannotBeHa;

  test.each<[string, object]>([
    ['a node for each replica', { Karpenter: chart(), Cluster: cluster(), Group: nodeGroup() }],
    ['Fargate', { Karpenter: chart(), Cluster: cluster(), Group: nodeGroup(1), Fargate: fargate }],
    ['nodes that are not in the templates', { Karpenter: chart() }],
    [
      'replicas that may share a node',
      { Karpenter: chart({ affinity: { podAntiAffinity: null } }), Cluster: cluster(), Group: nodeGroup(1) },
    ],
  ])('passes with %s', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual([`pass ${CHART}`]);
  });

  test('fails with fewer nodes than replicas', () => {
    expect(judgeStack(rule, { Karpenter: chart(), Cluster: cluster(), Group: nodeGroup(1) }).findings[0].message).toBe(
      'Karpenter has 2 replicas that need separate nodes, but the node groups guarantee only 1 node: 1 replica may stay Pending',
    );
  });

  test('warns of one replica', () => {
    expect(judgeStack(rule, { Karpenter: chart({ replicas: 1 }) }).findings[0]).toMatchObject({ severity: 'warning' });
    expect(judge(rule, [deployed({}, 1)]).states).toEqual(['fail Deployment/karpenter']);
  });

  test('does not apply if nothing installs Karpenter', () => {
    expect(judge(rule, [nodePool('default')]).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['values', { Karpenter: OPEN_CHART }],
    ['replicas', { Karpenter: chart({ replicas: OPEN }) }],
    ["a node group's size", { Karpenter: chart(), Cluster: cluster(), Group: nodeGroup(OPEN) }],
  ])('is not evaluated with %s that are known only at deployment', (_, resources) => {
    expect(judgeStack(rule, resources).states).toEqual([`not-evaluated ${CHART}`]);
  });
});

describe('KARP-903 controller-resources-unset-or-small', () => {
  const rule = controllerResourcesUnsetOrSmall;
  const withResources = (resources: object) => ({ Karpenter: chart({ controller: { resources } }) });

  test.each<[string, object]>([
    ['requests', { requests: { cpu: 1, memory: '1Gi' }, limits: { memory: '1Gi' } }],
    ['limits, which are requests too', { limits: { cpu: 1, memory: '1Gi' } }],
  ])('passes with %s', (_, resources) => {
    expect(judgeStack(rule, withResources(resources)).states).toEqual([`pass ${CHART}`]);
  });

  test.each<[string, object, string]>([
    ['the defaults of the chart', { Karpenter: chart() }, 'requests no cpu or memory'],
    ['no request of memory', withResources({ requests: { cpu: 1 } }), 'requests no memory'],
    [
      'a limit below one CPU',
      withResources({ requests: { cpu: '250m', memory: '1Gi' }, limits: { cpu: '500m' } }),
      'has a cpu limit of 500m',
    ],
    [
      'a limit of memory for no cluster',
      withResources({ requests: { cpu: 1, memory: '128Mi' }, limits: { memory: '128Mi' } }),
      'has a memory limit of 128Mi',
    ],
  ])('warns of %s', (_, resources, message) => {
    expect(judgeStack(rule, resources).findings[0].message).toContain(message);
  });

  test('does not apply if nothing installs Karpenter', () => {
    expect(judge(rule, [nodePool('default')]).outcomes).toEqual([]);
  });

  test('is not evaluated with resources that are known only at deployment', () => {
    expect(judgeStack(rule, withResources({ requests: { cpu: OPEN, memory: '1Gi' } })).states).toEqual([
      `not-evaluated ${CHART}`,
    ]);
    expect(judgeStack(rule, { Karpenter: OPEN_CHART }).states).toEqual([`not-evaluated ${CHART}`]);
  });
});

describe('KARP-907 al2-eol', () => {
  const rule = al2Eol;
  const al2 = nodeClass('default', { amiSelectorTerms: [{ alias: 'al2@v20250915' }] });

  test('fails from Kubernetes 1.33 on', () => {
    expect(judgeStack(rule, { Cluster: cluster('1.33') }, [al2]).findings[0].message).toContain(
      'EKS publishes no AMI for Kubernetes 1.33',
    );
  });

  test.each([
    ['1.32', { Cluster: cluster('1.32') }],
    ['a version that is known only at deployment', { Cluster: cluster(OPEN) }],
    [
      'clusters with and without Amazon Linux 2',
      {
        Cluster: cluster('1.34'),
        Other: { Type: 'AWS::EKS::Cluster', Properties: { Name: 'other', Version: '1.32' } },
      },
    ],
    ['no cluster in the input', {}],
  ])('warns about a node class with %s', (_, resources) => {
    const { findings } = judgeStack(rule, resources, [al2]);
    expect(findings).toMatchObject([{ severity: 'warning', path: ['spec', 'amiSelectorTerms', 0, 'alias'] }]);
    expect(findings[0].message).toContain('EKS ended its AMIs in November 2025');
  });

  test('warns about AMIs that are selected by a name of Amazon Linux 2', () => {
    const terms = [{ name: 'amazon-eks-node-1.30-*' }];
    const named = nodeClass('default', { amiFamily: 'AL2', amiSelectorTerms: terms });
    expect(judge(rule, [named]).findings).toMatchObject([
      { severity: 'warning', path: ['spec', 'amiSelectorTerms', 0, 'name'] },
    ]);
  });

  test('passes custom AMIs', () => {
    const custom = nodeClass('default', { amiFamily: 'AL2', amiSelectorTerms: [{ id: 'ami-0123456789abcdef0' }] });
    expect(judgeStack(rule, { Cluster: cluster('1.34') }, [custom]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('does not apply to other families', () => {
    expect(judgeStack(rule, { Cluster: cluster('1.34') }, [nodeClass()]).outcomes).toEqual([]);
  });

  const withGroup = (version: unknown, AmiType: unknown, fields: object = {}) => ({
    Cluster: cluster(version),
    Nodes: { Type: 'AWS::EKS::Nodegroup', Properties: { ClusterName: 'prod', AmiType, ...fields } },
  });

  test.each([
    [
      'AL2_x86_64',
      'AL2023_x86_64_STANDARD; in the AWS CDK, pass amiType: NodegroupAmiType.AL2023_X86_64_STANDARD to addNodegroupCapacity',
    ],
    [
      'AL2_x86_64_GPU',
      'AL2023_x86_64_NVIDIA; in the AWS CDK, pass amiType: NodegroupAmiType.AL2023_X86_64_NVIDIA to addNodegroupCapacity',
    ],
    [
      'AL2_ARM_64',
      'AL2023_ARM_64_STANDARD; in the AWS CDK, pass amiType: NodegroupAmiType.AL2023_ARM_64_STANDARD to addNodegroupCapacity',
    ],
  ])('rejects a managed node group of AMI type %s from Kubernetes 1.33 on', (amiType, instead) => {
    const [finding] = judgeStack(rule, withGroup('1.34', amiType)).findings;
    expect(finding).toMatchObject({
      path: ['Properties', 'AmiType'],
      remedy: `write ${instead}`,
      evidence: { kubernetes: '1.34', amiType },
    });
    expect(finding.message).toBe(
      `has AMI type ${amiType}, but EKS publishes no Amazon Linux 2 AMI for Kubernetes 1.34: EKS rejects the node group, and the deployment fails`,
    );
  });

  test.each([
    ['1.32', withGroup('1.32', 'AL2_x86_64')],
    ['a version of its own', withGroup('1.33', 'AL2_x86_64', { Version: '1.32' })],
    ['a version that is known only at deployment', withGroup(OPEN, 'AL2_x86_64')],
    [
      'a cluster outside the templates',
      { Nodes: { Type: 'AWS::EKS::Nodegroup', Properties: { ClusterName: 'other', AmiType: 'AL2_x86_64' } } },
    ],
  ])('warns about a managed node group of %s', (_, resources) => {
    expect(judgeStack(rule, resources).findings).toMatchObject([
      {
        severity: 'warning',
        message: expect.stringContaining('has AMI type AL2_x86_64, which is Amazon Linux 2'),
      },
    ]);
  });

  test('ignores other AMI types', () => {
    expect(judgeStack(rule, withGroup('1.34', 'AL2023_x86_64_STANDARD')).outcomes).toEqual([]);
    expect(judgeStack(rule, withGroup('1.34', OPEN)).outcomes).toEqual([]);
  });

  test('judges each managed node group by the version of its own cluster', () => {
    const group = (ClusterName: unknown) => ({
      Type: 'AWS::EKS::Nodegroup',
      Properties: { ClusterName, AmiType: 'AL2_x86_64' },
    });
    const old = { Type: 'AWS::EKS::Cluster', Properties: { Name: 'old', Version: '1.32' } };
    const unnamed = { Type: 'AWS::EKS::Cluster', Properties: { Version: '1.35' } };
    const resources = {
      Cluster: cluster('1.34'),
      Old: old,
      Unnamed: unnamed,
      A: group('prod'),
      B: group({ Ref: 'Old' }),
      C: group({ Ref: 'Unnamed' }),
    };
    expect(judgeStack(rule, resources).findings.map(({ severity }) => severity ?? rule.severity)).toEqual([
      'error',
      'warning',
      'error',
    ]);
  });

  test('does not judge the AMI of a launch template', () => {
    const withTemplate = (LaunchTemplateData: object) => ({
      ...withGroup('1.34', 'AL2_x86_64', { LaunchTemplate: { Id: { Ref: 'Template' } } }),
      Template: { Type: 'AWS::EC2::LaunchTemplate', Properties: { LaunchTemplateData } },
    });
    expect(judgeStack(rule, withTemplate({ ImageId: 'ami-0123456789abcdef0' })).outcomes).toEqual([]);
    expect(judgeStack(rule, withTemplate({ EbsOptimized: true })).states).toEqual(['fail AWS::EKS::Nodegroup/Nodes']);
    expect(judgeStack(rule, withGroup('1.34', 'AL2_x86_64', { LaunchTemplate: { Name: 'own' } })).whys).toEqual([
      'its launch template is not in the templates, and may have an AMI of its own',
    ]);
  });
});

describe('KARP-908 k8s-karpenter-compat', () => {
  const rule = kubernetesKarpenterCompatibility;
  const pair = (kubernetes: unknown, version: string) => ({
    Cluster: cluster(kubernetes),
    Karpenter: chart({}, { version }),
  });

  test.each([
    ['1.34', '1.6.0'],
    ['1.34', 'v1.12.0'],
    ['1.35', '1.9.0'],
  ])('passes with Kubernetes %s and Karpenter %s', (kubernetes, version) => {
    expect(judgeStack(rule, pair(kubernetes, version)).states).toEqual([`pass ${CHART}`]);
  });

  test('fails if Karpenter is too old for the cluster', () => {
    expect(judgeStack(rule, pair('1.34', '1.5.2')).findings[0].message).toBe(
      'Karpenter is 1.5.2, but Kubernetes 1.34 needs 1.6.0 or newer',
    );
  });

  test('takes the version of Kubernetes in Terraform files', () => {
    const release = `apiVersion: terraform\nkind: helm_release\nmetadata: { name: karpenter }\nrelease: karpenter\nchart: karpenter\nrepository: oci://public.ecr.aws/karpenter\nversion: 1.3.3\nnamespace: karpenter\nvalues: {}\nisComplete: true\n`;
    const stateOf = (kubernetesVersion?: string) =>
      judgeFiles(rule, [{ path: 'main.tf', text: release, kubernetesVersion }]).states;
    expect([stateOf('1.35'), stateOf('1.32'), stateOf()]).toEqual([
      ['fail helm_release/karpenter'],
      ['pass helm_release/karpenter'],
      [],
    ]);
  });

  test('fails if the cluster is too old for Karpenter', () => {
    expect(judgeStack(rule, pair('1.25', '1.12.0')).findings[0]).toMatchObject({
      message: 'Karpenter is 1.12.0, which needs Kubernetes 1.26 or newer, but the cluster has 1.25',
      remedy: 'upgrade the cluster to Kubernetes 1.26 or newer',
    });
  });

  test('fails with a defective version, in any cluster', () => {
    expect(judgeStack(rule, { Karpenter: chart({}, { version: '1.8.4' }) }).findings[0].message).toContain(
      'known defect',
    );
  });

  test('does not apply if the cluster is not in the templates', () => {
    expect(judgeStack(rule, { Karpenter: chart() }).outcomes).toEqual([]);
  });

  test('is not evaluated if a version is known only at deployment', () => {
    expect(judgeStack(rule, pair(OPEN, '1.12.0')).states).toEqual([`not-evaluated ${CHART}`]);
    expect(judgeStack(rule, pair('1.34', 'latest')).states).toEqual([`not-evaluated ${CHART}`]);
  });
});

describe('KARP-909 crds-not-managed', () => {
  const rule = crdsNotManaged;
  const crds = (version = '1.12.0') => chart({}, { chart: 'karpenter-crd', version });

  test('passes with a CRD chart of the same version and NodePools that depend on it', () => {
    const { states } = judgeStack(rule, {
      Crds: crds('v1.12.0'),
      Karpenter: chart({}, { dependsOn: ['Crds'] }),
      Pool: poolResource(['Karpenter']),
    });
    expect(states).toEqual([`pass ${CHART}`, 'pass Custom::AWSCDK-EKS-KubernetesResource/Pool']);
  });

  test('warns if no CRD chart is installed', () => {
    expect(judgeStack(rule, { Karpenter: chart() }).findings[0]).toMatchObject({ severity: 'warning' });
  });

  test('fails if the versions differ', () => {
    expect(judgeStack(rule, { Crds: crds('1.9.0'), Karpenter: chart() }).findings[0].message).toBe(
      'the CRDs have version 1.9.0, but Karpenter is 1.12.0: the API server may refuse or drop fields that Karpenter needs',
    );
  });

  test('fails if a NodePool may be applied before its CRD', () => {
    expect(judgeStack(rule, { Crds: crds(), Karpenter: chart(), Pool: poolResource() }).findings[0].message).toContain(
      'may be applied before chart Crds',
    );
  });

  test('does not apply if no chart is in the templates', () => {
    expect(judgeStack(rule, { Pool: poolResource() }).outcomes).toEqual([]);
  });

  test('is not evaluated if a chart has no version', () => {
    const versionless = {
      Type: 'Custom::AWSCDK-EKS-HelmChart',
      Properties: { ClusterName: 'prod', Chart: 'karpenter-crd' },
    };
    expect(judgeStack(rule, { Crds: versionless, Karpenter: chart() }).states).toEqual([`not-evaluated ${CHART}`]);
  });
});
