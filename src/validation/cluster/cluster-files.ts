import { ClassStatus, readClassStatus } from './class-status';
import { ClusterLog, ClusterObjects, objectIdentity, readClusterObjects } from './cluster-objects';
import { readCurrentState, WorkloadsInCluster } from './current-state';
import { EC2_NODE_CLASS_API, NODE_POOL_API } from '../../contract';
import { CheckOptions } from '../check-options';
import { judgeKarpenterObject } from '../manifest/karpenter/custom-resource';
import { readNodeClass } from '../manifest/karpenter/node-class';
import { readNodePool } from '../manifest/karpenter/node-pool';
import {
  InitialCluster,
  ManifestObject,
  NodeClassManifest,
  NodePoolManifest,
  WorkloadManifest,
} from '../manifest/model';
import { ProblemLog } from '../manifest/problem-log';
import { AdmissionDefaults } from '../manifest/workload/admission';
import { Autoscalers } from '../manifest/workload/autoscalers';
import { refusedClaims } from '../manifest/workload/claim-size';
import { DefaultSpread } from '../manifest/workload/default-spread';
import { KueueQueues } from '../manifest/workload/kueue';
import { RelatedObjects } from '../manifest/workload/pod-shape';
import { Storage } from '../manifest/workload/storage';

/** A claim that the cluster has bound stays bound, even if its manifest is applied again. */
const CLAIM_KIND = 'PersistentVolumeClaim';

/** The cluster files (`--cluster`), compared with the manifests. */
export class ClusterFiles {
  /** Objects of the cluster without a manifest. */
  private readonly unmanagedObjects: readonly ManifestObject[];
  /** Objects of the cluster that a manifest replaces. */
  private readonly replacedObjects: readonly ManifestObject[];
  public readonly problems: ClusterLog;
  private readonly contents: ClusterObjects;

  public constructor(
    private readonly options: CheckOptions,
    private readonly manifests: readonly ManifestObject[],
  ) {
    this.problems = new ClusterLog();
    this.contents = readClusterObjects(options.cluster ?? [], this.problems);
    const manifestIdentities = new Set(manifests.filter(({ kind }) => kind !== CLAIM_KIND).map(objectIdentity));
    this.unmanagedObjects = this.contents.objects.filter((object) => !manifestIdentities.has(objectIdentity(object)));
    this.replacedObjects = this.contents.objects.filter((object) => manifestIdentities.has(objectIdentity(object)));
  }

  /** The objects that influence what the pods of the manifests need. */
  public relatedObjects(log: ProblemLog): RelatedObjects {
    const claims = this.unmanagedObjects.filter(({ kind }) => kind === CLAIM_KIND);
    const objects = [...this.unmanagedObjects, ...this.manifests];
    return {
      admission: new AdmissionDefaults(objects, log),
      storage: new Storage(
        [...objects, ...claims],
        refusedClaims(this.manifests, log),
        this.options.storageClasses,
        this.options.cluster !== undefined,
      ),
      autoscalers: new Autoscalers(objects),
      queues: new KueueQueues(objects),
      defaultSpread: new DefaultSpread(objects, this.options.schedulerConfig),
    };
  }

  /** @param workloads - the manifests' workloads: their pods are counted as running instead of being placed again */
  public state(workloads: readonly ManifestObject[], related: RelatedObjects): InitialCluster & WorkloadsInCluster {
    const current = readCurrentState(this.contents.objects, workloads, related, this.problems);
    const problemsOf = (object: ManifestObject) => judgeKarpenterObject(object, this.options);
    const nodePools = this.unmanagedOfKind(NODE_POOL_API).map((object) =>
      readNodePool(object, problemsOf(object), new ProblemLog()),
    );
    const nodeClasses = this.unmanagedOfKind(EC2_NODE_CLASS_API).map((object) =>
      readNodeClass(object, problemsOf(object), new ProblemLog()),
    );
    const nodeClassStatuses = this.nodeClassStatuses();
    const statusNotes = [...nodeClassStatuses.values()].flatMap((status) => status.notes);
    return {
      ...current,
      nodePools,
      nodeClasses,
      nodeClassStatuses,
      placementGroups: this.contents.placementGroups,
      subnets: this.contents.subnets,
      openReservations: this.contents.openReservations,
      objects: this.unmanagedObjects,
      replacedObjects: this.replacedObjects,
      notes: [...current.notes, ...invalidObjectNotes(nodePools, nodeClasses), ...statusNotes],
    };
  }

  private nodeClassStatuses(): Map<string, ClassStatus> {
    const isClass = ({ apiVersion, kind }: ManifestObject) =>
      apiVersion === EC2_NODE_CLASS_API.apiVersion && kind === EC2_NODE_CLASS_API.kind;
    const manifestClasses = new Map(this.manifests.filter(isClass).map((object) => [object.name, object]));
    return new Map(
      this.contents.objects
        .filter(isClass)
        .map((object) => [
          object.name,
          readClassStatus(object, manifestClasses.get(object.name), this.contents.freeInstances),
        ]),
    );
  }

  private unmanagedOfKind(api: { readonly apiVersion: string; readonly kind: string }): ManifestObject[] {
    return this.unmanagedObjects.filter(({ apiVersion, kind }) => apiVersion === api.apiVersion && kind === api.kind);
  }
}

/** How many pods of the workload need no place: running pods, and completed pods of a Job. */
export function alreadyPlacedCount(
  { object, kind, replicas }: WorkloadManifest,
  { runningCounts, succeededCounts }: WorkloadsInCluster,
): number {
  const running = runningCounts.get(object) ?? 0;
  const completions = kind === 'Job' ? object.raw.spec?.completions : undefined;
  if (typeof completions !== 'number') return running;
  return running + Math.max(0, replicas - Math.max(0, completions - (succeededCounts.get(object) ?? 0)));
}

function invalidObjectNotes(
  nodePools: readonly NodePoolManifest[],
  nodeClasses: readonly NodeClassManifest[],
): string[] {
  return [...nodePools.filter(({ spec }) => !spec), ...nodeClasses.filter(({ facts }) => !facts)].map(
    ({ object: { kind, name } }) => `${kind} ${name} of the cluster is invalid and ignored`,
  );
}
