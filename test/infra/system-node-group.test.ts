import { Lazy, Size } from 'aws-cdk-lib';
import { InstanceType, LaunchTemplate, LaunchTemplateProps, MachineImage, SubnetType } from 'aws-cdk-lib/aws-ec2';
import { AuthenticationMode } from 'aws-cdk-lib/aws-eks';
import { newClusterV1, newClusterV2, newReference, newStack, onlyResource, resourcesOf } from './fixtures';
import { SystemNodeAmi, SystemNodeGroup, SystemNodeGroupProps } from '../../src/infra';
import { TaintEffect } from '../../src/nodes';

describe('a SystemNodeGroup', () => {
  test.each([
    ['aws-eks', newClusterV1, { defaultCapacity: 0, authenticationMode: AuthenticationMode.API }],
    ['aws-eks-v2', newClusterV2, { defaultCapacity: 0 }],
  ])('of %s has two amd64 nodes with a taint and a role of their own', (_, newCluster, props) => {
    const stack = newStack();
    new SystemNodeGroup(stack, 'System', { cluster: newCluster(stack, props) });
    const { Properties } = onlyResource(stack, 'AWS::EKS::Nodegroup');
    expect(Properties).toMatchObject({
      AmiType: 'AL2023_x86_64_STANDARD',
      InstanceTypes: ['m6i.large'],
      ScalingConfig: { MinSize: 2, DesiredSize: 2, MaxSize: 3 },
      Taints: [{ Key: 'CriticalAddonsOnly', Value: 'true', Effect: 'NO_SCHEDULE' }],
    });
    expect(Object.keys(resourcesOf(stack, 'AWS::IAM::Role'))).toContain(Properties.NodeRole['Fn::GetAtt'][0]);
  });

  test('has arm64 nodes without a taint if requested', () => {
    const stack = newStack();
    const cluster = newClusterV2(stack, { defaultCapacity: 0 });
    new SystemNodeGroup(stack, 'System', {
      cluster,
      instanceTypes: [new InstanceType('m7g.large'), new InstanceType('m6g.large')],
      nodes: 3,
      onlyCriticalAddons: false,
    });
    const { Properties } = onlyResource(stack, 'AWS::EKS::Nodegroup');
    expect([Properties.AmiType, Properties.ScalingConfig.MinSize, Properties.Taints ?? []]).toEqual([
      'AL2023_ARM_64_STANDARD',
      3,
      [],
    ]);
  });

  test.each([
    ['aws-eks', newClusterV1, { defaultCapacity: 0, authenticationMode: AuthenticationMode.API }],
    ['aws-eks-v2', newClusterV2, { defaultCapacity: 0 }],
  ])('of %s has the AMI, subnets, disk, labels and taints that are requested', (_, newCluster, props) => {
    const stack = newStack();
    const cluster = newCluster(stack, props);
    new SystemNodeGroup(stack, 'System', {
      cluster,
      ami: SystemNodeAmi.BOTTLEROCKET,
      instanceTypes: [new InstanceType('m7g.large')],
      subnets: { subnetType: SubnetType.PUBLIC },
      diskSize: Size.gibibytes(50),
      labels: { team: 'platform' },
      taints: [{ key: 'example.com/system', value: 'yes', effect: TaintEffect.NO_EXECUTE }],
    });
    const { Properties } = onlyResource(stack, 'AWS::EKS::Nodegroup');
    expect(Properties).toMatchObject({
      AmiType: 'BOTTLEROCKET_ARM_64',
      DiskSize: 50,
      Labels: { team: 'platform' },
      Taints: [
        { Key: 'CriticalAddonsOnly', Value: 'true', Effect: 'NO_SCHEDULE' },
        { Key: 'example.com/system', Value: 'yes', Effect: 'NO_EXECUTE' },
      ],
    });
    expect(Properties.Subnets).toEqual(stack.resolve(cluster.vpc.publicSubnets.map(({ subnetId }) => subnetId)));
  });

  test.each<[string, Partial<LaunchTemplateProps>, object]>([
    ['an encrypted volume', {}, { AmiType: 'AL2023_x86_64_STANDARD' }],
    ['an instance type', { instanceType: new InstanceType('m7g.large') }, { AmiType: 'AL2023_ARM_64_STANDARD' }],
    ['an AMI', { machineImage: MachineImage.genericLinux({ 'eu-west-1': 'ami-1' }) }, { AmiType: undefined }],
  ])('has a launch template with %s, and sends EKS nothing twice', (_, templateProps, expected) => {
    const stack = newStack();
    const launchTemplate = new LaunchTemplate(stack, 'Template', templateProps);
    new SystemNodeGroup(stack, 'System', { cluster: newClusterV2(stack, { defaultCapacity: 0 }), launchTemplate });
    const { Properties } = onlyResource(stack, 'AWS::EKS::Nodegroup');
    expect(Properties.LaunchTemplate.Id).toEqual(stack.resolve(launchTemplate.launchTemplateId));
    const { AmiType, InstanceTypes = [] } = Properties;
    expect({ AmiType, InstanceTypes }).toEqual({ InstanceTypes: [], ...expected });
  });

  test.each<[string, Partial<SystemNodeGroupProps>, Partial<LaunchTemplateProps>, string]>([
    ['diskSize', { diskSize: Size.gibibytes(50) }, {}, 'which has the volumes'],
    [
      'instanceTypes',
      { instanceTypes: [new InstanceType('m7g.large')] },
      { instanceType: new InstanceType('m7g.large') },
      'which has an instance type',
    ],
    [
      'ami',
      { ami: SystemNodeAmi.AL2023 },
      { machineImage: MachineImage.genericLinux({ 'eu-west-1': 'ami-1' }) },
      'which has an AMI',
    ],
  ])('refuses %s together with a launch template that has it', (property, props, templateProps, reason) => {
    const stack = newStack();
    const launchTemplate = new LaunchTemplate(stack, 'Template', templateProps);
    const cluster = newClusterV2(stack, { defaultCapacity: 0 });
    expect(() => new SystemNodeGroup(stack, 'System', { cluster, launchTemplate, ...props })).toThrow(
      `Stack/System/${property}: must not be set together with launchTemplate, ${reason}; leave out ${property}, or set it in the launch template`,
    );
  });

  test('refuses instance types of two architectures, which have no common AMI', () => {
    const stack = newStack();
    const instanceTypes = ['m6i.large', 'm7g.large'].map((name) => new InstanceType(name));
    const cluster = newClusterV2(stack, { defaultCapacity: 0 });
    expect(() => new SystemNodeGroup(stack, 'System', { cluster, instanceTypes })).toThrow(
      'Stack/System/instanceTypes: must all have one processor architecture, because the nodes share an AMI, got m6i.large, m7g.large; create one SystemNodeGroup for each',
    );
  });

  test('refuses a number of nodes that is known only at deployment, because one more is added to it', () => {
    const cluster = newClusterV2(newStack(), { defaultCapacity: 0 });
    expect(
      () => new SystemNodeGroup(newStack(), 'System', { cluster, nodes: Lazy.number({ produce: () => 3 }) }),
    ).toThrow(
      "Stack/System/nodes: must be a whole number of at least 2, because the controller's pods never share a node, got a number that is known only at deployment; write 2",
    );
  });

  test('refuses one node, and a ClusterReference', () => {
    const stack = newStack();
    const cluster = newReference(stack);
    expect(() => new SystemNodeGroup(stack, 'Named', { cluster })).toThrow(
      'Stack/Named/cluster: must be a cluster of aws-eks or aws-eks-v2, ' +
        'because a node group needs its subnets, got a ClusterReference; import the cluster with its VPC, or create the node group where the cluster is created',
    );
    expect(
      () => new SystemNodeGroup(stack, 'One', { cluster: newClusterV2(newStack(), { defaultCapacity: 0 }), nodes: 1 }),
    ).toThrow(
      "Stack/One/nodes: must be a whole number of at least 2, because the controller's pods never share a node, got 1; write 2",
    );
  });
});
