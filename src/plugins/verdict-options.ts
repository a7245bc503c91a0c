/**
 * What the scheduler does with preferred node affinities that no node can meet.
 *
 * @see https://karpenter.sh/docs/reference/settings/
 */
export enum PreferencePolicy {
  /** Tries to meet each preference, and gives up the lightest ones first. */
  RESPECT = 'Respect',
  /** Schedules as if there were no preferences. */
  IGNORE = 'Ignore',
}

/**
 * What the scheduler does with a `minValues` that too few instance types can meet.
 *
 * @see https://karpenter.sh/docs/reference/settings/
 */
export enum MinValuesPolicy {
  /** Launches no node. */
  STRICT = 'Strict',
  /** Lowers `minValues` to what there is. */
  BEST_EFFORT = 'BestEffort',
}

/**
 * Features of Karpenter that are on or off: its setting `featureGates`.
 *
 * @see https://karpenter.sh/docs/reference/settings/#feature-gates
 */
export interface FeatureGates {
  /**
   * Whether capacity reservations of node classes are used. They are known from `clusterFiles` only.
   *
   * @default true
   */
  readonly reservedCapacity?: boolean;

  /**
   * Whether NodeOverlays change prices and capacities.
   *
   * @default false
   */
  readonly nodeOverlay?: boolean;

  /**
   * Whether NodePools with `replicas` get their nodes.
   *
   * @default false
   */
  readonly staticCapacity?: boolean;

  /**
   * Whether room is kept for CapacityBuffers.
   *
   * @default false
   */
  readonly capacityBuffer?: boolean;

  /**
   * Whether consolidation replaces spot nodes by cheaper spot nodes.
   *
   * @default false
   */
  readonly spotToSpotConsolidation?: boolean;

  /**
   * Whether nodes that are not well are replaced.
   *
   * @default false
   */
  readonly nodeRepair?: boolean;

  /**
   * Whether a drifted node goes before there is another, where there can be none before: its capacity reservation is
   * full, or its static NodePool has as many nodes as it may have.
   *
   * @default false
   */
  readonly terminateFirstDrift?: boolean;

  /**
   * Whether the same is done with a node that is repaired.
   *
   * @default false
   */
  readonly terminateFirstRepair?: boolean;
}

/** What the manifests do not say of the cluster. */
export interface VerdictOptions {
  /**
   * AWS region of the cluster: its instance types and prices are judged.
   *
   * @default - that of `zones`, or of those that the manifests name, or else us-east-1
   */
  readonly region?: string;

  /**
   * Availability zones that the cluster has subnets in, like `eu-west-1a`.
   *
   * @default - the first three zones of the region, such as `eu-west-1a` to `eu-west-1c`, and those that the manifests
   * name
   */
  readonly zones?: string[];

  /**
   * Files or folders that say how the cluster is, as `kubectl get nodes,nodeclaims,pods -A -o yaml` prints it: pods go
   * to the nodes that are there first, and of each workload only those that it has not got yet. Nothing in these files
   * is judged.
   *
   * @default - the cluster is taken to be empty
   */
  readonly clusterFiles?: string[];

  /**
   * Version of Karpenter in the cluster, like `1.15.1`.
   *
   * @default - the newest version that this package knows
   */
  readonly karpenterVersion?: string;

  /**
   * File with the values of Karpenter's Helm chart, for an app that does not install Karpenter itself. Rules then know,
   * for instance, which interruption queue it listens to; without, they do not judge what depends on it.
   *
   * @default - what the app says of Karpenter, if it installs it
   */
  readonly helmValuesFile?: string;

  /**
   * Price of spot capacity as a share of the on-demand price, the same for all instance types.
   *
   * @default - the recorded spot prices of the region; 0.4 for a region without
   */
  readonly spotPriceRatio?: number;

  /**
   * Share of an instance's memory that the hypervisor keeps: Karpenter's setting of the same name.
   *
   * @default 0.075
   */
  readonly vmMemoryOverheadPercent?: number;

  /**
   * Network interfaces that are kept from pods on every instance: Karpenter's setting `reservedENIs`.
   *
   * @default 0
   */
  readonly reservedEnis?: number;

  /**
   * Karpenter's setting of the same name.
   *
   * @default PreferencePolicy.RESPECT
   */
  readonly preferencePolicy?: PreferencePolicy;

  /**
   * Karpenter's setting of the same name.
   *
   * @default MinValuesPolicy.STRICT
   */
  readonly minValuesPolicy?: MinValuesPolicy;

  /**
   * Whether Karpenter passes over pods with resource claims (dynamic resource allocation): its setting
   * `ignoreDRARequests`.
   *
   * @default true
   */
  readonly ignoreDraRequests?: boolean;

  /**
   * Karpenter's setting of the same name, as far as it changes the verdict.
   *
   * @default - as Karpenter has them: all but reservedCapacity are off
   */
  readonly featureGates?: FeatureGates;
}
