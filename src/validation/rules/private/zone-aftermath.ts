import { workloadKey } from '../../../disruption';
import { PodShape } from '../../../scheduling';
import { WorkloadManifest } from '../../manifest/model';
import { RuleContext } from '../rule';
import { Placement } from './placements';
import { zoneOutagesOf } from './simulated';

/** Those of a workload that a lost zone leaves without a node, and why. */
export interface Aftermath {
  readonly pods: number;
  readonly why?: string;
}

/** Undefined where it is not known. */
export function aftermathOf(context: RuleContext, { kind, namespace, name }: WorkloadManifest, zone: string): Aftermath | undefined {
  const report = zoneOutagesOf(context)?.find(({ subject }) => subject === zone);
  const key = workloadKey(namespace, { kind, name });
  const own = report?.unplaced.filter(({ workload }) => workload === key);
  return own && { pods: own.reduce((sum, { pods }) => sum + pods.length, 0), why: own[0]?.why };
}

export function aftermathText(aftermath: Aftermath | undefined): string {
  if (aftermath === undefined) return '';
  const { pods, why } = aftermath;
  return pods === 0 ? '; all of them have a node elsewhere in the end (simulated)' : `; ${pods} ${pods === 1 ? 'has' : 'have'} no node in the end (simulated): ${why}`;
}

/**
 * Whether there is something to simulate: volumes that all pods are tied to, a node that can be in one zone alone, a limit that is near.
 */
export function mayBeLeftOut(context: RuleContext, { shape }: WorkloadManifest, placements: readonly Placement[]): boolean {
  if (shape === undefined || keepsApart(shape)) return false;
  // Which of several nodes are in one zone is not known.
  if (shape.staysInZone) return placements.length === 1;
  const pools = new Set(placements.flatMap(({ nodePool }) => nodePool ?? []));
  return placements.some(({ zones }) => zones.length === 1) || [...pools].some((pool) => isNearLimit(context, pool));
}

function keepsApart({ topologySpread = [], podAffinity, podAntiAffinity }: PodShape): boolean {
  const terms = [...podAffinity?.required ?? [], ...podAntiAffinity?.required ?? []];
  return terms.length > 0 || topologySpread.some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
}

/** Nodes have more than their pods ask for: from half of a limit on, the pods of a zone may not come again. */
function isNearLimit({ input, plan }: RuleContext, nodePool: string): boolean {
  const limits = input.nodePools.find(({ name }) => name === nodePool)?.limits ?? new Map<string, bigint>();
  const own = plan.nodeClaims.filter((claim) => claim.nodePool === nodePool);
  const taken = (resource: string) => own.reduce((sum, { requests }) => sum + (resource === 'nodes' ? 1n : requests.get(resource) ?? 0n), 0n);
  return [...limits].some(([resource, limit]) => taken(resource) * 2n > limit);
}
