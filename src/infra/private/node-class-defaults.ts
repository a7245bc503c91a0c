/** Role, subnets and security groups that an EC2NodeClass gets from the cluster. */
import { Annotations, Aspects, Tag, Tags, Token } from 'aws-cdk-lib';
import { ISubnet, Subnet } from 'aws-cdk-lib/aws-ec2';
import { IConstruct } from 'constructs';
import { EksClusterView } from './cluster-view';
import { EC2NodeClassProps, NodeIdentity, SecurityGroupSelectorTerm, SubnetSelectorTerm } from '../../nodes';
import { KarpenterNodeClassOptions } from '../node-class-options';
import { NodeRole } from '../node-role';

/** Sources of the defaults. */
export interface NodeClassContext {
  readonly cluster: EksClusterView;
  readonly nodeRole: NodeRole;
  readonly discoveryTag?: string;
}

/** The properties of the EC2NodeClass; those left out in the options refer to the cluster's resources. */
export function withClusterDefaults(options: KarpenterNodeClassOptions, context: NodeClassContext): EC2NodeClassProps {
  const { cluster, nodeRole, discoveryTag = cluster.knownName } = context;
  const { nodeRole: role, instanceProfile, subnetSelectorTerms, securityGroupSelectorTerms, ...rest } = options;
  const profile = instanceProfile ?? (role ? undefined : nodeRole.instanceProfile);
  return {
    ...rest,
    identity: profile
      ? NodeIdentity.instanceProfile(profile.instanceProfileName)
      : NodeIdentity.role((role ?? nodeRole.role).roleName),
    subnetSelectorTerms: subnetSelectorTerms ?? subnetsOf(cluster, discoveryTag),
    securityGroupSelectorTerms: securityGroupSelectorTerms ?? securityGroupsOf(cluster, discoveryTag),
  };
}

/** Until a VPC is looked up, the CDK returns dummy subnet ids; it synthesises again once it knows the real ones. */
function subnetsOf(cluster: EksClusterView, discoveryTag: string): SubnetSelectorTerm[] {
  const ids = cluster.privateSubnets().map(({ subnetId }) => subnetId);
  const areKnown = ids.length > 0 && ids.every((id) => Token.isUnresolved(id) || id.startsWith('subnet-'));
  return areKnown ? ids.map((id) => SubnetSelectorTerm.byId(id)) : [SubnetSelectorTerm.byDiscoveryTag(discoveryTag)];
}

function securityGroupsOf(cluster: EksClusterView, discoveryTag: string): SecurityGroupSelectorTerm[] {
  const id = cluster.securityGroupId();
  return [
    id === undefined ? SecurityGroupSelectorTerm.byDiscoveryTag(discoveryTag) : SecurityGroupSelectorTerm.byId(id),
  ];
}

/** Key of the tag by which the EC2NodeClasses of Karpenter's guides select subnets and security groups. */
const DISCOVERY_TAG = 'karpenter.sh/discovery';

/**
 * Tags the subnets that this app creates. A subnet that already has the tag keeps its value: EC2NodeClasses of another
 * cluster may select it by that value, and would no longer find it.
 */
export function tagForDiscovery(scope: IConstruct, subnets: readonly ISubnet[], value: string): void {
  const ownSubnets = subnets.filter((subnet) => subnet instanceof Subnet);
  const conflicts = ownSubnets
    .map((subnet) => ({ subnet, current: tagOf(subnet) }))
    .filter(({ current }) => current !== undefined && current !== value);
  for (const subnet of ownSubnets) if (tagOf(subnet) === undefined) Tags.of(subnet).add(DISCOVERY_TAG, value);
  if (conflicts.length === 0) return;
  const [{ subnet, current }] = conflicts;
  Annotations.of(scope).addWarningV2(
    'karpenter-constructs:discoveryTag',
    `discoveryTag: the subnet ${subnet.node.path} already has the tag ${DISCOVERY_TAG} with the value ${current}, ` +
      `got ${value}; write discoveryTag: ${JSON.stringify(current)}, or select subnets by their ids`,
  );
}

function tagOf(subnet: ISubnet): string | undefined {
  return Aspects.of(subnet)
    .all.filter((aspect) => aspect instanceof Tag)
    .find(({ key }) => key === DISCOVERY_TAG)?.value;
}
