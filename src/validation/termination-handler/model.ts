import { FieldPath, ManifestObject } from '../manifest/model';
import { PlainRecord } from '../manifest/records';
import { HelmRelease } from '../template';

/** AWS Node Termination Handler, as it will run in the cluster. */
export interface TerminationHandler {
  /** What says how it runs: a chart's resource, a Deployment or a DaemonSet. */
  readonly object: ManifestObject;
  readonly release?: HelmRelease;
  readonly namespace: string;
  /** Absent where its settings are known only at deployment. */
  readonly settings?: HandlerSettings;
}

/** What of its settings rules look at. A text or a flag that is known only at deployment is a token. */
export interface HandlerSettings {
  /** A Deployment that reads a queue, or a DaemonSet that asks the metadata of its instance. */
  readonly mode: 'queue' | 'metadata';
  /** Empty where it is not set. */
  readonly queueUrl: string;
  /** Empty where it is not set: then it is that of the queue. */
  readonly region: string;
  readonly tagCheck: TagCheck;
  /** Of metadata mode; with a queue, it acts on whatever comes. */
  readonly drainsOnInterruption: boolean;
  /** Of metadata mode, as above. */
  readonly drainsOnRebalance: boolean;
  /** Undefined where it is known only at deployment. */
  readonly replicas?: number;
  /** What of the pod's spec says where it may run. */
  readonly placement: PlainRecord;
  readonly priorityClass: string;
  /** Whether its own chart makes a disruption budget for it. @default - that is for the manifests to say */
  readonly hasBudget?: boolean;
  readonly serviceAccount: string;
  /** Whether the chart makes it. */
  readonly makesServiceAccount: boolean;
  readonly roleArn?: string;
  /** Where a setting is written, by its key in the chart. */
  pathOf(key: string): FieldPath;
}

/** Which instances it acts on, with a queue. */
export interface TagCheck {
  /** `group`: the tag is looked for on Auto Scaling groups, and instances in none are passed over. */
  readonly of: 'instance' | 'group' | 'none' | 'unknown';
  readonly tag: string;
  /** The setting that decides. */
  readonly key: string;
  /** A setting that is written and not read, because the chart has another one for it. */
  readonly unread?: string;
}
