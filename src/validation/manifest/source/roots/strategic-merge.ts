import { asRecord } from '../../../../contract';
import { PlainRecord } from '../../records';

/**
 * Keys by which Kubernetes merges the items of a list, by the name of the list. All other lists are replaced, as are
 * those of custom resources.
 */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  volumes: 'name',
  env: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  imagePullSecrets: 'name',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
};

/**
 * Applies a strategic merge patch as kustomize does. Returns undefined if the patch deletes the object.
 *
 * @see https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/strategic-merge-patch.md
 */
export function strategicMerge(target: PlainRecord, patch: PlainRecord, isCustom: boolean): PlainRecord | undefined {
  if (patch.$patch === 'delete') return undefined;
  return mergeRecords(target, patch, isCustom);
}

function mergeRecords(target: PlainRecord, patch: PlainRecord, isCustom: boolean): PlainRecord {
  const merged: Record<string, unknown> = patch.$patch === 'replace' ? {} : { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$')) continue;
    if (value === null) delete merged[key];
    else merged[key] = mergeValues(key, merged[key], value, isCustom);
  }
  return merged;
}

function mergeValues(key: string, target: unknown, patch: unknown, isCustom: boolean): unknown {
  const patchRecord = asRecord(patch);
  if (patchRecord) return mergeRecords(asRecord(target) ?? {}, patchRecord, isCustom);
  if (!Array.isArray(patch) || !Array.isArray(target)) return patch;
  const mergeKey = isCustom || !Object.hasOwn(MERGE_KEYS, key) ? undefined : MERGE_KEYS[key];
  return mergeKey === undefined ? patch : mergeLists(target, patch, mergeKey);
}

function mergeLists(target: readonly unknown[], patch: readonly unknown[], mergeKey: string): unknown[] {
  const items = target.map((item) => asRecord(item) ?? {});
  const added: PlainRecord[] = [];
  for (const item of patch) {
    const change = asRecord(item) ?? {};
    const index = items.findIndex((existing) => existing[mergeKey] === change[mergeKey]);
    if (change.$patch === 'delete') {
      if (index >= 0) items.splice(index, 1);
    } else if (index >= 0) {
      items[index] = mergeRecords(items[index], change, false);
    } else {
      added.push(change);
    }
  }
  // kustomize puts new items before the existing ones.
  return [...added, ...items];
}
