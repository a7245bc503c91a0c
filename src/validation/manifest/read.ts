import { readCapacityBuffer } from './capacity-buffer';
import { addProblems } from './custom-resource';
import { isToken } from './field-reader';
import { Input, readInput } from './input';
import { judge } from './judge';
import { ManifestModel, ManifestObject, SourceFile, WorkloadManifest } from './model';
import { readNodeClass } from './node-class';
import { readNodeOverlay } from './node-overlay';
import { readNodePool } from './node-pool';
import { allOrdinals, ordinalsOf, withoutRunning } from './ordinals';
import { withOwnSelector } from './own-selector';
import { withoutOwned } from './ownership';
import { readPdb } from './pdb';
import { PodSurroundings } from './pod-shape';
import { ProblemLog, READING_RULES } from './problem-log';
import { readWorkload } from './workload';
import { asRecord, CAPACITY_BUFFER_API, EC2_NODE_CLASS_API, isKarpenterKind, KARPENTER_KINDS, NODE_OVERLAY_API, NODE_POOL_API } from '../../contract';
import { Cluster, placedAlready } from '../cluster/cluster';
import { WorkloadsInCluster } from '../cluster/occupied-cluster';
import { CheckOptions } from '../options';
import { AwsModel } from '../template';

/** The kinds that are judged, with the API version that Kubernetes serves them at. */
const SERVED: ReadonlyMap<string, string> = new Map([
  ...['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'].map((kind) => [kind, 'apps/v1'] as const),
  ['Job', 'batch/v1'],
  ['CronJob', 'batch/v1'],
  ['Pod', 'v1'],
  ['PodDisruptionBudget', 'policy/v1'],
]);
const READ_FURTHER: readonly string[] = [NODE_POOL_API.kind, EC2_NODE_CLASS_API.kind, NODE_OVERLAY_API.kind, CAPACITY_BUFFER_API.kind];
const OTHERS: readonly string[] = KARPENTER_KINDS.map(({ kind }) => kind).filter((kind) => !READ_FURTHER.includes(kind));
/** Groups in which these kinds once were. */
const KUBERNETES_GROUPS = ['', 'apps', 'batch', 'extensions', 'policy'];

/** Everything in the files that is judged, how the cluster is, and what is wrong with the files themselves. */
export function readManifests(sources: readonly SourceFile[], options: CheckOptions = {}): ManifestModel {
  return modelOf(readInput(sources, options), options);
}

export function modelOf(input: Input, options: CheckOptions = {}): ManifestModel {
  const { aws } = input;
  const objects = [...input.objects, ...aws.manifests.flatMap((manifest) => manifest.objects)];
  const log = new ProblemLog(input.problems);
  const cluster = new Cluster(options, objects);
  const [named, nameless] = partition(objects.filter((object) => isJudged(object, log)), ({ name }) => name !== '');
  const judged = withoutOwned(withoutDuplicates(named, aws, log));
  for (const object of nameless) addProblems(object, judge(object, options) ?? [], log);
  const ofKind = (kind: string) => judged.filter((object) => object.kind === kind);
  const around = cluster.surroundings(log);
  const workloads = judged.filter((object) => SERVED.has(object.kind) && object.kind !== 'PodDisruptionBudget');
  const state = cluster.state(workloads, around);
  return {
    objects,
    nodePools: ofKind(NODE_POOL_API.kind).map((object) => readNodePool(object, judge(object, options) ?? [], log)),
    nodeClasses: ofKind(EC2_NODE_CLASS_API.kind).map((object) => readNodeClass(object, judge(object, options) ?? [], log)),
    nodeOverlays: ofKind(NODE_OVERLAY_API.kind).map((object) => readNodeOverlay(object, judge(object, options) ?? [], log)),
    capacityBuffers: ofKind(CAPACITY_BUFFER_API.kind)
      .map((object) => readCapacityBuffer(object, judge(object, options) ?? [], { objects, ...around }, log)),
    workloads: withGroups(workloads.map((object) => readInCluster(object, log, around, state)), state.pods.length),
    pdbs: ofKind('PodDisruptionBudget').flatMap((object) => readPdb(object, log) ?? []),
    others: judged.filter(({ kind }) => OTHERS.includes(kind)).map((object) => readOther(object, log, options)),
    aws,
    ...options.cluster ? { cluster: state } : {},
    problems: [...log.findings, ...cluster.problems.findings],
  };
}

function readOther(object: ManifestObject, log: ProblemLog, options: CheckOptions): ManifestObject {
  addProblems(object, judge(object, options) ?? [], log);
  return object;
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

function isJudged(object: ManifestObject, log: ProblemLog): boolean {
  const isKarpenters = isKarpenterKind(object.apiVersion, object.kind);
  if (!isKarpenters && !isServed(object, log)) return false;
  // Of a name that is missing the judgement of the whole object speaks.
  if ((object.name === '' && !isKarpenters) || isToken(object.name)) return rejectName(object, log);
  return true;
}

/** Kinds are case-sensitive, and old API versions of them are gone: neither is passed over in silence. */
function isServed(object: ManifestObject, log: ProblemLog): boolean {
  const group = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : '';
  const known = [...SERVED.keys(), ...KARPENTER_KINDS.filter((each) => each.group === group).map((each) => each.kind)];
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
  // The API server makes a name of it, if the object is created rather than applied.
  const isGenerated = typeof asRecord(object.raw.metadata)?.generateName === 'string';
  const later = isToken(object.name) ? 'is known only at deployment' : isGenerated ? 'is made of generateName as the object is created' : undefined;
  const message = `metadata.name: ${later ?? 'must be a text, got nothing that is one'}; the object is not judged`;
  const remedy = isToken(object.name) ? 'write the name itself, in place of what stands for it' : 'give the object a name, in quotes if it is a number';
  log.add(READING_RULES.rejected, later ? 'warning' : 'error', object, ['metadata', 'name'], message, remedy);
  return false;
}

/** Of objects with one identity the last stays, as with `kubectl apply`; resources of a template create theirs, unless they overwrite. */
function withoutDuplicates(objects: readonly ManifestObject[], { manifests }: AwsModel, log: ProblemLog): ManifestObject[] {
  const created = new Map(manifests.filter(({ resource }) => String(resource.properties.Overwrite) !== 'true').flatMap((each) => each.objects.map((object) => [object, each.resource.id])));
  const last = new Map<string, ManifestObject>();
  for (const object of objects) {
    const key = identity(object.kind, object.namespace, object.name);
    const earlier = last.get(key);
    if (earlier) {
      const { file, line } = object.locate([]);
      const areTwo = created.has(earlier) && created.has(object) && created.get(earlier) !== created.get(object);
      const message = `${object.kind} ${object.name} is written again at ${file}:${line}; `
        + (areTwo ? 'kubectl creates it for one of them, and the deployment fails on the other' : 'that one replaces this one');
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

function readInCluster(object: ManifestObject, log: ProblemLog, around: PodSurroundings, cluster: WorkloadsInCluster): WorkloadManifest {
  const known = { revision: cluster.revisions.get(object), replicas: cluster.replicas.get(object) };
  const workload = withOwnSelector(readWorkload(object, log, around, known), log);
  const running = placedAlready(workload, cluster);
  if (running === 0) return workload;
  const runningPods = cluster.names.get(object);
  const names = ordinalsOf(workload.name, runningPods ?? []);
  const ordinals = workload.ordinals ?? (names.length === running ? allOrdinals(workload) : undefined);
  return { ...workload, running, ...runningPods ? { runningPods } : {}, ...ordinals ? { ordinals: withoutRunning(ordinals, names) } : {} };
}

/** Numbers the workloads that have pods to place, in order: the index into `ScheduleInput.pods`, behind the pods of the cluster. */
function withGroups(workloads: readonly WorkloadManifest[], first: number): WorkloadManifest[] {
  let next = first;
  return workloads.map((workload) => {
    const { shape, kind, replicas, running = 0, ordinals } = workload;
    if (shape === undefined || kind === 'DaemonSet' || replicas <= running || ordinals?.length === 0) return workload;
    const group = next;
    next += ordinals?.length ?? 1;
    return { ...workload, group };
  });
}
