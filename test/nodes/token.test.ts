import { Lazy, Token } from 'aws-cdk-lib';
import { Size } from 'cdk8s';
import { newChart, newNodePool, NODE_CLASS } from './fixtures';
import * as nodes from '../../src/nodes';

const text = (): string => Lazy.string({ produce: () => 'late' });
const amount = (): number => Lazy.number({ produce: () => 1 });

describe('tokens of the AWS CDK', () => {
  test('may stand for texts and numbers of an EC2NodeClass', () => {
    const nodeClass = new nodes.EC2NodeClass(newChart(), 'class', {
      ...NODE_CLASS,
      role: text(),
      tags: { stack: text() },
      subnetSelectorTerms: [nodes.SubnetSelectorTerm.byId(text())],
      securityGroupSelectorTerms: [nodes.SecurityGroupSelectorTerm.byId(text())],
      capacityReservationSelectorTerms: [nodes.CapacityReservationSelectorTerm.byTags({ a: text() }, { ownerId: text() })],
      placementGroupSelector: nodes.PlacementGroupSelector.byId(text()),
      blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: Size.gibibytes(30), kmsKeyId: text(), iops: amount() } }],
      userData: `#!/bin/bash\necho ${text()}`,
      ipPrefixCount: amount(),
      kubelet: { clusterDns: [text()], maxPods: amount() },
    });
    expect(Token.isUnresolved(nodeClass._toSpec().role)).toBe(true);
  });

  test('may stand for amounts that are written as texts, and stay tokens', () => {
    const chart = newChart();
    const pool = newNodePool(chart, { limits: { cpu: amount(), other: { 'nvidia.com/gpu': text() } }, weight: amount() });
    const overlay = new nodes.NodeOverlay(chart, 'overlay', { price: amount() });
    const buffer = new nodes.CapacityBuffer(chart, 'buffer', { podTemplateName: text(), replicas: amount() });
    expect([(pool._toSpec().limits as any).cpu, overlay._toSpec().price, buffer._toSpec().replicas].map((value) => Token.isUnresolved(value)))
      .toEqual([true, true, true]);
  });

  test('do not hide what is wrong beside them', () => {
    expect(() => new nodes.NodeOverlay(newChart(), 'overlay', { price: amount(), weight: 0 })).toThrow('chart/overlay/spec.weight: must be');
  });
});
