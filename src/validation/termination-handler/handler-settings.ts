import { FieldFix, HandlerChart, MANAGED_TAG } from '../../contract';
import { valueText } from '../../model';
import { findUnresolved } from '../manifest/find-unresolved';
import { FieldPath, ManifestObject } from '../manifest/model';
import { PlainRecord } from '../manifest/records';
import { HelmRelease } from '../template';

/** AWS Node Termination Handler, as the input installs it. */
export interface TerminationHandler {
  /** The object that installs it: a chart in any form, a Deployment or a DaemonSet. */
  readonly object: ManifestObject;
  /** The chart resource of a template. */
  readonly release?: HelmRelease;
  readonly namespace: string;
  /** @default - known only at deployment */
  readonly settings?: HandlerSettings;
}

/** The handler's settings that rules check. A text or flag that is known only at deployment is a token. */
export interface HandlerSettings {
  /** A Deployment that reads a queue, or a DaemonSet that polls its instance's metadata. */
  readonly mode: 'queue' | 'metadata';
  /** Empty if it is not set. */
  readonly queueUrl: string;
  /** Empty if it is not set: then the handler uses the queue's region. */
  readonly region: string;
  readonly tagCheck: TagCheck;
  /** Metadata mode only; in queue mode the handler acts on every event that it receives. */
  readonly drainsOnInterruption: boolean;
  /** Metadata mode only; in queue mode the handler acts on every event that it receives. */
  readonly drainsOnRebalance: boolean;
  /** @default - known only at deployment, or a DaemonSet */
  readonly replicas?: number;
  /** The scheduling fields of the pod's spec. */
  readonly placement: PlainRecord;
  readonly priorityClass: string;
  /** Whether its chart creates a PodDisruptionBudget. @default - not installed by a chart */
  readonly hasBudget?: boolean;
  readonly serviceAccount: string;
  /** Whether its chart creates the service account. */
  readonly makesServiceAccount: boolean;
  readonly roleArn?: string;
  /** The field of the object that sets a value, by its key in the chart. */
  pathOf(key: string): FieldPath;
  /** The edit that sets a value. @default - the values are not written as fields */
  fixOf?(key: string, value: string): FieldFix | undefined;
}

/** The instances that the handler acts on in queue mode. */
export interface TagCheck {
  /** The tagged resource. `group`: tags of Auto Scaling groups count, and instances without a group are skipped. */
  readonly scope: 'instance' | 'group' | 'none' | 'unknown';
  readonly tag: string;
  /** The setting that decides. */
  readonly key: string;
  /** An old setting that is set but ignored, because the chart has renamed it. */
  readonly ignoredKey?: string;
}

/** The raw settings that decide which instances the handler acts on. */
export interface TagSettings {
  readonly check?: unknown;
  readonly tag?: unknown;
  /** The names before the settings were renamed. */
  readonly groupCheck?: unknown;
  readonly groupTag?: unknown;
}

/** The tag check of chart values. Newer charts set a default for the new name, so they ignore the old name. */
export function tagCheckOfChart(
  { checksInstanceTags: checksTagsOfInstances }: HandlerChart,
  { check, tag, groupCheck, groupTag }: TagSettings,
): TagCheck {
  if (!checksTagsOfInstances)
    return {
      scope: checkScope(groupCheck, 'group'),
      tag: nonEmptyText(groupTag, MANAGED_TAG),
      key: 'checkASGTagBeforeDraining',
    };
  const ignored = check === undefined && groupCheck !== undefined ? { ignoredKey: 'checkASGTagBeforeDraining' } : {};
  return {
    scope: checkScope(check, 'instance'),
    tag: nonEmptyText(tag, MANAGED_TAG),
    key: 'checkTagBeforeDraining',
    ...ignored,
  };
}

/** The tag check of environment variables. The variable with the new name wins, else the one with the old name. */
export function tagCheckOfVariables(
  { checksInstanceTags: checksTagsOfInstances }: HandlerChart,
  { check, tag, groupCheck, groupTag }: TagSettings,
): TagCheck {
  const effectiveCheck = checksTagsOfInstances ? (check ?? groupCheck) : groupCheck;
  const effectiveTag = checksTagsOfInstances ? (tag ?? groupTag) : groupTag;
  return {
    scope: checkScope(effectiveCheck, checksTagsOfInstances ? 'instance' : 'group'),
    tag: nonEmptyText(effectiveTag, MANAGED_TAG),
    key: 'checkTagBeforeDraining',
  };
}

function checkScope(check: unknown, scope: 'instance' | 'group'): TagCheck['scope'] {
  if (findUnresolved(check) !== undefined) return 'unknown';
  return flagSetting(check, true) ? scope : 'none';
}

/** A boolean setting, which may be in quotes. */
export function flagSetting(value: unknown, fallback: boolean): boolean {
  return value === undefined || value === null || value === '' ? fallback : valueText(value) === 'true';
}

/** A non-empty string setting. */
export function nonEmptyText(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}
