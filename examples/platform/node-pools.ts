import { Cron, Duration, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { nodes } from '../../src';

const {
  Architecture,
  CapacityType,
  Consolidation,
  ConsolidationPolicy,
  DisruptionBudget,
  DisruptionReason,
  Expiration,
  NodePool,
  Requirement,
  TaintEffect,
} = nodes;

const REGION_ZONES = nodes.Zone.ofRegion('eu-west-1', 'a', 'b', 'c');

/** A static pool: Karpenter keeps its nodes whether pods need them or not. */
export function systemPool(scope: Construct, nodeClass: nodes.INodeClass): nodes.NodePool {
  return new NodePool(scope, 'SystemPool', {
    metadata: { name: 'system' },
    nodeClass,
    replicas: 3,
    limits: { nodes: 4 },
    requirements: [
      Requirement.capacityType().in(CapacityType.ON_DEMAND),
      Requirement.architecture().in(Architecture.ARM64),
      Requirement.instanceType().in('m7g.large'),
      Requirement.zone().in(...REGION_ZONES),
    ],
  });
}

/** Grows and shrinks with the requests, by day in small steps. */
export function webPool(scope: Construct, nodeClass: nodes.INodeClass): nodes.NodePool {
  return new NodePool(scope, 'WebPool', {
    metadata: { name: 'web' },
    nodeClass,
    labels: { 'example.com/team': 'web' },
    annotations: { 'example.com/contact': 'web@example.com' },
    requirements: [
      Requirement.capacityType().in(CapacityType.SPOT, CapacityType.ON_DEMAND),
      Requirement.instanceFamily()
        .in(...['m6i', 'm6id', 'm6a', 'm7i', 'm7a', 'c6i', 'c7i'].map((family) => nodes.InstanceFamily.of(family)))
        .withMinValues(3),
      Requirement.instanceCpu().greaterThanOrEqual(2),
      Requirement.instanceCpu().lessThanOrEqual(16),
      Requirement.zone().in(...REGION_ZONES),
    ],
    weight: 50,
    limits: { cpu: 400, memory: Size.gibibytes(1600) },
    expireAfter: Expiration.after(Duration.days(14)),
    terminationGracePeriod: Duration.hours(1),
    disruption: {
      consolidationPolicy: ConsolidationPolicy.BALANCED,
      consolidateAfter: Consolidation.after(Duration.minutes(5)),
      budgets: [
        DisruptionBudget.percent(20),
        DisruptionBudget.nodes(1, {
          schedule: Cron.schedule({ minute: '0', hour: '7', weekDay: 'mon-fri' }),
          duration: Duration.hours(12),
          reasons: [DisruptionReason.UNDERUTILIZED, DisruptionReason.DRIFTED],
        }),
      ],
    },
  });
}

/** Runs for days and is not moved until it is empty; drivers are installed on a node before pods come to it. */
export function trainingPool(scope: Construct, nodeClass: nodes.INodeClass): nodes.NodePool {
  return new NodePool(scope, 'TrainingPool', {
    metadata: { name: 'training' },
    nodeClass,
    requirements: [
      Requirement.capacityType().in(CapacityType.RESERVED, CapacityType.ON_DEMAND),
      Requirement.instanceGpuManufacturer().in('nvidia'),
      Requirement.instanceFamily().in(nodes.InstanceFamily.P4D, nodes.InstanceFamily.P5),
    ],
    taints: [{ key: 'nvidia.com/gpu', value: 'true', effect: TaintEffect.NO_SCHEDULE }],
    startupTaints: [
      {
        key: 'example.com/drivers',
        value: 'missing',
        effect: TaintEffect.NO_EXECUTE,
        timeAdded: new Date('2026-01-01T00:00:00Z'),
      },
    ],
    limits: { other: { 'nvidia.com/gpu': '64' } },
    expireAfter: Expiration.never(),
    disruption: {
      consolidationPolicy: ConsolidationPolicy.WHEN_EMPTY,
      consolidateAfter: Consolidation.after(Duration.minutes(30)),
    },
  });
}

/** Only a few families can run virtual machines on virtual machines. */
export function sandboxPool(scope: Construct, nodeClass: nodes.INodeClass): nodes.NodePool {
  return new NodePool(scope, 'SandboxPool', {
    metadata: { name: 'sandbox' },
    nodeClass,
    requirements: [
      Requirement.capacityType().in(CapacityType.ON_DEMAND),
      Requirement.architecture().in(Architecture.AMD64),
      Requirement.instanceFamily().in(nodes.InstanceFamily.C8I, nodes.InstanceFamily.M8I, nodes.InstanceFamily.R8I),
    ],
    taints: [
      { key: 'example.com/sandbox', effect: TaintEffect.NO_EXECUTE, timeAdded: new Date('2026-01-01T00:00:00Z') },
    ],
    limits: { cpu: 64 },
  });
}
