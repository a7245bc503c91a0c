import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { inOneNamespace, Json, isProtectable, recordsIn } from './editable-workload';
import { withoutSafeguards } from './protections';

/**
 * Returns the objects of these kinds that belong to the same cluster as a workload. An app may have charts for several
 * clusters: an object that shares more scopes with another workload of the same kind, namespace and name belongs to
 * that workload's cluster.
 */
export function objectsInSameCluster(workload: ApiObject, ...kinds: readonly string[]): ApiObject[] {
  const objects = workload.node.root.node
    .findAll()
    .filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
  const twins = objects.filter((object) => object !== workload && isSameObject(object, workload));
  return objects.filter(
    (object) =>
      kinds.includes(object.kind) && !twins.some((twin) => sharedScopes(object, twin) > sharedScopes(object, workload)),
  );
}

function isSameObject(a: ApiObject, b: ApiObject): boolean {
  return a.kind === b.kind && a.apiGroup === b.apiGroup && a.name === b.name && inOneNamespace(a.metadata, b.metadata);
}

function sharedScopes(a: IConstruct, b: IConstruct): number {
  const scopes = new Set(b.node.scopes);
  return a.node.scopes.filter((scope) => scopes.has(scope)).length;
}

/** An autoscaler, which sets the number of pods of a workload. */
export interface Autoscaler {
  /** Minimum number of pods. A ScaledObject may have 0. */
  readonly minReplicas: number;
  /** Kind and name. */
  readonly name: string;
}
const KINDS = ['HorizontalPodAutoscaler', 'ScaledObject'];

/** The autoscaler of a workload. It can be anywhere in the construct tree. */
export function tryFindAutoscaler(workload: ApiObject): Autoscaler | undefined {
  // Only the matching autoscaler is rendered with its safeguards: rendering all of them is slow in a large chart.
  const scaler = objectsInSameCluster(workload, ...KINDS).find((object) => scales(withoutSafeguards(object), workload));
  if (!scaler) return undefined;
  const { kind, metadata, spec }: Json = scaler.toJson();
  const minReplicas = kind === 'ScaledObject' ? (spec.minReplicaCount ?? 0) : (spec.minReplicas ?? 1);
  return { minReplicas: Number.isSafeInteger(minReplicas) ? minReplicas : 1, name: `${kind} ${metadata?.name}` };
}

/** The workload that an autoscaler scales. It can be anywhere in the construct tree. */
export function tryFindScaleTarget(scaler: ApiObject, manifest: Json): ApiObject | undefined {
  if (manifest.spec?.scaleTargetRef === undefined) return undefined;
  return objectsInSameCluster(scaler, targetKind(manifest)).find(
    (workload) => isProtectable(workload) && scales(manifest, workload),
  );
}

function scales(scaler: Json, { name, kind, metadata }: ApiObject): boolean {
  return (
    scaler.spec?.scaleTargetRef?.name === name &&
    targetKind(scaler) === kind &&
    inOneNamespace(scaler.metadata, metadata)
  );
}

function targetKind({ spec }: Json): string {
  return spec?.scaleTargetRef?.kind ?? 'Deployment';
}
const ON_ONE_NODE: readonly unknown[] = ['ReadWriteOnce', 'ReadWriteOncePod'];

/** Name of the PersistentVolumeClaim that all pods of a workload share and that can be mounted on only one node. */
export function tryFindSharedClaim(workload: ApiObject, { metadata, spec }: Json): string | undefined {
  const claims = recordsIn(spec?.template?.spec?.volumes).flatMap(
    (volume) => volume.persistentVolumeClaim?.claimName ?? [],
  );
  if (claims.length === 0) return undefined;
  const sharedClaim = objectsInSameCluster(workload, 'PersistentVolumeClaim')
    .map((object): Json => object.toJson())
    .find(
      (claim) =>
        claims.includes(claim.metadata?.name) && inOneNamespace(claim.metadata, metadata) && isOnOneNode(claim),
    );
  return sharedClaim?.metadata.name;
}

function isOnOneNode({ spec }: Json): boolean {
  const modes: unknown = spec?.accessModes;
  return Array.isArray(modes) && modes.length > 0 && modes.every((mode) => ON_ONE_NODE.includes(mode));
}
