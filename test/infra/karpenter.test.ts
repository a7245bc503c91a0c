import { Lazy, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { AnyPrincipal, IRole, Role } from 'aws-cdk-lib/aws-iam';
import { newClusterV1, newClusterV2, newReference, newStack, onlyResource, REGIONS, resourcesOf } from './fixtures';
import {
  ClusterReference,
  InterruptionHandling,
  Karpenter,
  KarpenterProps,
  NodeAccess,
  NodeAdmission,
  NodeRole,
} from '../../src/infra';
import { InterruptionConsumer, InterruptionQueue } from '../../src/interruption';

const add = (stack: Stack, props: Partial<KarpenterProps> = {}): Karpenter =>
  new Karpenter(stack, 'Karpenter', { cluster: props.cluster ?? newReference(stack), ...props });

function valuesIn(stack: Stack, chart: string): any {
  const release = Object.values(resourcesOf(stack, 'Custom::AWSCDK-EKS-HelmChart')).find(
    ({ Properties }) => Properties.Chart === chart,
  )!;
  return release.Properties;
}

function text(value: any): string {
  return typeof value === 'string'
    ? value
    : value['Fn::Join'][1]
        .map((part: any) => (typeof part === 'string' ? part : `<${Object.values(part)[0]}>`))
        .join('');
}

describe('Karpenter with a ClusterReference', () => {
  test.each(REGIONS)('creates roles, policies, queue, rules and access in the partition %s', (_, region) => {
    const stack = newStack(region);
    add(stack);
    const types = Object.values(Template.fromStack(stack).toJSON().Resources)
      .map(({ Type }: any) => Type)
      .sort();
    expect([...new Set(types)]).toEqual([
      'AWS::EKS::AccessEntry',
      'AWS::EKS::PodIdentityAssociation',
      'AWS::Events::Rule',
      'AWS::IAM::ManagedPolicy',
      'AWS::IAM::Role',
      'AWS::SQS::Queue',
      'AWS::SQS::QueuePolicy',
    ]);
    expect(types.filter((type) => type === 'AWS::IAM::ManagedPolicy')).toHaveLength(6);
    expect(types.filter((type) => type === 'AWS::Events::Rule')).toHaveLength(5);
  });

  test('returns the values with which the charts must be installed', () => {
    const karpenter = add(newStack(), {
      helmValues: { settings: { featureGates: { nodeOverlay: true } }, replicas: 3 },
    });
    expect(Stack.of(karpenter).resolve(karpenter.helmValues)).toMatchObject({
      replicas: 3,
      serviceAccount: { name: 'karpenter' },
      settings: { clusterName: 'shop', interruptionQueue: expect.anything(), featureGates: { nodeOverlay: true } },
      controller: { resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } } },
    });
  });

  test('copies the given values', () => {
    const settings = { featureGates: { nodeOverlay: true } };
    const topologySpreadConstraints = [{ maxSkew: 1 }];
    const { helmValues } = add(newStack(), { helmValues: { settings, topologySpreadConstraints } });
    settings.featureGates.nodeOverlay = false;
    topologySpreadConstraints[0].maxSkew = 2;
    expect(helmValues).toMatchObject({
      settings: { featureGates: { nodeOverlay: true } },
      topologySpreadConstraints: [{ maxSkew: 1 }],
    });
  });

  test('keeps tokens in the given values', () => {
    const settings = Lazy.any({ produce: () => ({ clusterName: 'late' }) });
    const karpenter = add(newStack(), { helmValues: { settings } });
    expect(Stack.of(karpenter).resolve(karpenter.helmValues)).toMatchObject({ settings: { clusterName: 'late' } });
  });

  test('rejects deployments to the cluster, and says what to do instead', () => {
    expect(() => add(newStack()).addChart('extra', {} as any)).toThrow(
      'Stack/Karpenter/Chartextra: objects can only be deployed to a cluster with a kubectl provider, got Stack/Cluster without one; give the cluster',
    );
  });

  test('allows what upstream allows, because the app has no EC2NodeClass', () => {
    const stack = newStack();
    add(stack);
    const actions = Object.values(resourcesOf(stack, 'AWS::IAM::ManagedPolicy'))
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
      .flatMap(({ Action }: any) => Action);
    expect(actions).toEqual(
      expect.arrayContaining([
        'iam:CreateInstanceProfile',
        'arc-zonal-shift:GetManagedResource',
        'ec2:RebootInstances',
        'ec2:DescribePlacementGroups',
      ]),
    );
  });
});

describe('Karpenter in a cluster', () => {
  test.each<[string, (stack: Stack) => eks.Cluster | eksv2.Cluster]>([
    ['aws-eks-v2', newClusterV2],
    ['aws-eks', (stack) => newClusterV1(stack, { authenticationMode: eks.AuthenticationMode.API })],
  ])('of %s needs only the cluster', (_, newCluster) => {
    const stack = newStack();
    add(stack, { cluster: newCluster(stack) });
    expect(valuesIn(stack, 'karpenter-crd')).toMatchObject({
      Release: 'karpenter-crd',
      Namespace: 'kube-system',
      Repository: 'oci://public.ecr.aws/karpenter/karpenter-crd',
      Version: '1.15.1',
    });
    const chart = valuesIn(stack, 'karpenter');
    expect(chart).toMatchObject({
      Repository: 'oci://public.ecr.aws/karpenter/karpenter',
      Version: '1.15.1',
      Wait: true,
      SkipCrds: true,
    });
    expect(JSON.parse(text(chart.Values)).settings).toEqual({
      clusterName: expect.stringMatching(/^<Cluster/),
      interruptionQueue: expect.stringMatching(/^</),
    });
    expect(onlyResource(stack, 'AWS::EKS::PodIdentityAssociation')).toBeDefined();
    Template.fromStack(stack).hasResourceProperties('AWS::EKS::AccessEntry', { Type: 'EC2_LINUX' });
  });

  test('installs the CRDs before the controller, and the controller after everything that it needs', () => {
    const stack = newStack();
    const cluster = newClusterV2(stack);
    add(stack, { cluster });
    cluster.addNodegroupCapacity('later', {});
    const charts = resourcesOf(stack, 'Custom::AWSCDK-EKS-HelmChart');
    const idOf = (name: string) => Object.keys(charts).find((id) => charts[id].Properties.Chart === name)!;
    const before = [charts[idOf('karpenter')].DependsOn].flat();
    const expected = [
      'AWS::IAM::ManagedPolicy',
      'AWS::EKS::PodIdentityAssociation',
      'AWS::SQS::Queue',
      'AWS::Events::Rule',
      'AWS::EKS::Nodegroup',
    ].flatMap((type) => Object.keys(resourcesOf(stack, type)));
    expect(before).toEqual(expect.arrayContaining([idOf('karpenter-crd'), ...expected]));
    expect(Object.keys(resourcesOf(stack, 'AWS::EKS::Nodegroup'))).toHaveLength(2);
  });

  test('merges helmValues into its own values', () => {
    const stack = newStack();
    add(stack, {
      cluster: newClusterV2(stack, { clusterName: 'shop' }),
      helmValues: {
        controller: { resources: { requests: { cpu: '2' } } },
        settings: { batchMaxDuration: '5s', clusterName: 'other' },
      },
    });
    expect(JSON.parse(text(valuesIn(stack, 'karpenter').Values))).toMatchObject({
      controller: { resources: { requests: { cpu: '2', memory: '1Gi' } } },
      settings: { batchMaxDuration: '5s', clusterName: 'other', interruptionQueue: expect.anything() },
    });
  });

  test('installs charts from another registry', () => {
    const stack = newStack('cn-north-1');
    const chartRegistry = 'oci://111122223333.dkr.ecr.cn-north-1.amazonaws.com.cn/karpenter';
    add(stack, { cluster: newClusterV2(stack), chartRegistry });
    expect(valuesIn(stack, 'karpenter').Repository).toBe(`${chartRegistry}/karpenter`);
  });

  test('sets the namespace of the conversion webhook for the CRDs of 1.0', () => {
    const stack = newStack();
    add(stack, {
      cluster: newClusterV2(stack, { version: eksv2.KubernetesVersion.V1_31 }),
      karpenterVersion: '1.0.8',
      namespace: 'karpenter',
    });
    expect(JSON.parse(valuesIn(stack, 'karpenter-crd').Values)).toEqual({
      webhook: { enabled: true, serviceNamespace: 'karpenter' },
    });
  });

  test('allows zonal shift and reboots if the values enable them', () => {
    const sids = (helmValues: KarpenterProps['helmValues']) => {
      const stack = newStack();
      add(stack, { cluster: newClusterV2(stack, { clusterName: 'shop' }), helmValues });
      return JSON.stringify(resourcesOf(stack, 'AWS::IAM::ManagedPolicy'));
    };
    expect(sids({})).not.toMatch(/GetManagedResource|RebootInstances/);
    expect(sids({ settings: { enableZonalShift: true } })).toContain('GetManagedResource');
    expect(sids({ settings: { awsFeatureGates: { rebootForRepair: true } } })).toContain('RebootInstances');
    // The chart writes the value into an environment variable, which Karpenter parses as a boolean.
    expect(sids({ settings: { enableZonalShift: 'true', awsFeatureGates: { rebootForRepair: 'false' } } })).toMatch(
      /^(?!.*RebootInstances).*GetManagedResource/,
    );
  });

  test.each<[string, Partial<KarpenterProps>]>([
    ['isolatedVpc', { isolatedVpc: true }],
    ['a Helm value', { helmValues: { settings: { isolatedVPC: true } } }],
  ])('gives no access to instance profiles and prices with %s, although GitOps installs the chart', (_, props) => {
    const policies = (more: Partial<KarpenterProps>) => {
      const stack = newStack();
      add(stack, { cluster: newReference(stack), ...more });
      return JSON.stringify(resourcesOf(stack, 'AWS::IAM::ManagedPolicy'));
    };
    expect(policies({})).toMatch(/InstanceProfile.*pricing:GetProducts|pricing:GetProducts.*InstanceProfile/);
    expect(policies(props)).not.toMatch(/iam:\w*InstanceProfile|pricing:GetProducts/);
    expect(policies({ ...props, permissions: { isolatedVpc: false } })).toContain('pricing:GetProducts');
  });

  test('installs no charts with installChart: false', () => {
    const stack = newStack();
    add(stack, { cluster: newClusterV2(stack), installChart: false });
    expect(resourcesOf(stack, 'Custom::AWSCDK-EKS-HelmChart')).toEqual({});
  });

  test('tags the private subnets of the app if the cluster has a name', () => {
    const stack = newStack();
    add(stack, { cluster: newClusterV2(stack, { clusterName: 'shop' }) });
    const tagged = Object.values(resourcesOf(stack, 'AWS::EC2::Subnet')).filter(({ Properties }) =>
      Properties.Tags.some(({ Key, Value }: any) => Key === 'karpenter.sh/discovery' && Value === 'shop'),
    );
    expect([...new Set(tagged.map(({ Properties }) => Properties.MapPublicIpOnLaunch))]).toEqual([false]);
  });

  test('creates the service-linked role of Spot on request', () => {
    const stack = newStack();
    add(stack, { spotServiceLinkedRole: true });
    expect(onlyResource(stack, 'AWS::IAM::ServiceLinkedRole').Properties).toEqual({
      AWSServiceName: 'spot.amazonaws.com',
    });
  });

  test('maps nodes in aws-auth if the cluster has no access entries', () => {
    const stack = newStack();
    add(stack, { cluster: newClusterV1(stack) });
    expect(resourcesOf(stack, 'AWS::EKS::AccessEntry')).toEqual({});
    expect(JSON.stringify(resourcesOf(stack, 'Custom::AWSCDK-EKS-KubernetesResource'))).toMatch(
      /system:node:\{\{EC2PrivateDNSName\}\}.{1,60}system:bootstrappers/,
    );
  });

  test.each<[string, (stack: Stack) => IRole, RegExp]>([
    [
      'made with one',
      (stack) => new Role(stack, 'Nodes', { assumedBy: new AnyPrincipal(), path: '/platform/' }),
      /:iam::111122223333:role\/",\{"Ref":"Nodes\w+"\}/,
    ],
    [
      'imported by its ARN',
      (stack) => Role.fromRoleArn(stack, 'Nodes', 'arn:aws:iam::111122223333:role/platform/nodes'),
      /:iam::111122223333:role\/nodes\\/,
    ],
  ])('maps a role %s without its path, because nodes authenticate with an ARN without path', (_, newRole, arn) => {
    const stack = newStack();
    new NodeAdmission(stack, 'Admission', { cluster: newClusterV1(stack), role: newRole(stack) });
    const mapped = JSON.stringify(resourcesOf(stack, 'Custom::AWSCDK-EKS-KubernetesResource'));
    expect(mapped).toMatch(arn);
    expect(mapped).not.toMatch(/platform|"Nodes\w+","Arn"/);
  });
});

describe('Karpenter in an imported cluster', () => {
  test.each<[string, (stack: Stack) => eks.ICluster | eksv2.ICluster]>([
    ['aws-eks', (stack) => eks.Cluster.fromClusterAttributes(stack, 'Cluster', { clusterName: 'shop' })],
    ['aws-eks-v2', (stack) => eksv2.Cluster.fromClusterAttributes(stack, 'Cluster', { clusterName: 'shop' })],
  ])('of %s rejects deployments without kubectl provider', (_, importCluster) => {
    const stack = newStack();
    expect(() => add(stack, { cluster: importCluster(stack) })).toThrow(
      'Stack/Karpenter/Charts/cluster: must have a kubectl provider to install charts, got Stack/Cluster without one',
    );
  });

  test('creates the AWS resources without kubectl provider', () => {
    const stack = newStack();
    add(stack, {
      cluster: eks.Cluster.fromClusterAttributes(stack, 'Cluster', { clusterName: 'shop' }),
      installChart: false,
    });
    expect(onlyResource(stack, 'AWS::EKS::AccessEntry').Properties).toMatchObject({
      ClusterName: 'shop',
      Type: 'EC2_LINUX',
    });
  });
});

describe('Karpenter and interruptions', () => {
  test('creates no queue with InterruptionHandling.none()', () => {
    const stack = newStack();
    const { helmValues } = add(stack, { interruptionHandling: InterruptionHandling.none() });
    expect(resourcesOf(stack, 'AWS::SQS::Queue')).toEqual({});
    expect(helmValues.settings).toEqual({ clusterName: 'shop' });
  });

  test('rejects a queue that has another reader', () => {
    const stack = newStack();
    const interruptionQueue = new InterruptionQueue(stack, 'Queue', {
      clusterName: 'shop',
      consumer: InterruptionConsumer.NODE_TERMINATION_HANDLER,
    });
    expect(() => add(stack, { interruptionHandling: InterruptionHandling.fromQueue(interruptionQueue) })).toThrow(
      'Stack/Queue: the queue is for',
    );
  });
});

describe('Karpenter rejects', () => {
  test.each([
    ['nodeRoleName', { nodeRoleName: 'nodes' }],
    ['nodeManagedPolicies', { nodeManagedPolicies: [] }],
  ])('%s together with nodeRole, which has its own', (name, props) => {
    const stack = newStack();
    const cluster = newReference(stack);
    const nodeRole = new NodeRole(stack, 'Nodes', { cluster });
    expect(() => add(stack, { cluster, nodeRole, ...props })).toThrow(
      `Stack/Karpenter/${name}: must not be set together with nodeRole, got the role Stack/Nodes; set it on that role`,
    );
  });

  test('a version that does not support the Kubernetes version of the cluster', () => {
    const stack = newStack();
    const cluster = new ClusterReference(stack, 'Cluster', { clusterName: 'shop', kubernetesVersion: '1.34' });
    expect(() => add(stack, { cluster, karpenterVersion: '1.5.0' })).toThrow(
      'Stack/Karpenter/karpenterVersion: must be 1.6.0 or newer for Kubernetes 1.34, got 1.5.0; move Karpenter to 1.6.0 before the cluster',
    );
    const other = newStack();
    expect(() => add(other, { cluster: newClusterV2(other), karpenterVersion: '1.5.0' })).toThrow(
      'for Kubernetes 1.34, got 1.5.0',
    );
  });

  test('a cluster that is older than the Karpenter version accepts', () => {
    const stack = newStack();
    const cluster = new ClusterReference(stack, 'Cluster', { clusterName: 'shop', kubernetesVersion: '1.25' });
    expect(() => add(stack, { cluster })).toThrow(
      /^Stack\/Karpenter\/karpenterVersion: needs Kubernetes 1\.26 or newer, got 1\.\d+\.\d+ for Kubernetes 1\.25; upgrade the cluster to 1\.26 or newer$/,
    );
  });

  test('an access entry if the cluster does not support it', () => {
    const stack = newStack();
    expect(() => add(stack, { cluster: newClusterV1(stack), nodeAccess: NodeAccess.accessEntry() })).toThrow(
      'access: must be NodeAccess.awsAuth() in a cluster with the authentication mode CONFIG_MAP, got access-entry',
    );
  });

  test('aws-auth if the app cannot change it', () => {
    expect(() => add(newStack(), { nodeAccess: NodeAccess.awsAuth() })).toThrow(
      'aws-auth can only be changed for an aws-eks cluster of this app, got Stack/Cluster; write NodeAccess.accessEntry()',
    );
  });
});

describe('Karpenter and roles', () => {
  test('allows passing additionalNodeRoles', () => {
    const stack = newStack();
    add(stack, { additionalNodeRoles: [Role.fromRoleArn(stack, 'Old', 'arn:aws:iam::111122223333:role/old-nodes')] });
    Template.fromStack(stack).hasResourceProperties('AWS::IAM::ManagedPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Sid: 'AllowPassingInstanceRole',
            Resource: Match.arrayWith(['arn:aws:iam::111122223333:role/old-nodes']),
          }),
        ]),
      },
    });
  });

  test('uses an existing node role', () => {
    const stack = newStack();
    const cluster = newReference(stack);
    const nodeRole = new NodeRole(stack, 'Nodes', { cluster, roleName: 'shop-nodes' });
    expect(add(stack, { cluster, nodeRole }).nodeRole).toBe(nodeRole);
    expect(
      Object.values(resourcesOf(stack, 'AWS::IAM::Role')).filter(
        ({ Properties }) => Properties.Description === 'Nodes of Karpenter',
      ),
    ).toHaveLength(1);
  });
});
