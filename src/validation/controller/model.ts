import { SyncedRelease } from './synced-release';
import { FieldPath, ManifestObject } from '../manifest/model';
import { PlainRecord } from '../manifest/records';
import { HelmRelease } from '../template';

/** Karpenter itself, as it will run in the cluster. */
export interface Controller {
  /** What says how it runs: a chart's resource, an object of Flux or Argo CD, a Deployment, or the settings that were given. */
  readonly object: ManifestObject;
  /** Of a template. */
  readonly release?: HelmRelease;
  /** Of Flux or Argo CD. */
  readonly synced?: SyncedRelease;
  /** Helm's name for what it installs; absent where Helm installs nothing. */
  readonly releaseName?: string;
  /** Absent where only its settings are known. */
  readonly namespace?: string;
  /** Of its pods. */
  readonly podLabels: Readonly<Record<string, string>>;
  readonly version?: string;
  /** Whether the chart makes it, so that its version and its values say what Karpenter is told. */
  readonly fromChart: boolean;
  /** As the chart has them, its own included. Of settings that were given, nothing but those. */
  readonly values: PlainRecord;
  /** Whether the values are all there is, so that what is not in them is as the chart has it. */
  readonly complete: boolean;
  /** Where a value is written, or the `version`. */
  pathOf(...steps: readonly string[]): FieldPath;
}
