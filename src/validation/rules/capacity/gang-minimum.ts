import { asRecord, setField, unsafeFix } from '../../../contract';
import { countText, listText, nearestName, Quantity, quantityText, resourceAmount } from '../../../model';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestModel, WorkloadManifest } from '../../manifest/model';
import { Gang, podGroupOf } from '../common/gangs';
import { mostReplicas } from '../common/replicas';
import { SubjectFinding } from '../define-rule';

/** A gang that waits for more pods, or for more resources, than its workloads have. */
export function waitsForMore(gang: Gang, model: ManifestModel): SubjectFinding | undefined {
  const { object, name, members, minimum } = gang;
  if (minimum === undefined || !minimum.isComplete || members.some(hasUnknownCount)) return undefined;
  const { count, path } = minimum;
  const pods = members.reduce((sum, workload) => sum + mostReplicas(model, workload), 0);
  if (pods === 0) return undefined;
  if (count <= pods) return waitsForResources(gang, pods);
  const owners = [...new Set(members.map((workload) => nameOf(workload)))];
  const have =
    owners.length <= 3 ? `${listText(owners)} ${owners.length === 1 ? 'has' : 'have'}` : 'its workloads have';
  return {
    object,
    path,
    message: `${path.includes('annotations') ? `${name} ` : ''}waits for ${count} pods, and ${have} ${countText(pods, 'pod')}: ${path.includes('annotations') ? 'Kueue admits none of them' : `none of them ever starts${gang.object.kind === 'PodGroup' ? ', on nodes that are paid' : ''}`}`,
    remedy: `write ${path.at(-1)}: ${pods}, or give it ${count} pods`,
    evidence: { gang: name, minimum: count, pods },
    fix: unsafeFix(setField(path, path.includes('annotations') ? String(pods) : pods)),
  };
}

/** Karpenter launches nodes for pods, not for the resources that a PodGroup asks for. */
function waitsForResources({ object, name, members }: Gang, pods: number): SubjectFinding | undefined {
  const written = Object.entries(asRecord(asRecord(object.raw.spec)?.minResources) ?? {});
  for (const [resource, value] of object.kind === 'PodGroup' ? written : []) {
    const quantity = Quantity.tryParse(value);
    const needed = quantity && resourceAmount(resource, quantity);
    const requested = members.reduce(
      (sum, { shape, replicas }) => sum + (shape?.requests.get(resource) ?? 0n) * BigInt(replicas),
      0n,
    );
    if (needed === undefined || requested === 0n || needed <= requested) continue;
    const text = (amount: bigint) => quantityText(resource, amount);
    return {
      object,
      path: ['spec', 'minResources', resource],
      severity: 'warning',
      message: `waits until ${resource} ${text(needed)} is free, but its ${countText(pods, 'pod')} request ${text(requested)}: Karpenter launches nodes for the pods only, so that none of them may start`,
      remedy: `write ${resource}: ${text(requested)} in minResources, or remove minResources`,
      evidence: { gang: name, resource, minimum: text(needed), requested: text(requested) },
    };
  }
  return undefined;
}

/** Pods that name a PodGroup which does not exist, if one of almost the same name does. */
export function misspeltGroup(workload: WorkloadManifest, { objects }: ManifestModel): SubjectFinding | undefined {
  const group = podGroupOf(workload);
  if (group === undefined) return undefined;
  const known = objects
    .filter(({ kind, namespace = 'default' }) => kind === 'PodGroup' && namespace === workload.namespace)
    .map(({ name }) => name);
  const meant = known.includes(group.name) ? undefined : nearestName(group.name, known);
  if (meant === undefined) return undefined;
  return {
    object: workload.object,
    path: group.path,
    message: `its pods belong to PodGroup ${group.name}, which does not exist in namespace ${workload.namespace}: none of them ever starts`,
    remedy: `write ${meant} instead of ${group.name}`,
    evidence: { group: group.name, meant },
    fix: unsafeFix(setField(group.path, meant)),
    isTypo: true,
  };
}

function hasUnknownCount({ kind, object: { raw } }: WorkloadManifest): boolean {
  const { replicas, parallelism, completions } = raw.spec ?? {};
  return kind === 'DaemonSet' || findUnresolved([replicas, parallelism, completions]) !== undefined;
}

function nameOf({ object }: WorkloadManifest): string {
  const { kind, namespace = 'default', name } = object.madeBy ?? object;
  return `${kind} ${namespace}/${name}`;
}
