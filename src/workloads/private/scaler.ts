import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';

/** What decides how many pods a workload has. */
export interface Scaler {
  /** Fewest pods that it keeps; at least one is counted on. */
  readonly least: number;
}

const KINDS = ['HorizontalPodAutoscaler', 'ScaledObject'];

/** The autoscaler of a workload, wherever it is in the tree. */
export function tryFindScaler(workload: ApiObject): Scaler | undefined {
  const scaler = objectsOf(workload.node.root, ...KINDS).map((object) => object.toJson()).find((manifest) => {
    const target = manifest.spec?.scaleTargetRef;
    const kind = target?.kind ?? 'Deployment';
    return target?.name === workload.name && kind === workload.kind && manifest.metadata?.namespace === workload.metadata.namespace;
  });
  const least = scaler?.spec.minReplicas ?? scaler?.spec.minReplicaCount;
  return scaler && { least: Number.isSafeInteger(least) ? Math.max(1, least) : 1 };
}

export function objectsOf(root: IConstruct, ...kinds: readonly string[]): ApiObject[] {
  const objects = root.node.findAll().filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
  return objects.filter(({ kind }) => kinds.includes(kind));
}
