import { ApiObject } from 'cdk8s';
import { objectsBeside } from './cluster-objects';
import { inOneNamespace, Json } from './subject';

/** What decides how many pods a workload has. */
export interface Scaler {
  /** Fewest pods that it keeps; a ScaledObject may keep none. */
  readonly least: number;
  /** Kind and name. */
  readonly title: string;
}

const KINDS = ['HorizontalPodAutoscaler', 'ScaledObject'];

/** The autoscaler of a workload, wherever it is in the tree. */
export function tryFindScaler(workload: ApiObject): Scaler | undefined {
  const scaler = objectsBeside(workload, ...KINDS).map((object): Json => object.toJson()).find(({ metadata, spec }) => {
    const target = spec?.scaleTargetRef;
    const kind = target?.kind ?? 'Deployment';
    return target?.name === workload.name && kind === workload.kind && inOneNamespace(metadata, workload.metadata);
  });
  if (!scaler) return undefined;
  const { kind, metadata, spec } = scaler;
  const least = kind === 'ScaledObject' ? spec.minReplicaCount ?? 0 : spec.minReplicas ?? 1;
  return { least: Number.isSafeInteger(least) ? least : 1, title: `${kind} ${metadata?.name}` };
}
