import { Token } from 'aws-cdk-lib';
import { ClusterView } from './cluster-view';
import { EC2NodeClassProps, SecurityGroupSelectorTerm, SubnetSelectorTerm } from '../../nodes';
import { NodeClassOptions } from '../node-class-options';
import { NodeRole } from '../node-role';

/** What an EC2NodeClass can take from its surroundings. */
export interface Surroundings {
  readonly cluster: ClusterView;
  readonly nodeRole: NodeRole;
  readonly discoveryTag?: string;
}

/** The properties with references in place of what was left out. */
export function toNodeClassProps(options: NodeClassOptions, surroundings: Surroundings): EC2NodeClassProps {
  const { cluster, nodeRole, discoveryTag = cluster.knownName } = surroundings;
  const { nodeRole: role, instanceProfile, subnetSelectorTerms, securityGroupSelectorTerms, ...rest } = options;
  const profile = instanceProfile ?? (role ? undefined : nodeRole.instanceProfile);
  return {
    ...rest,
    ...profile ? { instanceProfile: profile.instanceProfileName } : { role: (role ?? nodeRole.role).roleName },
    subnetSelectorTerms: subnetSelectorTerms ?? subnetsOf(cluster, discoveryTag),
    securityGroupSelectorTerms: securityGroupSelectorTerms ?? securityGroupsOf(cluster, discoveryTag),
  };
}

/** Of a VPC that is yet to be looked up the CDK has ids that are none, and synthesises once more when it knows them. */
function subnetsOf(cluster: ClusterView, discoveryTag: string): SubnetSelectorTerm[] {
  const ids = cluster.privateSubnets().map(({ subnetId }) => subnetId);
  const areKnown = ids.length > 0 && ids.every((id) => Token.isUnresolved(id) || id.startsWith('subnet-'));
  return areKnown ? ids.map((id) => SubnetSelectorTerm.byId(id)) : [SubnetSelectorTerm.byDiscoveryTag(discoveryTag)];
}

function securityGroupsOf(cluster: ClusterView, discoveryTag: string): SecurityGroupSelectorTerm[] {
  const id = cluster.securityGroupId();
  return [id === undefined ? SecurityGroupSelectorTerm.byDiscoveryTag(discoveryTag) : SecurityGroupSelectorTerm.byId(id)];
}
