import { ClassStatus, classStatus } from './class-status';
import { ClusterLog } from './cluster-log';
import { ClusterObjects, identityOf, readClusterObjects } from './cluster-objects';
import { occupiedCluster, WorkloadsInCluster } from './occupied-cluster';
import { asRecord, EC2_NODE_CLASS_API, NODE_POOL_API } from '../../contract';
import { Admission } from '../manifest/admission';
import { Autoscalers } from '../manifest/autoscalers';
import { DefaultSpread } from '../manifest/default-spread';
import { judge } from '../manifest/judge';
import { ClusterState, ManifestObject, NodeClassManifest, NodePoolManifest, WorkloadManifest } from '../manifest/model';
import { readNodeClass } from '../manifest/node-class';
import { readNodePool } from '../manifest/node-pool';
import { PodSurroundings } from '../manifest/pod-shape';
import { ProblemLog } from '../manifest/problem-log';
import { Storage } from '../manifest/storage';
import { CheckOptions } from '../options';

/** What the cluster has bound stays bound, whatever is applied again. */
const KEPT_BY_CLUSTER = 'PersistentVolumeClaim';

/** The files that say how the cluster is, beside the manifests. */
export class Cluster {
  /** The objects that there is no manifest for. */
  public readonly others: readonly ManifestObject[];
  private readonly replaced: readonly ManifestObject[];
  public readonly problems: ClusterLog;
  private readonly known: ClusterObjects;

  public constructor(private readonly options: CheckOptions, private readonly manifests: readonly ManifestObject[]) {
    this.problems = new ClusterLog();
    this.known = readClusterObjects(options.cluster ?? [], this.problems);
    const written = new Set(manifests.filter(({ kind }) => kind !== KEPT_BY_CLUSTER).map(identityOf));
    this.others = this.known.objects.filter((object) => !written.has(identityOf(object)));
    this.replaced = this.known.objects.filter((object) => written.has(identityOf(object)));
  }

  /** What has a say in what the pods of the manifests need. */
  public surroundings(log: ProblemLog): PodSurroundings {
    const claims = this.others.filter(({ kind }) => kind === KEPT_BY_CLUSTER);
    const all = [...this.others, ...this.manifests];
    return {
      admission: new Admission(all, log),
      storage: new Storage([...all, ...claims]),
      autoscalers: new Autoscalers(all),
      defaultSpread: new DefaultSpread(all, this.options.schedulerConfig),
    };
  }

  /** @param workloads of the manifests: what they say of how many pods run goes before what the cluster says */
  public state(workloads: readonly ManifestObject[], around: PodSurroundings): ClusterState & WorkloadsInCluster {
    const occupied = occupiedCluster(this.known.objects, workloads, around, this.problems);
    const problemsOf = (object: ManifestObject) => judge(object, this.options) ?? [];
    const nodePools = this.unwritten(NODE_POOL_API).map((object) => readNodePool(object, problemsOf(object), new ProblemLog()));
    const nodeClasses = this.unwritten(EC2_NODE_CLASS_API).map((object) => readNodeClass(object, problemsOf(object), new ProblemLog()));
    const classes = this.classes();
    const notes = [...occupied.notes, ...unusable(nodePools, nodeClasses), ...[...classes.values()].flatMap((status) => status.notes)];
    const { placementGroups } = this.known;
    return { ...occupied, nodePools, nodeClasses, classes, placementGroups, objects: this.others, replaced: this.replaced, notes };
  }

  private classes(): Map<string, ClassStatus> {
    const isClass = ({ apiVersion, kind }: ManifestObject) => apiVersion === EC2_NODE_CLASS_API.apiVersion && kind === EC2_NODE_CLASS_API.kind;
    const written = new Map(this.manifests.filter(isClass).map((object) => [object.name, object]));
    return new Map(this.known.objects.filter(isClass)
      .map((object) => [object.name, classStatus(object, written.get(object.name), this.known.freeInstances)]));
  }

  private unwritten(api: { readonly apiVersion: string; readonly kind: string }): ManifestObject[] {
    return this.others.filter(({ apiVersion, kind }) => apiVersion === api.apiVersion && kind === api.kind);
  }
}

/** How many pods of the workload there need be no place for. A Job needs none for what it has completed. */
export function placedAlready({ object, kind, replicas }: WorkloadManifest, { running, done }: WorkloadsInCluster): number {
  const active = running.get(object) ?? 0;
  const completions = kind === 'Job' ? asRecord(object.raw.spec)?.completions : undefined;
  if (typeof completions !== 'number') return active;
  return active + Math.max(0, replicas - Math.max(0, completions - (done.get(object) ?? 0)));
}

function unusable(nodePools: readonly NodePoolManifest[], nodeClasses: readonly NodeClassManifest[]): string[] {
  return [...nodePools.filter(({ spec }) => !spec), ...nodeClasses.filter(({ facts }) => !facts)]
    .map(({ object: { kind, name } }) => `${kind} ${name} of the cluster cannot be judged, and is left out`);
}
