import { FieldPath, ManifestObject } from '../manifest/model';
import { PlainRecord } from '../manifest/records';

/** A chart that an object has some controller of the cluster install. */
export interface SyncedRelease {
  readonly object: ManifestObject;
  readonly chart: string;
  readonly repository: string;
  /** Of the chart; absent where it is a range, or not said. */
  readonly version?: string;
  readonly versionPath: FieldPath;
  readonly name: string;
  readonly namespace: string;
  readonly values: PlainRecord;
  /** Whether there are no values but these. */
  readonly complete: boolean;
  readonly valuesPath: FieldPath;
  /** Whether the CRDs in the chart take the place of those that the cluster has. */
  readonly updatesCrds: boolean;
  /** Where that is said. */
  readonly crdsPath: FieldPath;
}

/** A text of an object, or an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
