import { compareKarpenterVersions, NEWEST_KARPENTER_VERSION } from './karpenter-version';

/**
 * What of Karpenter can be switched on and off.
 *
 * Sources: KarpenterFeatureGates in sigs.k8s.io/karpenter v1.15.0 pkg/operator/options, FeatureGates in
 * pkg/operator/options of Karpenter for AWS 1.15.1, and `featureGates` and `awsFeatureGates` in the values of its
 * chart. ReservedCapacity is off by default in pkg/operator/options of sigs.k8s.io/karpenter v1.5.5, and on in that of
 * v1.6.4.
 */
export interface FeatureGateRule {
  /** As in Karpenter's flags `--feature-gates` and `--aws-feature-gates`. */
  readonly name: string;
  /** As in the chart's values. */
  readonly setting: string;
  readonly enabledByDefault: boolean;
  /** Of one that is open by default: the first release where it is. */
  readonly enabledSince?: string;
  readonly owner: 'core' | 'aws';
}

const gate = (name: string, setting: string, owner: FeatureGateRule['owner'] = 'core', enabledSince?: string) =>
  ({ name, setting, owner, enabledByDefault: enabledSince !== undefined, enabledSince }) as const;

export const FEATURE_GATES = {
  NodeRepair: gate('NodeRepair', 'nodeRepair'),
  ReservedCapacity: gate('ReservedCapacity', 'reservedCapacity', 'core', '1.6.0'),
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

/** How a gate is in a release where nobody sets it. */
export function isOpenByDefault({ enabledByDefault, enabledSince }: FeatureGateRule, version = NEWEST_KARPENTER_VERSION): boolean {
  return enabledByDefault && (enabledSince === undefined || compareKarpenterVersions(version, enabledSince) >= 0);
}

/** The gates that are otherwise in a release than in the newest where nobody sets them. */
export function earlierDefaults(version: string | undefined): FeatureGates {
  const all: readonly FeatureGateRule[] = Object.values(FEATURE_GATES);
  const others = all.filter((each) => isOpenByDefault(each, version) !== isOpenByDefault(each));
  return Object.fromEntries(others.map((each) => [each.name, isOpenByDefault(each, version)]));
}
