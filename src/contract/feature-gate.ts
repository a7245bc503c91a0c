import { compareKarpenterVersions, NEWEST_KARPENTER_VERSION } from './karpenter-version';

/**
 * A feature gate of Karpenter.
 *
 * Sources: KarpenterFeatureGates in sigs.k8s.io/karpenter v1.15.0 pkg/operator/options, FeatureGates in
 * pkg/operator/options of Karpenter for AWS 1.15.1, and `featureGates` and `awsFeatureGates` in the values of its
 * chart. ReservedCapacity is off by default in pkg/operator/options of sigs.k8s.io/karpenter v1.5.5, and on in that of
 * v1.6.4.
 */
export interface FeatureGateRule {
  /** The name in Karpenter's flags `--feature-gates` and `--aws-feature-gates`. */
  readonly name: string;
  /** The name in the chart's values. */
  readonly setting: string;
  readonly enabledByDefault: boolean;
  /** The first release that enables the gate by default. Absent if the gate is disabled by default. */
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

/** Explicitly set gates. All other gates have Karpenter's default. */
export type FeatureGates = Readonly<Partial<Record<FeatureGate, boolean>>>;

export function isFeatureGate(name: string): name is FeatureGate {
  return Object.hasOwn(FEATURE_GATES, name);
}

export function isGateEnabled(gates: FeatureGates | undefined, name: FeatureGate): boolean {
  return gates?.[name] ?? FEATURE_GATES[name].enabledByDefault;
}

/** Whether a release enables the gate by default. */
export function isEnabledByDefault(
  { enabledByDefault, enabledSince }: FeatureGateRule,
  version = NEWEST_KARPENTER_VERSION,
): boolean {
  return enabledByDefault && (enabledSince === undefined || compareKarpenterVersions(version, enabledSince) >= 0);
}

/** The gates whose default in a release differs from the newest release's, with their default in that release. */
export function gateDefaultsOfVersion(version: string | undefined): FeatureGates {
  const all: readonly FeatureGateRule[] = Object.values(FEATURE_GATES);
  const changed = all.filter((rule) => isEnabledByDefault(rule, version) !== isEnabledByDefault(rule));
  return Object.fromEntries(changed.map((rule) => [rule.name, isEnabledByDefault(rule, version)]));
}
