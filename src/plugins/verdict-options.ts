/**
 * How the scheduler treats preferred node affinities that no node satisfies.
 *
 * @see https://karpenter.sh/docs/reference/settings/
 */
export enum PreferencePolicy {
  /** Tries to satisfy all preferences, and drops those with the lowest weight first. */
  RESPECT = 'Respect',
  /** Ignores preferences. */
  IGNORE = 'Ignore',
}

/**
 * How the scheduler treats a `minValues` that too few instance types satisfy.
 *
 * @see https://karpenter.sh/docs/reference/settings/
 */
export enum MinValuesPolicy {
  /** Launches no node. */
  STRICT = 'Strict',
  /** Lowers `minValues` to the number that is available. */
  BEST_EFFORT = 'BestEffort',
}

/** The DaemonSets of EKS that each node is assumed to run if the app does not contain them. */
export enum SystemDaemonSets {
  /**
   * `aws-node` and `kube-proxy`, and, if the app uses them, `eks-pod-identity-agent` and `ebs-csi-node`, with the
   * requests of the EKS add-ons.
   */
  EKS = 'eks',
  /** None: nodes run only the DaemonSets of the app and of the cluster files. */
  NONE = 'none',
}

/**
 * Karpenter's setting `featureGates`.
 *
 * @see https://karpenter.sh/docs/reference/settings/#feature-gates
 */
export interface FeatureGates {
  /**
   * Whether Karpenter uses the capacity reservations of node classes. Only `clusterFiles` contain these reservations.
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
   * Whether Karpenter launches nodes for static NodePools, which have `replicas`.
   *
   * @default false
   */
  readonly staticCapacity?: boolean;

  /**
   * Whether Karpenter keeps spare capacity for CapacityBuffers.
   *
   * @default false
   */
  readonly capacityBuffer?: boolean;

  /**
   * Whether consolidation replaces spot nodes with cheaper spot nodes.
   *
   * @default false
   */
  readonly spotToSpotConsolidation?: boolean;

  /**
   * Whether Karpenter replaces unhealthy nodes.
   *
   * @default false
   */
  readonly nodeRepair?: boolean;

  /**
   * Whether Karpenter terminates a drifted node before it launches the replacement, if the replacement cannot be
   * launched first: because the capacity reservation is full, or the static NodePool is at its node limit.
   *
   * @default false
   */
  readonly terminateFirstDrift?: boolean;

  /**
   * Whether Karpenter does the same with an unhealthy node.
   *
   * @default false
   */
  readonly terminateFirstRepair?: boolean;
}

/** Facts about the cluster that the manifests do not contain. */
export interface VerdictOptions {
  /**
   * AWS region of the cluster. It determines instance types and prices.
   *
   * @default - the region of `zones`, or of the zones that the manifests name, or us-east-1
   */
  readonly region?: string;

  /**
   * Availability zones in which the cluster has subnets, for example `eu-west-1a`.
   *
   * @default - the first three zones of the region, such as `eu-west-1a` to `eu-west-1c`, and the zones that the
   * manifests name
   */
  readonly zones?: string[];

  /**
   * Zone ids by zone, for example `{ 'eu-west-1a': 'euw1-az3' }`, as `aws ec2 describe-availability-zones` prints them.
   * The names of zones differ between accounts; the id says which instance types a zone offers.
   *
   * @default - unknown: each zone is assumed to offer every instance type of the region
   */
  readonly zoneIds?: { readonly [zone: string]: string };

  /**
   * Files or folders with the current state of the cluster, as `kubectl get nodes,nodeclaims,pods -A -o yaml` prints
   * it. Pods are scheduled to existing nodes first, and only the pods that a workload does not have yet are scheduled.
   * The objects in these files are not checked.
   *
   * @default - the cluster is assumed to be empty
   */
  readonly clusterFiles?: string[];

  /**
   * StorageClasses of the cluster that the app does not contain, for example `gp3`. Their volumes are assumed to be
   * those of the EBS CSI driver, created where the pod first runs (`WaitForFirstConsumer`).
   *
   * @default - only `gp2`, which EKS creates. Pods with volumes of other classes are not evaluated
   */
  readonly storageClasses?: string[];

  /**
   * PriorityClasses of the cluster that the app does not contain.
   *
   * @default - only those of every cluster
   */
  readonly priorityClasses?: string[];

  /**
   * Which DaemonSets of EKS each node is assumed to run if neither the app nor `clusterFiles` contain them. They take
   * 150m of CPU from each node.
   *
   * @default SystemDaemonSets.EKS
   */
  readonly systemDaemonSets?: SystemDaemonSets;

  /**
   * Version of Karpenter in the cluster, for example `1.15.1`.
   *
   * @default - the newest version that this package supports
   */
  readonly karpenterVersion?: string;

  /**
   * File with the Helm values of Karpenter, for an app that does not install Karpenter itself. Some rules need it, for
   * example for the name of the interruption queue; without it, these rules are not evaluated.
   *
   * @default - the Helm values in the app, if the app installs Karpenter
   */
  readonly helmValuesFile?: string;

  /**
   * File that `karpenter-constructs catalog update` has made from your account or from published prices: its instance
   * types, zones and prices are used instead of those of this package. It must be of the cluster's region. Without
   * `region` and `zones`, its region is taken to be the cluster's.
   *
   * @default - the instance types, zones and prices of this package
   */
  readonly catalogFile?: string;

  /**
   * Price of spot capacity as a share of the on-demand price, the same for all instance types.
   *
   * @default - the recorded spot prices of the region; 0.4 for a region without recorded prices
   */
  readonly spotPriceRatio?: number;

  /**
   * Region whose prices are used if this package has none for the region of the cluster, for example `eu-central-1`.
   *
   * @default - the cost is not evaluated; all other decisions are
   */
  readonly pricesFrom?: string;

  /**
   * Share of an instance's memory that the hypervisor uses, as a fraction: Karpenter's setting of the same name.
   *
   * @default 0.075
   */
  readonly vmMemoryOverheadPercent?: number;

  /**
   * Number of network interfaces on every instance that pods cannot use: Karpenter's setting `reservedENIs`.
   *
   * @default 0
   */
  readonly reservedEnis?: number;

  /**
   * Karpenter's setting of the same name: how it treats preferences that no node satisfies.
   *
   * @default PreferencePolicy.RESPECT
   */
  readonly preferencePolicy?: PreferencePolicy;

  /**
   * Karpenter's setting of the same name: how it treats `minValues` that too few instance types satisfy.
   *
   * @default MinValuesPolicy.STRICT
   */
  readonly minValuesPolicy?: MinValuesPolicy;

  /**
   * Whether Karpenter ignores pods with resource claims (dynamic resource allocation): its setting
   * `ignoreDRARequests`.
   *
   * @default true
   */
  readonly ignoreDraRequests?: boolean;

  /**
   * Karpenter's setting of the same name: the feature gates that affect the verdict.
   *
   * @default - Karpenter's defaults: only reservedCapacity is on
   */
  readonly featureGates?: FeatureGates;
}
