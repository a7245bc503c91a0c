import { Tags } from 'aws-cdk-lib';
import { ISubnet, Subnet } from 'aws-cdk-lib/aws-ec2';

/** Key of the tag by which Karpenter's guides find what nodes may use. */
export const DISCOVERY_TAG = 'karpenter.sh/discovery';

/** Tags the subnets that are of this app; of others the tags are not ours. */
export function tagForDiscovery(subnets: readonly ISubnet[], value: string): void {
  for (const subnet of subnets) if (subnet instanceof Subnet) Tags.of(subnet).add(DISCOVERY_TAG, value);
}
