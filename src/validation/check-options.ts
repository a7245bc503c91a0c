import { FamilyDiscount, RegionCatalog } from '../catalog';
import { FeatureGates, KindSchema, SchedulerConfig } from '../contract';
import { PackerBounds } from '../kernel';
import { ProgressListener } from './progress';
import { AcknowledgeOptions } from './vocabulary/acknowledgement';
import { SourceFile } from './vocabulary/source-file';

export type LegacyConverter = (
  objects: readonly Readonly<Record<string, unknown>>[],
) => ReadonlyArray<readonly Readonly<Record<string, unknown>>[]>;

/** Facts that manifests do not contain and that change the verdict. */
/** How the fleets are simulated that Karpenter ends with. */
export interface SettleOptions {
  /**
   * Seconds from the launch of a node until it takes pods.
   * @default 60
   */
  readonly nodeStart?: number;
  /**
   * The order in which workloads are created, each `interval` seconds after the one before.
   * @default - all at the same time
   */
  readonly order?: 'manifest' | 'name' | 'file-by-file';
  /** @default 5 */
  readonly interval?: number;
  /**
   * At most this many orders of names and UIDs are simulated.
   * @default 20
   */
  readonly maxOrders?: number;
}

export interface CheckOptions {
  /**
   * AWS region of the cluster.
   * @default - the region of the cluster files, a template, `zones`, a single catalogue, or the zones named in
   * manifests, in this order; otherwise 'us-east-1'
   */
  readonly region?: string;
  /**
   * The state of the cluster: lists and documents as kubectl prints them. No findings are reported about them.
   * @default - the cluster is empty
   */
  readonly cluster?: readonly SourceFile[];
  /**
   * Zones of the subnets.
   * @default - the region's first three zones, `<region>a` to `<region>c`, and the zones named in manifests
   */
  readonly zones?: readonly string[];
  /**
   * Zone IDs by zone name. They differ by AWS account.
   * @default - the zone IDs in the cluster files
   */
  readonly zoneIds?: Readonly<Record<string, string>>;
  /**
   * Version of Karpenter, from 1.0 on. It decides which fields exist and which rules apply to them.
   * @default - the newest supported version
   */
  readonly karpenterVersion?: string;
  /**
   * A release older than 1.0 that the input installs. It decides only which API versions the cluster serves.
   * @default - the cluster serves those of `karpenterVersion`
   */
  readonly servingVersion?: string;
  /**
   * Converts Karpenter objects of older API versions: for each object, the v1 objects that replace it. The rules then
   * judge these.
   * @default - objects of older API versions are only reported
   */
  readonly convertLegacy?: LegacyConverter;
  /**
   * Schemas of the CRDs in the cluster, instead of those of the Karpenter version.
   * @default - the CRDs of `karpenterVersion`
   */
  readonly crds?: readonly KindSchema[];
  /**
   * Spot price as a share of the on-demand price, the same for all instance types.
   * @default - the recorded spot prices of the region; 0.4 for a region without
   */
  readonly spotPriceRatio?: number;
  /**
   * Catalogues of an AWS account or of published prices, one for each region. The one of the cluster's region replaces
   * the embedded instance types, prices and zones, or only the prices. A single one also says where the cluster is, if
   * nothing else does.
   * @default - the embedded data
   */
  readonly catalogs?: readonly RegionCatalog[];
  /**
   * The region whose prices are used if none are known for the region of the cluster.
   * @default - the cost is not evaluated
   */
  readonly pricesFrom?: string;
  /**
   * What is not charged of the on-demand prices of instance families, for Savings Plans. Karpenter does not know it.
   * @default - no discounts
   */
  readonly discounts?: readonly FamilyDiscount[];
  /**
   * Share of an instance's memory that the hypervisor uses.
   * @default 0.075
   */
  readonly vmMemoryOverheadPercent?: number;
  /**
   * Network interfaces that are not available to pods.
   * @default 0
   */
  readonly reservedENIs?: number;
  /**
   * Whether Karpenter tries to meet the preferences of pods.
   * @default 'Respect'
   */
  readonly preferencePolicy?: 'Respect' | 'Ignore';
  /**
   * Whether Karpenter lowers `minValues` that it cannot meet.
   * @default 'Strict'
   */
  readonly minValuesPolicy?: 'Strict' | 'BestEffort';
  /**
   * Whether Karpenter ignores pods with resource claims, as in a cluster without Dynamic Resource Allocation.
   * @default true
   */
  readonly ignoreDraRequests?: boolean;
  /**
   * StorageClasses of the cluster that the input lacks. Their volumes are those of the EBS CSI driver, created where
   * the pod first runs.
   * @default - none
   */
  readonly storageClasses?: readonly string[];
  /**
   * PriorityClasses of the cluster that the input lacks.
   * @default - none
   */
  readonly priorityClasses?: readonly string[];
  /**
   * Whether nodes are assumed to run the DaemonSets of EKS, such as aws-node and kube-proxy, that the input lacks.
   * @default 'none'
   */
  readonly systemDaemonSets?: 'eks' | 'none';
  /**
   * Configuration of the Kubernetes scheduler, which Karpenter also gets with `--scheduler-config`.
   * @default - pods without spread constraints are not spread
   */
  readonly schedulerConfig?: SchedulerConfig;
  /**
   * Limits of memory and steps for scheduling the pods. Beyond them, the pods are not evaluated.
   * @default - 1 GiB, and about one minute
   */
  readonly solverBounds?: PackerBounds;
  /**
   * Feature gates of Karpenter.
   * @default - Karpenter's defaults: all are off, except ReservedCapacity from 1.6 on
   */
  readonly featureGates?: FeatureGates;
  /**
   * Adds the range of fleets that Karpenter ends with, which takes tens of provisioning passes.
   * @default - the verdict has only the first fleet that Karpenter plans
   */
  readonly settle?: SettleOptions;
  /**
   * Adds who pays for the nodes: by `workload`, `namespace`, `pool`, `node`, or `label:KEY` of the pods.
   * @default - the verdict has no costs by row
   */
  readonly costBy?: string;
  /** Whether the cheapest fleet is searched, which takes seconds for thousands of pods. @default false */
  readonly searchesFleet?: boolean;
  /**
   * Whether the verdict explains the placement of pods, which needs some more solver runs.
   * @default false
   */
  readonly explain?: boolean;
  /**
   * Helm values of Karpenter, and their file. They are used if neither a template nor a Deployment shows how Karpenter
   * runs. Missing values are the defaults of the chart.
   * @default - nothing is known about how Karpenter runs
   */
  readonly controllerValues?: {
    readonly file: string;
    readonly values: Readonly<Record<string, unknown>>;
    /** The text of the file, for the places of findings. @default - findings are at its first line */
    readonly text?: string;
  };
  /**
   * Findings that are accepted, in addition to those that annotations acknowledge.
   * @default - none
   */
  readonly acknowledge?: AcknowledgeOptions;
  /**
   * Whether input without any object to evaluate is accepted.
   * @default false
   */
  readonly mayBeEmpty?: boolean;
  /**
   * Called between units of work, such as rules and provisioning passes.
   * @default - no calls
   */
  readonly onProgress?: ProgressListener;
  /**
   * Called with an unexpected error, which is also a finding.
   * @default - no calls
   */
  readonly onInternalError?: (error: unknown) => void;
  /**
   * Whether the manifests are those of an app that is being synthesised, whose values may be known only at deployment.
   * Then it is only a warning if no pod is evaluated because of such values, and programs that another part of the
   * cluster may install, such as device plugins, are not missed.
   * @default false
   */
  readonly isSynth?: boolean;
}
