import { FeatureGates, KindSchema, SchedulerConfig } from '../contract';
import { PackerBounds } from '../kernel';
import { SourceFile } from './manifest/model';
import { PlainRecord } from './manifest/records';

/** What manifests do not say, and changes the verdict. */
export interface CheckOptions {
  /** @default - the one that the cluster, a template, `zones`, or the zones that the manifests name are in; 'us-east-1' */
  readonly region?: string;
  /**
   * Files that say how the cluster is: lists and documents as kubectl prints them. Nothing in them is judged.
   * @default - the cluster is empty
   */
  readonly cluster?: readonly SourceFile[];
  /** @default - the region's first three zones, `<region>a` to `<region>c`, and those that the manifests name */
  readonly zones?: readonly string[];
  /**
   * The ids of the zones, by their names: they differ by account.
   * @default - those that the cluster tells
   */
  readonly zoneIds?: Readonly<Record<string, string>>;
  /**
   * From 1.0 to the newest known: it decides which fields there are, and which rules hold for them.
   * @default - the newest known
   */
  readonly karpenterVersion?: string;
  /**
   * The kinds of CRDs to judge by, instead of those that came with the version.
   * @default - those of the version
   */
  readonly crds?: readonly KindSchema[];
  /**
   * Price of spot as a share of on-demand, where the catalogue has no spot price.
   * @default 0.4
   */
  readonly spotPriceRatio?: number;
  /**
   * Share of an instance's memory that the hypervisor keeps.
   * @default 0.075
   */
  readonly vmMemoryOverheadPercent?: number;
  /** @default 0 */
  readonly reservedENIs?: number;
  /** @default 'Respect' */
  readonly preferencePolicy?: 'Respect' | 'Ignore';
  /** @default 'Strict' */
  readonly minValuesPolicy?: 'Strict' | 'BestEffort';
  /**
   * Whether pods with resource claims are passed over, as those of a cluster without dynamic resource allocation.
   * @default true
   */
  readonly ignoreDraRequests?: boolean;
  /**
   * What the Kubernetes scheduler of the cluster is told, and Karpenter by `--scheduler-config` too.
   * @default - no pod is spread that does not say so itself
   */
  readonly schedulerConfig?: SchedulerConfig;
  /**
   * Memory and steps that placing the pods may take. Where it would take more, the pods are not evaluated.
   * @default - 1 GiB, and about a minute's work
   */
  readonly solverBounds?: PackerBounds;
  /** @default - all as Karpenter has them: off, but for ReservedCapacity from 1.6 on */
  readonly featureGates?: FeatureGates;
  /**
   * Whether the verdict tells how the pods came to their nodes, which takes some solves more.
   * @default false
   */
  readonly explain?: boolean;
  /**
   * Values of Karpenter's chart, and the name of what they are from, where neither a template nor a Deployment says how Karpenter
   * runs. What they leave out is as the chart has it.
   * @default - nothing is known of how Karpenter runs
   */
  readonly controllerValues?: { readonly file: string; readonly values: PlainRecord };
  /**
   * Whether input without anything to judge is as it should be.
   * @default false
   */
  readonly mayBeEmpty?: boolean;
}
