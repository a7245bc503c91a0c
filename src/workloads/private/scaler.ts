import { ApiObject } from 'cdk8s';
import { objectsBeside } from './cluster-objects';
import { inOneNamespace, Json } from './subject';

/** What decides how many pods a workload has. */
export interface Scaler {
  /** Fewest pods that it keeps; at least one is counted on. */
  readonly least: number;
}

const KINDS = ['HorizontalPodAutoscaler', 'ScaledObject'];

/** The autoscaler of a workload, wherever it is in the tree. */
export function tryFindScaler(workload: ApiObject): Scaler | undefined {
  const scaler = objectsBeside(workload, ...KINDS).map((object): Json => object.toJson()).find(({ metadata, spec }) => {
    const target = spec?.scaleTargetRef;
    const kind = target?.kind ?? 'Deployment';
    return target?.name === workload.name && kind === workload.kind && inOneNamespace(metadata, workload.metadata);
  });
  const least = scaler?.spec.minReplicas ?? scaler?.spec.minReplicaCount;
  return scaler && { least: Number.isSafeInteger(least) ? Math.max(1, least) : 1 };
}
