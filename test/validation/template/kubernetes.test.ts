import { manifestResource, readResources, readStacks } from './read';
import { check, checkClusters } from '../../../src/validation';

const NODE_CLASS = JSON.stringify([
  {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'main' },
    spec: {
      role: 'ROLE',
      amiSelectorTerms: [{ alias: 'al2023@v20250915' }],
      subnetSelectorTerms: [{ tags: { a: 'b' } }],
      securityGroupSelectorTerms: [{ tags: { a: 'b' } }],
    },
  },
]);
const [BEFORE, AFTER] = NODE_CLASS.split('ROLE');
const REFERENCE = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'main' };
const ROLE = { Type: 'AWS::IAM::Role', Properties: {} };

describe('a manifest in a template', () => {
  test('is checked like a manifest file, with its references resolved', () => {
    const { nodeClasses, aws, problems } = readResources({
      NodeRole: ROLE,
      Class: manifestResource(BEFORE, { Ref: 'NodeRole' }, AFTER),
    });
    expect(nodeClasses[0].object.raw.spec!.role).toBe(aws.roles[0].name);
    expect(nodeClasses[0].facts?.name).toBe('main');
    expect(problems).toEqual([]);
  });

  test('has findings with the logical id and the construct', () => {
    const resource = {
      ...manifestResource(NODE_CLASS.replace('"al2023@v20250915"', '7')),
      Metadata: { 'aws:cdk:path': 'App/Class/Resource' },
    };
    const { problems } = readResources({ Class: resource });
    expect(problems[0]).toMatchObject({
      rule: 'KARP-100',
      subject: { kind: 'EC2NodeClass', name: 'main' },
      location: {
        file: 'App.template.json',
        path: 'spec.amiSelectorTerms[0].alias',
        resource: 'Class',
        construct: 'App/Class/Resource',
      },
    });
  });

  test('may contain a number that is known only at deployment', () => {
    const text = BEFORE + AFTER.replace('"spec":{', '').slice(0, -3);
    const { nodeClasses } = readResources({
      Class: manifestResource(`${text},"kubelet":{"maxPods":`, { Ref: 'Pods' }, '}}}]'),
    });
    expect(nodeClasses[0]).toMatchObject({ facts: undefined, tokens: ['spec.kubelet.maxPods'] });
  });

  test.each<[string, string]>([
    ['a zone', 'dummy1a'],
    ['a subnet', 'p-12345'],
    ['a parameter', 'v-dummy-value-for-/platform/zone'],
  ])('takes all zones for %s that the CDK has not looked up yet', (_, standIn) => {
    const requirements = [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [standIn] }];
    const pool = {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'main' },
      spec: { template: { spec: { nodeClassRef: REFERENCE, requirements } } },
    };
    const { assumptions, findings } = check([
      {
        path: 'App.template.json',
        text: JSON.stringify({ Resources: { Pool: manifestResource(JSON.stringify([pool])) } }),
      },
    ]);
    expect(assumptions).toContain(
      'the zones of NodePool main are known only at deployment: all zones of the region that are known are taken',
    );
    expect(findings.map(({ rule }) => rule)).not.toContain('KARP-201');
  });

  test('is checked if only the KMS key of a volume is known at deployment', () => {
    const text = `${BEFORE}node${AFTER.slice(0, -3)},"blockDeviceMappings":[{"deviceName":"/dev/xvda","ebs":{"volumeSize":"50Gi","kmsKeyID":"`;
    const key = { Type: 'AWS::KMS::Key', Properties: {} };
    const { nodeClasses } = readResources({
      Key: key,
      Class: manifestResource(text, { 'Fn::GetAtt': ['Key', 'Arn'] }, '"}}]}}]'),
    });
    expect(nodeClasses[0].facts?.blockDevices?.[0].volumeSizeBytes).toBe(50n * 1024n ** 3n);
  });

  test('without a literal name gets the advice to set one', () => {
    const [before, after] = NODE_CLASS.split('"main"');
    const { problems } = readResources({ Class: manifestResource(`${before}"`, { Ref: 'Name' }, `"${after}`) });
    expect(problems).toEqual([
      expect.objectContaining({ severity: 'warning', remedy: 'write a fixed name instead of a token' }),
    ]);
  });

  test.each<[string, object, string]>([
    [
      'fails the deployment, because kubectl creates it twice',
      {},
      'App.template.json:1 creates it too, so one of the two deployments fails',
    ],
    [
      'is replaced if the second resource overwrites it',
      { Overwrite: true },
      'the one at App.template.json:1 replaces it',
    ],
  ])('that another resource also applies %s', (_, properties, says) => {
    const [one, other] = [manifestResource(NODE_CLASS), manifestResource(NODE_CLASS)] as any[];
    const { problems } = readResources({
      One: one,
      Other: { ...other, Properties: { ...other.Properties, ...properties } },
    });
    expect(problems).toEqual([
      expect.objectContaining({ rule: 'KARP-002', message: `duplicate EC2NodeClass main: ${says}` }),
    ]);
  });

  test('that is known only at deployment is listed as not evaluated', () => {
    const resource = {
      Type: 'Custom::AWSCDK-EKS-KubernetesResource',
      Properties: { ClusterName: 'prod', Manifest: { Ref: 'Text' } },
    };
    const { assumptions } = check([
      { path: 'App.template.json', text: JSON.stringify({ Resources: { It: resource, NodeRole: ROLE } }) },
    ]);
    expect(assumptions).toContain('the manifest that It applies is not evaluated: it is known only at deployment');
  });
});

describe('manifests of several clusters', () => {
  const stack = (cluster: string) => ({
    Resources: {
      Class: {
        Type: 'Custom::AWSCDK-EKS-KubernetesResource',
        Properties: { ClusterName: cluster, Manifest: NODE_CLASS },
      },
    },
  });
  const sources = ['dev', 'prod'].map((name) => ({ path: `${name}.template.json`, text: JSON.stringify(stack(name)) }));

  test('are checked one cluster at a time', () => {
    const verdicts = checkClusters(sources);
    expect(verdicts.map(({ cluster }) => cluster)).toEqual(['dev', 'prod']);
    expect(verdicts.flatMap(({ verdict }) => verdict.findings.map(({ rule }) => rule))).not.toContain('KARP-002');
  });

  test('are checked one cluster at a time if clusters in two regions or accounts share a name', () => {
    const places = [
      ['111122223333', 'eu-west-1'],
      ['111122223333', 'us-east-1'],
      ['444455556666', 'us-east-1'],
    ];
    const verdicts = checkClusters(
      places.map(([account, region], i) => ({
        path: `${i}.template.json`,
        text: JSON.stringify(stack('shop')),
        stack: { account, region },
      })),
    );
    expect(verdicts.map(({ cluster }) => cluster)).toEqual([
      'shop in 111122223333/eu-west-1',
      'shop in 111122223333/us-east-1',
      'shop in 444455556666/us-east-1',
    ]);
    expect(verdicts.flatMap(({ verdict }) => verdict.findings.map(({ rule }) => rule))).not.toContain('KARP-002');
  });

  test('belong to one cluster if the region or account of some stacks is not known', () => {
    const places = [{ account: '111122223333', region: 'eu-west-1' }, { region: 'eu-west-1' }, undefined];
    const verdicts = checkClusters(
      places.map((place, i) => ({
        path: `${i}.template.json`,
        text: JSON.stringify(stack('shop')),
        ...(place && { stack: place }),
      })),
    );
    expect(verdicts.map(({ cluster }) => cluster)).toEqual(['shop']);
  });

  test('do not share queues of the same name in two regions', () => {
    const chart = {
      Type: 'Custom::AWSCDK-EKS-HelmChart',
      Properties: {
        ClusterName: 'shop',
        Chart: 'karpenter',
        Release: 'karpenter',
        Values: '{"settings":{"clusterName":"shop","interruptionQueue":"shop"}}',
      },
    };
    const text = JSON.stringify({
      Resources: { Chart: chart, Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'shop' } } },
    });
    const verdicts = checkClusters(
      ['eu-west-1', 'us-east-1'].map((region) => ({
        path: `${region}.template.json`,
        text,
        stack: { account: '111122223333', region },
      })),
    );
    expect(verdicts.flatMap(({ verdict }) => verdict.findings.map(({ rule }) => rule))).not.toContain('KARP-505');
  });

  test('use the roles of their own account if two accounts have roles of the same name', () => {
    const role = { Type: 'AWS::IAM::Role', Properties: { RoleName: 'nodes', AssumeRolePolicyDocument: {} } };
    const entry = {
      Type: 'AWS::EKS::AccessEntry',
      Properties: { ClusterName: 'shop', PrincipalArn: { 'Fn::GetAtt': ['NodeRole', 'Arn'] }, Type: 'EC2_LINUX' },
    };
    const cluster = {
      Type: 'AWS::EKS::Cluster',
      Properties: { Name: 'shop', AccessConfig: { AuthenticationMode: 'API' } },
    };
    const ofClass = {
      Type: 'Custom::AWSCDK-EKS-KubernetesResource',
      Properties: { ClusterName: 'shop', Manifest: NODE_CLASS.replace('ROLE', 'nodes') },
    };
    const text = JSON.stringify({ Resources: { NodeRole: role, Entry: entry, Cluster: cluster, Class: ofClass } });
    const verdicts = checkClusters(
      ['111122223333', '444455556666'].map((account) => ({
        path: `${account}.template.json`,
        text,
        stack: { account, region: 'eu-west-1' },
      })),
    );
    expect(verdicts.flatMap(({ verdict }) => verdict.findings.map(({ rule }) => rule))).not.toContain('KARP-604');
  });

  test('do not hide the node groups of a cluster that gets no manifests, which are reported once', () => {
    const other = { Type: 'AWS::EKS::Cluster', Properties: { Name: 'other', Version: '1.34' } };
    const nodes = { Type: 'AWS::EKS::Nodegroup', Properties: { ClusterName: { Ref: 'Other' }, AmiType: 'AL2_x86_64' } };
    const verdicts = checkClusters([
      ...sources,
      { path: 'other.template.json', text: JSON.stringify({ Resources: { Other: other, Nodes: nodes } }) },
    ]);
    expect(
      verdicts.map(({ verdict }) =>
        verdict.findings.filter(({ rule }) => rule === 'KARP-907').map(({ subject }) => subject.name),
      ),
    ).toEqual([['Nodes'], []]);
  });

  test('are not checked as if they were of one cluster', () => {
    const { findings } = check(sources);
    expect(findings.map(({ rule, message }) => `${rule} ${message}`)).toEqual([
      'KARP-001 the templates apply manifests to 2 clusters, dev and prod: only those of dev are evaluated',
    ]);
  });
});

test('reads the values of a chart with their references resolved', () => {
  const values = ['{"settings":{"interruptionQueue":"', { 'Fn::GetAtt': ['Queue', 'QueueName'] }, '"}}'];
  const { aws } = readResources({
    Queue: { Type: 'AWS::SQS::Queue' },
    Chart: {
      Type: 'Custom::AWSCDK-EKS-HelmChart',
      Properties: {
        ClusterName: 'prod',
        Release: 'k',
        Chart: 'karpenter',
        Namespace: 'kube-system',
        Values: { 'Fn::Join': ['', values] },
      },
    },
  });
  expect(aws.helmReleases[0]).toMatchObject({
    chart: 'karpenter',
    namespace: 'kube-system',
    values: { settings: { interruptionQueue: aws.queues[0].name } },
  });
});

test('does not read a document with a Resources key as a template if a resource has no CloudFormation type', () => {
  const { aws, problems } = readStacks({ Other: { Resources: ['a'] } });
  expect(aws.hasTemplates).toBe(false);
  expect(problems[0].message).toContain('not a Kubernetes object');
});
