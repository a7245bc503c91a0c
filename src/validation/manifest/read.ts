import { Admission } from './admission';
import { isToken } from './field-reader';
import { ManifestModel, ManifestObject, SourceFile, WorkloadManifest } from './model';
import { readNodeClass } from './node-class';
import { readNodeOverlay } from './node-overlay';
import { readNodePool } from './node-pool';
import { readObjects } from './objects';
import { withoutOwned } from './ownership';
import { readPdb } from './pdb';
import { ProblemLog, READING_RULES } from './problem-log';
import { Storage } from './storage';
import { readWorkload } from './workload';
import { EC2_NODE_CLASS_API, KARPENTER_GROUPS, NODE_OVERLAY_API, NODE_POOL_API } from '../../contract';

/** The kinds that are judged, with the API version that Kubernetes serves them at. */
const SERVED: ReadonlyMap<string, string> = new Map([
  ...['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'].map((kind) => [kind, 'apps/v1'] as const),
  ['Job', 'batch/v1'],
  ['CronJob', 'batch/v1'],
  ['Pod', 'v1'],
  ['PodDisruptionBudget', 'policy/v1'],
]);
const KARPENTER_APIS: ReadonlyArray<{ readonly apiVersion: string; readonly kind: string }> = [NODE_POOL_API, EC2_NODE_CLASS_API, NODE_OVERLAY_API];
/** Groups in which these kinds once were. */
const KUBERNETES_GROUPS = ['', 'apps', 'batch', 'extensions', 'policy'];

/** Everything in the files that is judged, and what is wrong with the files themselves. */
export function readManifests(sources: readonly SourceFile[]): ManifestModel {
  const log = new ProblemLog();
  const objects = readObjects(sources, log);
  const judged = withoutOwned(withoutDuplicates(objects.filter((object) => isJudged(object, log)), log));
  const ofKind = (kind: string) => judged.filter((object) => object.kind === kind);
  const around = { admission: new Admission(objects, log), storage: new Storage(objects) };
  const workloads = judged
    .filter((object) => SERVED.has(object.kind) && object.kind !== 'PodDisruptionBudget')
    .map((object) => readWorkload(object, log, around));
  return {
    objects,
    nodePools: ofKind(NODE_POOL_API.kind).map((object) => readNodePool(object, log)),
    nodeClasses: ofKind(EC2_NODE_CLASS_API.kind).map((object) => readNodeClass(object, log)),
    nodeOverlays: ofKind(NODE_OVERLAY_API.kind).map((object) => readNodeOverlay(object, log)),
    workloads: withGroups(workloads),
    pdbs: ofKind('PodDisruptionBudget').flatMap((object) => readPdb(object, log) ?? []),
    problems: log.findings,
  };
}

function isJudged(object: ManifestObject, log: ProblemLog): boolean {
  const isKarpenters = KARPENTER_APIS.some((api) => api.kind === object.kind && api.apiVersion === object.apiVersion);
  if (!isKarpenters && !isServed(object, log)) return false;
  if (object.name === '' || isToken(object.name)) return rejectName(object, log);
  return true;
}

/** Kinds are case-sensitive, and old API versions of them are gone: neither is passed over in silence. */
function isServed(object: ManifestObject, log: ProblemLog): boolean {
  const group = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : '';
  const known = [...SERVED.keys(), ...(KARPENTER_GROUPS.includes(group) ? KARPENTER_APIS.map(({ kind: name }) => name) : [])];
  const kind = known.find((name) => name.toLowerCase() === object.kind.toLowerCase());
  const apiVersion = kind && SERVED.get(kind);
  if (!kind || (apiVersion && !KUBERNETES_GROUPS.includes(group))) return false;
  if (kind !== object.kind) {
    log.add(READING_RULES.rejected, 'error', object, ['kind'], `kind: must be ${kind}, got "${object.kind}"; the object is not judged`, `write kind: ${kind}`);
    return false;
  }
  if (apiVersion === object.apiVersion) return true;
  if (apiVersion) {
    const message = `apiVersion: must be ${apiVersion} for a ${kind}, got "${object.apiVersion}"; the object is not judged`;
    log.add(READING_RULES.rejected, 'error', object, ['apiVersion'], message, `write apiVersion: ${apiVersion}`);
  }
  return false;
}

function rejectName(object: ManifestObject, log: ProblemLog): false {
  const token = isToken(object.name);
  const message = token ? 'metadata.name: is known only at deployment; the object is not judged' : 'metadata.name: must be a text, got nothing that is one; the object is not judged';
  log.add(READING_RULES.rejected, token ? 'warning' : 'error', object, ['metadata', 'name'], message, 'give the object a name, in quotes if it is a number');
  return false;
}

/** Of objects with one identity the last stays, as with `kubectl apply`. */
function withoutDuplicates(objects: readonly ManifestObject[], log: ProblemLog): ManifestObject[] {
  const last = new Map<string, ManifestObject>();
  for (const object of objects) {
    const key = identity(object.kind, object.namespace, object.name);
    const earlier = last.get(key);
    if (earlier) {
      const { file, line } = object.locate([]);
      const message = `${object.kind} ${object.name} is written again at ${file}:${line}; that one replaces this one`;
      log.add(READING_RULES.duplicateObject, 'warning', earlier, [], message, 'remove one of them, or give it another name');
      last.delete(key);
    }
    last.set(key, object);
  }
  return [...last.values()];
}

function identity(kind: string, namespace: string | undefined, name: string): string {
  return JSON.stringify([kind, namespace ?? 'default', name]);
}

/** Numbers the workloads that have pods to place, in order: the index into `ScheduleInput.pods`. */
function withGroups(workloads: readonly WorkloadManifest[]): WorkloadManifest[] {
  let next = 0;
  return workloads.map((workload) => {
    const hasPods = workload.shape !== undefined && workload.kind !== 'DaemonSet' && workload.replicas > 0;
    return hasPods ? { ...workload, group: next++ } : workload;
  });
}
