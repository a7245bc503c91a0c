/** Texts that are equal for pods that Karpenter cannot tell apart. They are made for every pod, so what is absent is written as nothing. */
import { SharedClaims } from './claims-in-common';
import { PodShape } from './pod-shape';
import { PodGroup } from './schedule-input';

/**
 * Equal for pods with the same constraints. Constraints between pods hold in a namespace, and may take up labels.
 */
export function constraintIdentity({ namespace, shape, moving }: PodGroup, shared: SharedClaims): string {
  const { topologySpread = [], podAffinity, podAntiAffinity } = shape;
  const own = `${moving ? 'moving ' : ''}${nodeConstraints(shape, shared)}`;
  if (topologySpread.length === 0 && !podAffinity && !podAntiAffinity) return own;
  const matched = topologySpread.flatMap(({ matchLabelKeys = [] }) => matchLabelKeys).map((key) => [key, shape.labels?.[key] ?? null]);
  return `${own} ${JSON.stringify([namespace, topologySpread, podAffinity ?? null, podAntiAffinity ?? null, matched])}`;
}

export function requestsIdentity({ requests }: PodShape): string {
  return joined(requests);
}

/** In the order of the keys, whatever theirs was. Most lists have theirs already, or but one entry. */
export function joined(entries: Iterable<readonly [string, unknown]>): string {
  let text = '';
  let before = '';
  for (const [key, value] of entries) {
    if (key < before) return [...entries].sort(byKey).map(([name, one]) => `${name}=${String(one)},`).join('');
    text += `${key}=${String(value)},`;
    before = key;
  }
  return text;
}

function nodeConstraints(shape: PodShape, shared: SharedClaims): string {
  if (isUnconstrained(shape)) return '';
  const lists = [
    Object.entries(shape.nodeSelector).sort(byKey),
    shape.requiredNodeAffinity,
    shape.preferredNodeAffinity,
    shape.tolerations,
    shape.hostPorts ?? [],
    shape.volumeTopology ?? [],
    [...shared.ownVolumes(shape)].sort(byKey),
    shared.of(shape),
  ];
  return `${lists.map((list) => list.length === 0 ? '' : JSON.stringify(list)).join(' ')}`;
}

function isUnconstrained(shape: PodShape): boolean {
  const { nodeSelector, requiredNodeAffinity, preferredNodeAffinity, tolerations } = shape;
  return requiredNodeAffinity.length + preferredNodeAffinity.length + tolerations.length + Object.keys(nodeSelector).length === 0
    && !shape.hostPorts?.length && !shape.volumeTopology?.length && !shape.volumes?.size && !shape.mountedClaims?.size;
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
