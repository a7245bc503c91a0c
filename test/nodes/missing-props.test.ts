import { newChart, NODE_CLASS } from './fixtures';
import * as nodes from '../../src/nodes';

/** What plain JavaScript can pass, which has no type checks. */
type Anything = any;

describe('a required property that plain JavaScript leaves out', () => {
  test.each<[keyof nodes.EC2NodeClassProps, string]>([
    ['amiSelectorTerms', "[AmiSelectorTerm.al2023('latest')]"],
    ['identity', "NodeIdentity.role('KarpenterNodeRole-my-cluster')"],
    ['subnetSelectorTerms', "[SubnetSelectorTerm.byDiscoveryTag('my-cluster')]"],
    ['securityGroupSelectorTerms', "[SecurityGroupSelectorTerm.byDiscoveryTag('my-cluster')]"],
  ])('of an EC2NodeClass is named in the error, with what to write: %s', (name, example) => {
    const props = { ...NODE_CLASS, [name]: undefined };
    expect(() => new nodes.EC2NodeClass(newChart(), 'class', props as Anything)).toThrow(
      `chart/class/${name}: must be set, got nothing; write for example ${example}`,
    );
  });

  test('is named together with the other missing properties', () => {
    expect(() => new nodes.EC2NodeClass(newChart(), 'class', {} as Anything)).toThrow(
      /^chart\/class\/amiSelectorTerms: [^\n]*\nchart\/class\/identity: [^\n]*\nchart\/class\/subnetSelectorTerms: [^\n]*\nchart\/class\/securityGroupSelectorTerms: [^\n]*$/,
    );
  });

  test.each<[string, () => unknown, string]>([
    [
      'a NodePool',
      () => new nodes.NodePool(newChart(), 'pool', {} as Anything),
      "chart/pool/nodeClass: must be set, got nothing; write for example EC2NodeClass.fromEC2NodeClassName(this, 'NodeClass', 'default')",
    ],
    [
      'a CapacityBuffer',
      () => new nodes.CapacityBuffer(newChart(), 'buffer', { replicas: 1 } as Anything),
      "chart/buffer/pods: must be set, got nothing; write for example BufferedPods.deployment('web')",
    ],
    [
      'a NodePool without any props',
      () => new nodes.NodePool(newChart(), 'pool', undefined as Anything),
      'chart/pool/nodeClass: must be set, got nothing',
    ],
  ])('of %s is named in the error', (_, construct, message) => {
    expect(construct).toThrow(message);
  });
});
