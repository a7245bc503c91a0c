import { ApiObject } from 'cdk8s';
import { objectsBeside } from './cluster-objects';
import { withoutSafeguards } from './protections';
import { inOneNamespace, isProtectable, Json } from './subject';

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
  // Only that one with its safeguards, which are looked up by what it scales: of all others too it would take a while
  // in a large chart.
  const scaler = objectsBeside(workload, ...KINDS).find((object) => scales(withoutSafeguards(object), workload));
  if (!scaler) return undefined;
  const { kind, metadata, spec }: Json = scaler.toJson();
  const least = kind === 'ScaledObject' ? spec.minReplicaCount ?? 0 : spec.minReplicas ?? 1;
  return { least: Number.isSafeInteger(least) ? least : 1, title: `${kind} ${metadata?.name}` };
}

/** What an autoscaler decides on, wherever it is in the tree. */
export function tryFindTarget(scaler: ApiObject, manifest: Json): ApiObject | undefined {
  if (manifest.spec?.scaleTargetRef === undefined) return undefined;
  return objectsBeside(scaler, targetKind(manifest)).find((workload) => isProtectable(workload) && scales(manifest, workload));
}

function scales(scaler: Json, { name, kind, metadata }: ApiObject): boolean {
  return scaler.spec?.scaleTargetRef?.name === name && targetKind(scaler) === kind && inOneNamespace(scaler.metadata, metadata);
}

function targetKind({ spec }: Json): string {
  return spec?.scaleTargetRef?.kind ?? 'Deployment';
}
