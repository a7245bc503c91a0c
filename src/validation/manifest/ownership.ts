import { ManifestObject } from './model';
import { asRecord } from '../../contract';

/** Pods of these never wait for Karpenter: their controller, or the kubelet, puts them on each node. */
const PLACED_BY_OWNER = ['DaemonSet', 'Node'];

/** Leaves out what another object of the input makes, as in the output of `kubectl get all`, and pods that have ended. */
export function withoutOwned(objects: readonly ManifestObject[]): ManifestObject[] {
  const known = new Set(objects.map((object) => key(object.kind, object.namespace, object.name)));
  return objects.filter((object) => !hasEnded(object) && !owners(object).some(({ kind, name }) =>
    known.has(key(kind, object.namespace, name)) || (object.kind === 'Pod' && PLACED_BY_OWNER.includes(kind))));
}

function owners(object: ManifestObject): Array<{ kind: string; name: string }> {
  const references: unknown = asRecord(object.raw.metadata)?.ownerReferences;
  return (Array.isArray(references) ? references : []).flatMap((raw) => {
    const { kind, name, controller } = asRecord(raw) ?? {};
    return controller === true && typeof kind === 'string' && typeof name === 'string' ? [{ kind, name }] : [];
  });
}

function hasEnded(object: ManifestObject): boolean {
  const phase = asRecord(object.raw.status)?.phase;
  return object.kind === 'Pod' && (phase === 'Succeeded' || phase === 'Failed');
}

function key(kind: string, namespace: string | undefined, name: string): string {
  return JSON.stringify([kind, namespace ?? 'default', name]);
}
