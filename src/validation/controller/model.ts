import { FieldPath, ManifestObject } from '../manifest/model';
import { PlainRecord } from '../manifest/records';
import { HelmRelease } from '../template';

/** Karpenter itself, as it will run in the cluster. */
export interface Controller {
  /** What says how it runs: a chart's resource, a Deployment, or the settings that were given. */
  readonly object: ManifestObject;
  readonly release?: HelmRelease;
  /** Absent where only its settings are known. */
  readonly namespace?: string;
  readonly version?: string;
  /** As the chart has them, its own included. Of settings that were given, nothing but those. */
  readonly values: PlainRecord;
  /** Whether the values are all there is, so that what is not in them is as the chart has it. */
  readonly complete: boolean;
  /** Where a value is written. */
  pathOf(...steps: readonly string[]): FieldPath;
}
