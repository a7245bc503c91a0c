import { App, Lazy, Stack, Token } from 'aws-cdk-lib';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Size } from 'cdk8s';
import { newChart, newNodePool, NODE_CLASS } from './fixtures';
import * as nodes from '../../src/nodes';

const text = (): string => Lazy.string({ produce: () => 'late' });
const amount = (): number => Lazy.number({ produce: () => 1 });

describe('tokens of the AWS CDK', () => {
  test('are accepted as strings and numbers of an EC2NodeClass', () => {
    const nodeClass = new nodes.EC2NodeClass(newChart(), 'class', {
      ...NODE_CLASS,
      identity: nodes.NodeIdentity.role(text()),
      tags: { stack: text() },
      subnetSelectorTerms: [nodes.SubnetSelectorTerm.byId(text())],
      securityGroupSelectorTerms: [nodes.SecurityGroupSelectorTerm.byId(text())],
      capacityReservationSelectorTerms: [
        nodes.CapacityReservationSelectorTerm.byTags({ a: text() }, { ownerId: text() }),
      ],
      placementGroupSelector: nodes.PlacementGroupSelector.byId(text()),
      blockDeviceMappings: [
        { deviceName: '/dev/xvda', ebs: { volumeSize: Size.gibibytes(30), kmsKeyId: text(), iops: amount() } },
      ],
      userData: nodes.UserData.shellScript(`echo ${text()}`),
      ipPrefixCount: amount(),
      kubelet: { clusterDns: [text()], maxPods: nodes.MaxPods.count(amount()) },
    });
    expect(Token.isUnresolved(nodeClass._toSpec().role)).toBe(true);
  });

  test('are accepted as amounts, and stay tokens', () => {
    const chart = newChart();
    const pool = newNodePool(chart, {
      limits: { cpu: amount(), other: { 'nvidia.com/gpu': text() } },
      weight: amount(),
    });
    const overlay = new nodes.NodeOverlay(chart, 'overlay', { price: nodes.OverlayPrice.fixed(amount()) });
    const buffer = new nodes.CapacityBuffer(chart, 'buffer', {
      pods: nodes.BufferedPods.podTemplate(text()),
      replicas: amount(),
    });
    expect(
      [(pool._toSpec().limits as any).cpu, overlay._toSpec().price, buffer._toSpec().replicas].map((value) =>
        Token.isUnresolved(value),
      ),
    ).toEqual([true, true, true]);
  });

  test.each<[string, () => unknown]>([
    ['karpenter.k8s.aws/instance-cpu', () => nodes.Requirement.instanceCpu().in(4, amount())],
    ['karpenter.k8s.aws/instance-generation', () => nodes.Requirement.instanceGeneration().greaterThan(amount())],
    ['budgets.nodes', () => nodes.DisruptionBudget.percent(amount())],
    ['budgets.nodes', () => nodes.DisruptionBudget.nodes(amount())],
    ['priceAdjustment', () => nodes.OverlayPrice.adjustedByPercent(amount())],
  ])('are refused for numbers of %s, which are parts of texts', (field, make) => {
    expect(make).toThrow(
      `${field}: must be known when the app is synthesised, because Karpenter reads it as a string, got a number that is known only at deployment; write the number itself`,
    );
  });

  test('do not hide problems of other values', () => {
    expect(
      () => new nodes.NodeOverlay(newChart(), 'overlay', { price: nodes.OverlayPrice.fixed(amount()), weight: 0 }),
    ).toThrow('chart/overlay/spec.weight: must be');
  });
});

describe('placeholders of pending AWS CDK lookups', () => {
  const stack = (): Stack => new Stack(new App(), 'Stack', { env: { account: '111122223333', region: 'eu-west-1' } });

  test('are accepted as subnets, images and tags of an EC2NodeClass, because an app that throws never runs the lookup', () => {
    const scope = stack();
    const { privateSubnets, publicSubnets } = Vpc.fromLookup(scope, 'Vpc', { vpcId: 'vpc-1' });
    const parameter = StringParameter.valueFromLookup(scope, '/platform/ami-of-nodes');
    expect(
      () =>
        new nodes.EC2NodeClass(newChart(), 'class', {
          ...NODE_CLASS,
          amiSelectorTerms: [nodes.AmiSelectorTerm.al2023(parameter)],
          subnetSelectorTerms: [...privateSubnets, ...publicSubnets].map(({ subnetId }) =>
            nodes.SubnetSelectorTerm.byId(subnetId),
          ),
          tags: { team: parameter },
        }),
    ).not.toThrow();
  });

  test('are accepted as labels and requirements of a NodePool', () => {
    const scope = stack();
    const parameter = StringParameter.valueFromLookup(scope, '/platform/team');
    expect(() =>
      newNodePool(newChart(), {
        labels: { team: parameter },
        requirements: [
          nodes.Requirement.zone().in(...scope.availabilityZones.map((zone) => nodes.Zone.of(zone))),
          nodes.Requirement.instanceFamily().in(nodes.InstanceFamily.of(parameter)),
        ],
      }),
    ).not.toThrow();
  });

  test('do not hide problems of other values', () => {
    expect(
      () =>
        new nodes.EC2NodeClass(newChart(), 'class', {
          ...NODE_CLASS,
          subnetSelectorTerms: [
            nodes.SubnetSelectorTerm.byId('p-12345'),
            nodes.SubnetSelectorTerm.byTags({ team: '' }),
          ],
        }),
    ).toThrow('spec.subnetSelectorTerms[1].tags.team: must have a key and a value that are not empty');
  });
});
