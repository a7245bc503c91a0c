import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { NAMES } from './account-stack';
import {
  AmiSelectorTerm,
  CapacityType,
  EC2NodeClass,
  NodeIdentity,
  NodePool,
  Requirement,
  SecurityGroupSelectorTerm,
  SubnetSelectorTerm,
} from '../../src/nodes';

/** What the cluster's repository holds: `cdk8s synth` writes it, and Argo CD or Flux applies it. */
export class NodesChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const nodeClass = new EC2NodeClass(this, 'class', {
      metadata: { name: 'al2023' },
      amiSelectorTerms: [AmiSelectorTerm.al2023('v20250915')],
      identity: NodeIdentity.role(NAMES.nodeRole),
      subnetSelectorTerms: [SubnetSelectorTerm.byDiscoveryTag(NAMES.cluster)],
      securityGroupSelectorTerms: [SecurityGroupSelectorTerm.byDiscoveryTag(NAMES.cluster)],
    });
    new NodePool(this, 'general', {
      metadata: { name: 'general' },
      nodeClass,
      requirements: [Requirement.capacityType().in(CapacityType.SPOT, CapacityType.ON_DEMAND)],
      limits: { cpu: 200 },
    });
  }
}
