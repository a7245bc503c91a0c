import { ApiObject } from 'cdk8s';
import { objectsBeside } from './cluster-objects';
import { inOneNamespace, Json, recordsIn } from './subject';

const ON_ONE_NODE: readonly unknown[] = ['ReadWriteOnce', 'ReadWriteOncePod'];

/** The claim in the tree, by its name, that all pods of a workload share, and that can be on one node alone. */
export function tryFindSharedClaim(workload: ApiObject, { metadata, spec }: Json): string | undefined {
  const claims = recordsIn(spec?.template?.spec?.volumes).flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []);
  if (claims.length === 0) return undefined;
  const found = objectsBeside(workload, 'PersistentVolumeClaim').map((object): Json => object.toJson())
    .find((claim) => claims.includes(claim.metadata?.name) && inOneNamespace(claim.metadata, metadata) && isOnOneNode(claim));
  return found?.metadata.name;
}

function isOnOneNode({ spec }: Json): boolean {
  const modes: unknown = spec?.accessModes;
  return Array.isArray(modes) && modes.length > 0 && modes.every((mode) => ON_ONE_NODE.includes(mode));
}
