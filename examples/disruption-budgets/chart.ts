import { Chart, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { nodes, setups, workloads } from '../../src';
import { NETWORK, server, ZONES } from '../shop-cluster';

const { CapacityType, Consolidation, DisruptionBudget, DisruptionReason, Expiration, InstanceCategory, Requirement } =
  nodes;
const { MaintenanceWindow, WeekDay } = setups;

export class DisruptionBudgetsChart extends Chart {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const window = MaintenanceWindow.weekly({
      weekDays: [WeekDay.SATURDAY, WeekDay.SUNDAY],
      startHour: 3,
      duration: Duration.hours(6),
    });
    const nodePool = new nodes.NodePool(this, 'NodePool', {
      metadata: { name: 'general' },
      nodeClass: new nodes.EC2NodeClass(this, 'NodeClass', {
        ...NETWORK,
        metadata: { name: 'default' },
        amiSelectorTerms: [nodes.AmiSelectorTerm.al2023('v20250915')],
      }),
      requirements: [
        Requirement.architecture().in(nodes.Architecture.AMD64),
        Requirement.instanceCategory().in(InstanceCategory.C, InstanceCategory.M, InstanceCategory.R),
        Requirement.instanceGeneration().greaterThan(4),
        Requirement.capacityType().in(CapacityType.SPOT, CapacityType.ON_DEMAND),
        Requirement.zone().in(...ZONES),
      ],
      limits: { cpu: 100 },
      expireAfter: Expiration.never(), // budgets do not delay expiry
      disruption: {
        consolidateAfter: Consolidation.after(Duration.minutes(5)),
        budgets: [
          DisruptionBudget.percent(20),
          DisruptionBudget.nodes(1, { reasons: [DisruptionReason.UNDERUTILIZED] }), // one node at a time
          ...window.budgets, // no drift outside of the window
        ],
      },
    });
    new workloads.ResilientDeployment(this, 'Web', {
      metadata: { name: 'web' },
      containers: [server('registry.example.com/web:1.4.2', 0.5, 1)],
      nodePool,
      minReplicas: 6,
    });
  }
}
