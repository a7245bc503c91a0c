import { FieldPath, ManifestObject } from '../manifest/model';
import { PlainRecord } from '../manifest/records';
import { HelmRelease } from '../template';

/** The Karpenter controller, as the input installs it. */
export interface Controller {
  /**
   * The object that installs it: a chart resource of a template, a Flux or Argo CD object, a Deployment, or a values
   * file.
   */
  readonly object: ManifestObject;
  /** The chart resource of a template. */
  readonly helmRelease?: HelmRelease;
  /** The Flux or Argo CD release. */
  readonly gitOpsRelease?: GitOpsRelease;
  /** The name of the Helm release. @default - not installed by Helm */
  readonly releaseName?: string;
  /** @default - only its settings are known */
  readonly namespace?: string;
  /** The labels of its pods. */
  readonly podLabels: Readonly<Record<string, string>>;
  readonly version?: string;
  /** The range of chart versions whose newest known release is `version`. @default - the version is written */
  readonly versionRange?: string;
  /** Whether it is installed by the chart, so that `version` is the chart's version. */
  readonly fromChart: boolean;
  /** The chart's values with its defaults. For a Deployment, the values that render it. */
  readonly values: PlainRecord;
  /** Whether all values are known, so that a missing value has the chart's default. */
  readonly complete: boolean;
  /** The field of the object that sets a value, or the `version`. */
  pathOf(...steps: readonly string[]): FieldPath;
}

/** A Helm release that a GitOps controller in the cluster installs. */
export interface GitOpsRelease {
  readonly object: ManifestObject;
  readonly chart: string;
  readonly repository: string;
  /** The chart's version or version range. */
  readonly version?: string;
  readonly versionPath: FieldPath;
  readonly name: string;
  readonly namespace: string;
  readonly values: PlainRecord;
  /** Whether `values` are all values: no ConfigMap, Secret or values file adds more. */
  readonly complete: boolean;
  readonly valuesPath: FieldPath;
  /** Whether an upgrade replaces the cluster's CRDs by those of the chart. */
  readonly updatesCrds: boolean;
  /** The setting with which the chart installs no CRDs at all. @default - it installs them in a new cluster */
  readonly skipsCrds?: { readonly setting: string; readonly path: FieldPath };
  /** The field that decides `updatesCrds`. */
  readonly crdsPath: FieldPath;
  /** The field of the object that sets a value: a parameter of Argo CD, or the values. */
  pathOf(...steps: readonly string[]): FieldPath;
}
