import { Annotations, Aspects, Tag, Tags } from 'aws-cdk-lib';
import { ISubnet, Subnet } from 'aws-cdk-lib/aws-ec2';
import { IConstruct } from 'constructs';

/** Key of the tag by which Karpenter's guides find what nodes may use. */
export const DISCOVERY_TAG = 'karpenter.sh/discovery';

/**
 * Tags the subnets that are of this app; of others the tags are not ours. One that has the tag for another cluster
 * keeps it: that one's node classes may go by it, and would find no subnet any more.
 */
export function tagForDiscovery(scope: IConstruct, subnets: readonly ISubnet[], value: string): void {
  const own = subnets.filter((subnet) => subnet instanceof Subnet);
  const taken = own.flatMap((subnet) => ({ subnet, other: tagOf(subnet) })).filter(({ other }) => other !== undefined && other !== value);
  for (const subnet of own) if (tagOf(subnet) === undefined) Tags.of(subnet).add(DISCOVERY_TAG, value);
  if (taken.length === 0) return;
  const [{ subnet, other }] = taken;
  Annotations.of(scope).addWarningV2('karpenter-constructs:discoveryTag', `discoveryTag: a subnet has the tag ${DISCOVERY_TAG} once, and ${subnet.node.path} has it with ${other} already, `
    + `got ${value}; write discoveryTag: ${JSON.stringify(other)}, or select subnets by their ids`);
}

function tagOf(subnet: ISubnet): string | undefined {
  return Aspects.of(subnet).all.filter((aspect) => aspect instanceof Tag).find(({ key }) => key === DISCOVERY_TAG)?.value;
}
