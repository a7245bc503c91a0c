import { Stack } from 'aws-cdk-lib';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { ACCOUNT, newClusterV2, newStack, resourcesOf } from './fixtures';
import { Karpenter } from '../../src/infra';
import { AmiSelectorTerm } from '../../src/nodes';

const subnet = (letter: string, subnetId: string) => ({
  availabilityZone: `eu-west-1${letter}`,
  subnetId,
  routeTableId: 'rtb-1',
  cidr: '10.0.0.0/24',
});
const LOOKED_UP = {
  vpcId: 'vpc-1',
  vpcCidrBlock: '10.0.0.0/16',
  availabilityZones: [],
  subnetGroups: [
    { name: 'nodes', type: 'Private', subnets: [subnet('a', 'subnet-0000000a'), subnet('b', 'subnet-0000000b')] },
    { name: 'edge', type: 'Public', subnets: [subnet('a', 'subnet-0000000c')] },
  ],
};

/** `cdk synth` runs the app first without the results of lookups in the context, and then with them. */
function subnetTerms(context: Record<string, unknown>): unknown {
  const stack: Stack = newStack();
  for (const [key, value] of Object.entries(context)) stack.node.setContext(key, value);
  const vpc = Vpc.fromLookup(stack, 'Vpc', { vpcId: 'vpc-1' });
  const karpenter = new Karpenter(stack, 'Karpenter', { cluster: newClusterV2(stack, { clusterName: 'shop', vpc }) });
  karpenter.addNodeClass('al2023', { amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')] });
  const manifests = JSON.stringify(Object.values(resourcesOf(stack, 'Custom::AWSCDK-EKS-KubernetesResource')));
  return JSON.parse(/\\"subnetSelectorTerms\\":(\[.*?\])/.exec(manifests)![1].replace(/\\"/g, '"'));
}

const KEY = `vpc-provider:account=${ACCOUNT}:filter.vpc-id=vpc-1:region=eu-west-1:returnAsymmetricSubnets=true`;

describe('an EC2NodeClass with a looked-up VPC', () => {
  test('selects subnets by tag before the lookup, which does not run if the app throws', () => {
    expect(subnetTerms({})).toEqual([{ tags: { 'karpenter.sh/discovery': 'shop' } }]);
  });

  test('selects subnets by id after the lookup', () => {
    expect(subnetTerms({ [KEY]: LOOKED_UP })).toEqual([{ id: 'subnet-0000000a' }, { id: 'subnet-0000000b' }]);
  });
});
