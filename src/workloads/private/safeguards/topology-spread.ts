import { Surroundings } from './safeguard-rule';
import { Label, normalizeLabelKey, selects } from '../../../model';
import { expressionsByTerm, requireOfNode } from '../node-affinity';
import { Settings } from '../settings';
import { isRecord, Json, list, recordsIn, Subject } from '../subject';

/** The largest share of a workload's pods on one node is one in this many, except for the first pod. */
const SHARE_OF_A_NODE = 3;
/** Of each run of its own, also where a CronJob makes it. */
const JOB_NAME = 'batch.kubernetes.io/job-name';

/**
 * Karpenter counts zones that other pools alone have, unless the pod itself rules them out: then its pods would wait
 * for these.
 */
export function zoneSpread(subject: Subject, { zoneCount, given: { nodePool } }: Settings, { sharedClaim }: Surroundings): undefined {
  if (isPlaced(subject, Label.ZONE) || sharedClaim !== undefined) return;
  const { pod } = subject;
  const isPinned = pod.nodeSelector?.[Label.NODE_POOL] === nodePool?.name;
  const poolZones = isPinned ? nodePool?.zones : undefined;
  const minDomains = subject.hasVolumeClaims || keepsToZones(pod) ? undefined : safeMinDomains(fewest(zoneCount, poolZones?.length));
  if (poolZones && poolZones.length > 0 && !keepsToZones(pod)) requireOfNode(pod, Label.ZONE, 'In', poolZones);
  addSpread(subject, Label.ZONE, 1, minDomains);
}

/**
 * The pods are bound to certain zones, so fewer zones may exist than minDomains requires, and a second pod would stay
 * pending forever.
 */
function keepsToZones(pod: Json): boolean {
  return Object.keys(pod.nodeSelector ?? {}).some(isOfZones) || expressionsByTerm(pod, isOfZones).flat().length > 0;
}

function isOfZones(key: string): boolean {
  return ([Label.ZONE, Label.ZONE_ID] as readonly string[]).includes(normalizeLabelKey(key));
}

function fewest(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/**
 * One less than there are zones: with as many, the pods of a zone that is lost could be placed in no other. Pods that
 * volumes hold in a zone would wait for ever for a domain that they cannot go to.
 */
function safeMinDomains(zoneCount: number = 0): number | undefined {
  return zoneCount > 2 ? zoneCount - 1 : undefined;
}

/** Karpenter counts a new node as an empty domain, so that the skew is the most that any node holds. */
export function hostnameSpread(subject: Subject, _: Settings, { scaler, sharedClaim }: Surroundings): undefined {
  if (isPlaced(subject, Label.HOSTNAME) || sharedClaim !== undefined) return;
  const pods = scaler?.least ?? (Number(subject.spec.replicas) || 1);
  addSpread(subject, Label.HOSTNAME, Math.max(1, Math.floor(pods / SHARE_OF_A_NODE)));
}

/**
 * A new revision is spread by itself: otherwise the old one decides where it goes, and then leaves. The pods of a Job
 * have no selector of their author's, and an empty one alone would count all pods of the namespace.
 */
export function addSpread(subject: Subject, topologyKey: string, maxSkew: number, minDomains?: number): void {
  list(subject.pod, 'topologySpreadConstraints').push({
    maxSkew,
    topologyKey,
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: subject.selector,
    ...minDomains === undefined ? {} : { minDomains },
    ...nonEmpty(ownLabelKeys(subject)),
  });
}

/** Labels that controllers write and that identify the pods of one revision or job. */
function ownLabelKeys({ kind, nature, hasSelector }: Subject): string[] {
  if (kind === 'Deployment') return ['pod-template-hash'];
  return nature === 'batch' && !hasSelector ? [JOB_NAME] : [];
}

function nonEmpty(matchLabelKeys: string[]): Json {
  return matchLabelKeys.length === 0 ? {} : { matchLabelKeys };
}

export function hasSpread({ pod }: Subject, topologyKey: string): boolean {
  return recordsIn(pod.topologySpreadConstraints).some((constraint) => constraint.topologyKey === topologyKey);
}

/**
 * Whether the manifest says itself how pods stand to each other in these domains: together, apart or spread. Pods that
 * are to be with others, of whatever kind, are where these are; to be apart from others says nothing of each other.
 */
function isPlaced(subject: Subject, topologyKey: string): boolean {
  const { podAffinity, podAntiAffinity } = subject.pod.affinity ?? {};
  const required = (affinity: Json | undefined) => recordsIn(affinity?.requiredDuringSchedulingIgnoredDuringExecution)
    .filter((term) => term.topologyKey === topologyKey);
  return hasSpread(subject, topologyKey) || required(podAffinity).length > 0 || required(podAntiAffinity).some((term) => isOfOwnPods(term, subject));
}

function isOfOwnPods({ labelSelector }: Json, { template }: Subject): boolean {
  return isRecord(labelSelector) && selects(labelSelector, template.metadata?.labels ?? {});
}
