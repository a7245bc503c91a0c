import { WorkloadFacts } from './safeguard-rule';
import { Label, normalizeLabelKey, selects } from '../../../model';
import { INodePool } from '../../../nodes';
import { isRecord, Json, ensureList, recordsIn, EditableWorkload } from '../editable-workload';
import { expressionsByTerm, requireNodeLabel } from '../node-affinity';
import { nodePoolsOf, zonesOfPools } from '../node-pools';
import { Settings } from '../settings';

/** At most a third of a workload's pods run on one node, but always at least one. */
const MAX_NODE_SHARE = 3;
/** Label with a different value for each run of a Job or CronJob. */
const JOB_NAME = 'batch.kubernetes.io/job-name';

/**
 * Requires the zones of the NodePools in the pod, too. Otherwise Karpenter also counts zones that only other NodePools
 * have, and the pods would wait for nodes there.
 */
export function zoneSpread(
  subject: EditableWorkload,
  { zoneCount, props }: Settings,
  { sharedClaim }: WorkloadFacts,
): undefined {
  if (constrainsTopology(subject, Label.ZONE) || sharedClaim !== undefined) return;
  const { pod } = subject;
  const poolZones = zonesOfPools(selectedPools(nodePoolsOf(props), pod));
  const minDomains =
    subject.hasVolumeClaims || constrainsZones(pod)
      ? undefined
      : safeMinDomains(smallest(zoneCount, poolZones?.length));
  if (poolZones && poolZones.length > 0 && !constrainsZones(pod)) requireNodeLabel(pod, Label.ZONE, 'In', poolZones);
  addSpread(subject, Label.ZONE, 1, minDomains);
}

/** The NodePools that the pods select by name; none if they may select others, too. */
function selectedPools(nodePools: readonly INodePool[], pod: Json): INodePool[] {
  const expressions = expressionsByTerm(pod, (key) => key === Label.NODE_POOL).flat();
  const names: unknown[] =
    pod.nodeSelector?.[Label.NODE_POOL] !== undefined
      ? [pod.nodeSelector[Label.NODE_POOL]]
      : expressions.filter(({ operator }) => operator === 'In').flatMap(({ values }) => values ?? []);
  const selected = nodePools.filter(({ name }) => names.includes(name));
  return new Set(names).size === selected.length ? selected : [];
}

/**
 * The pods are bound to certain zones, so fewer zones may exist than minDomains requires, and a second pod would stay
 * pending forever.
 */
function constrainsZones(pod: Json): boolean {
  return Object.keys(pod.nodeSelector ?? {}).some(isZoneLabel) || expressionsByTerm(pod, isZoneLabel).flat().length > 0;
}

function isZoneLabel(key: string): boolean {
  return ([Label.ZONE, Label.ZONE_ID] as readonly string[]).includes(normalizeLabelKey(key));
}

function smallest(...counts: readonly (number | undefined)[]): number | undefined {
  const defined = counts.filter((count) => count !== undefined);
  return defined.length === 0 ? undefined : Math.min(...defined);
}

/**
 * One less than the number of zones, so that the pods of a failed zone can be scheduled in the other zones. Pods that
 * volumes bind to a zone must not have it: they would wait forever for a domain that they cannot use.
 */
function safeMinDomains(zoneCount: number = 0): number | undefined {
  return zoneCount > 2 ? zoneCount - 1 : undefined;
}

/** Karpenter counts a new node as an empty domain, so the maximum skew is the maximum number of pods on a node. */
export function hostnameSpread(
  subject: EditableWorkload,
  _: Settings,
  { autoscaler: scaler, sharedClaim }: WorkloadFacts,
): undefined {
  if (constrainsTopology(subject, Label.HOSTNAME) || sharedClaim !== undefined) return;
  const pods = scaler?.minReplicas ?? (Number(subject.spec.replicas) || 1);
  addSpread(subject, Label.HOSTNAME, Math.max(1, Math.floor(pods / MAX_NODE_SHARE)));
}

/**
 * Spreads each revision by itself. Otherwise the pods of the old revision, which are deleted later, would determine the
 * placement of the new ones. Jobs have no selector, and an empty selector alone would count all pods of the namespace.
 */
export function addSpread(subject: EditableWorkload, topologyKey: string, maxSkew: number, minDomains?: number): void {
  ensureList(subject.pod, 'topologySpreadConstraints').push({
    maxSkew,
    topologyKey,
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: subject.selector,
    ...(minDomains === undefined ? {} : { minDomains }),
    ...nonEmpty(ownLabelKeys(subject)),
  });
}

/** Labels that controllers write and that identify the pods of one revision or job. */
function ownLabelKeys({ kind, role: nature, hasSelector }: EditableWorkload): string[] {
  if (kind === 'Deployment') return ['pod-template-hash'];
  return nature === 'batch' && !hasSelector ? [JOB_NAME] : [];
}

function nonEmpty(matchLabelKeys: string[]): Json {
  return matchLabelKeys.length === 0 ? {} : { matchLabelKeys };
}

export function hasSpread({ pod }: EditableWorkload, topologyKey: string): boolean {
  return recordsIn(pod.topologySpreadConstraints).some((constraint) => constraint.topologyKey === topologyKey);
}

/**
 * Whether the manifest itself constrains the distribution of the pods over these domains: a spread constraint, any pod
 * affinity, or anti-affinity to the workload's own pods. Anti-affinity to other pods does not spread its own pods.
 */
function constrainsTopology(subject: EditableWorkload, topologyKey: string): boolean {
  const { podAffinity, podAntiAffinity } = subject.pod.affinity ?? {};
  const required = (affinity: Json | undefined) =>
    recordsIn(affinity?.requiredDuringSchedulingIgnoredDuringExecution).filter(
      (term) => term.topologyKey === topologyKey,
    );
  return (
    hasSpread(subject, topologyKey) ||
    required(podAffinity).length > 0 ||
    required(podAntiAffinity).some((term) => selectsOwnPods(term, subject))
  );
}

function selectsOwnPods({ labelSelector }: Json, { template }: EditableWorkload): boolean {
  return isRecord(labelSelector) && selects(labelSelector, template.metadata?.labels ?? {});
}
