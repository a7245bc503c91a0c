import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { nodes, workloads } from '../../src';
import { NETWORK, server, ZONES } from '../shop-cluster';

const { CapacityType, InstanceCategory, Requirement } = nodes;

export class GuardrailsChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    // The platform team owns the network, the AMI and the IAM role of nodes, and says what NodePools may ask for.
    const nodeClass = new nodes.EC2NodeClass(this, 'NodeClass', {
      ...NETWORK,
      metadata: { name: 'default' },
      amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')],
    });
    new nodes.NodePoolEditorRole(this, 'Editors', { groups: ['team-search'] });
    new nodes.NodePoolGuardrails(this, 'Guardrails', {
      maxInstanceCpu: 16,
      capacityTypes: [CapacityType.ON_DEMAND],
      maxCpu: 100,
      pinnedAmis: true,
    });

    // The search team owns its NodePool. Without one of these requirements, or the limit, the API server rejects it.
    const nodePool = new nodes.NodePool(this, 'SearchPool', {
      metadata: { name: 'search' },
      nodeClass,
      requirements: [
        Requirement.architecture().in(nodes.Architecture.AMD64),
        Requirement.instanceCategory().in(InstanceCategory.C, InstanceCategory.M, InstanceCategory.R),
        Requirement.instanceGeneration().greaterThan(4),
        Requirement.instanceCpu().lessThanOrEqual(16),
        Requirement.capacityType().in(CapacityType.ON_DEMAND),
        Requirement.zone().in(...ZONES),
      ],
      limits: { cpu: 100 },
    });
    new workloads.ResilientDeployment(this, 'Search', {
      metadata: { name: 'search' },
      containers: [server('registry.example.com/search:8.1.0', 1, 4)],
      nodePool,
      minReplicas: 3,
    });
  }
}
