/**
 * What of Karpenter can be switched on and off.
 *
 * Sources: KarpenterFeatureGates in sigs.k8s.io/karpenter v1.15.0 pkg/operator/options, FeatureGates in pkg/operator/options of
 * Karpenter for AWS 1.15.1, and `featureGates` and `awsFeatureGates` in the values of its chart.
 */
export interface FeatureGateRule {
  /** As in Karpenter's flags `--feature-gates` and `--aws-feature-gates`. */
  readonly name: string;
  /** As in the chart's values. */
  readonly setting: string;
  readonly enabledByDefault: boolean;
  readonly owner: 'core' | 'aws';
}

const gate = (name: string, setting: string, owner: FeatureGateRule['owner'] = 'core', enabledByDefault = false) =>
  ({ name, setting, owner, enabledByDefault }) as const;

export const FEATURE_GATES = {
  NodeRepair: gate('NodeRepair', 'nodeRepair'),
  ReservedCapacity: gate('ReservedCapacity', 'reservedCapacity', 'core', true),
  SpotToSpotConsolidation: gate('SpotToSpotConsolidation', 'spotToSpotConsolidation'),
  NodeOverlay: gate('NodeOverlay', 'nodeOverlay'),
  StaticCapacity: gate('StaticCapacity', 'staticCapacity'),
  CapacityBuffer: gate('CapacityBuffer', 'capacityBuffer'),
  TerminateFirstDrift: gate('TerminateFirstDrift', 'terminateFirstDrift'),
  TerminateFirstRepair: gate('TerminateFirstRepair', 'terminateFirstRepair'),
  PodDeletionCostManagement: gate('PodDeletionCostManagement', 'podDeletionCostManagement'),
  NodeClassCEL: gate('NodeClassCEL', 'nodeClassCEL', 'aws'),
  DRANVIDIAGPU: gate('DRANVIDIAGPU', 'draNVIDIAGPU', 'aws'),
  DRAEFA: gate('DRAEFA', 'draEFA', 'aws'),
  RebootForRepair: gate('RebootForRepair', 'rebootForRepair', 'aws'),
} as const satisfies Readonly<Record<string, FeatureGateRule>>;

export type FeatureGate = keyof typeof FEATURE_GATES;

/** Those that are set; the others are as Karpenter has them by default. */
export type FeatureGates = Readonly<Partial<Record<FeatureGate, boolean>>>;

export function isFeatureGate(name: string): name is FeatureGate {
  return Object.hasOwn(FEATURE_GATES, name);
}

export function isGateOpen(gates: FeatureGates | undefined, name: FeatureGate): boolean {
  return gates?.[name] ?? FEATURE_GATES[name].enabledByDefault;
}
