import { Attempt, joinedRequirements, SolvedWorkload } from './attempt';
import { topologyGroupOf } from './launchable-types';
import { domainCounts } from './topology-error';
import { valuesText } from './wording';
import { countText, Label, labelName, listText, Requirement } from '../../model';
import { TopologyGroup } from '../topology/topology-groups';

/** Pods by domain. */
type Counts = ReadonlyArray<readonly [string, number]>;

/** The known domains, their pod counts, and why no domain is possible. */
export function topologyDiagnosis(attempt: Attempt, solved: SolvedWorkload): string {
  const number = topologyGroupOf(attempt.refusal);
  if (number < 0) return 'each topology constraint allows a domain, but no domain meets all of them';
  const group = solved.pods.topologies.groups[number];
  if (group.key === Label.HOSTNAME)
    return `a new node has no pod that the ${group.type} selects, and no planned node with such a pod accepts this one`;
  const counts = domainCounts(number, solved);
  const strict = attempt.variant.strict.get(group.key);
  const node = joinedRequirements(attempt.template, attempt.variant).get(group.key);
  const allowed = counts.filter(([domain]) => strict.has(domain));
  const reachable = allowed.filter(([domain]) => node.has(domain));
  if (counts.length === 0) return `the ${group.type} is over ${group.key}, and no NodePool gives its nodes this label`;
  if (reachable.length === 0) {
    return (
      `no domain of ${group.key} is possible: the pod allows ${valuesText(strict)}, the NodePool allows ${valuesText(node)}, ` +
      `and the known domains are ${countsText(counts)}`
    );
  }
  if (group.type === 'topology spread') return spreadDiagnosis(group, allowed, reachable);
  return group.type === 'pod affinity'
    ? affinityDiagnosis(group, counts, reachable, attempt.volumes.get(group.key), selectedPods(number, solved))
    : antiAffinityDiagnosis(group, reachable);
}

function spreadDiagnosis({ key, maxSkew, minDomains }: TopologyGroup, allowed: Counts, reachable: Counts): string {
  const [[domain, least]] = [...allowed].sort(([, left], [, right]) => left - right);
  const isUnreachable = !reachable.some(([name]) => name === domain);
  const minimum =
    minDomains !== undefined && allowed.length < minDomains
      ? `the minimum counts as 0, because there ${allowed.length === 1 ? 'is 1 domain' : `are ${allowed.length} domains`} and minDomains is ${minDomains}`
      : `the minimum is ${least} (${domain}${isUnreachable ? ', which this NodePool cannot reach' : ''})`;
  return `pods by ${key}: ${countsText(reachable)}; ${minimum}; one more pod in any domain would exceed maxSkew ${maxSkew}`;
}

function affinityDiagnosis(
  { key }: TopologyGroup,
  counts: Counts,
  reachable: Counts,
  volumes: Requirement,
  selected: 'placed' | 'left' | 'none',
): string {
  const occupied = counts.filter(([, pods]) => pods > 0);
  const excluded = occupied.filter(([domain]) => !reachable.some(([name]) => name === domain));
  if (occupied.length > 0 && occupied.every(([domain]) => !volumes.has(domain)))
    return `the pods that the pod affinity selects are in ${countsText(occupied)}, and the pod's volumes can only be used in ${listText([...volumes.values].sort(), 'or')}`;
  if (excluded.length > 0)
    return `the pods that the pod affinity selects are in ${countsText(excluded)}, which the pod or the NodePool excludes`;
  if (selected === 'left') return `${ONLY_PENDING_PODS}: once they have one, this pod can follow`;
  return selected === 'placed'
    ? `the pods that the pod affinity selects are on planned nodes, and until these are launched, their ${labelName(key)} is not decided: Karpenter counts such pods in no domain of ${key}`
    : `no domain of ${key} has a pod that the pod affinity selects, and the pod does not select itself`;
}

/** Begins the reason of pods that can only be where other pods are, which have no node themselves. */
export const ONLY_PENDING_PODS = 'the pods that the pod affinity selects have no node either';

/** Whether the solve places all pods of a group that the topology group counts, or only leaves such pods. */
export function selectedPods(
  number: number,
  { pods: { classOf, classes }, solution: { leftovers } }: SolvedWorkload,
): 'placed' | 'left' | 'none' {
  const left = new Set(leftovers.filter((_, index) => index % 2 === 0));
  const counted = classOf.flatMap((podClass, group) => (classes[podClass].counted.includes(number) ? [group] : []));
  if (counted.some((group) => !left.has(group))) return 'placed';
  // Pods that select themselves wait for no others.
  const isOwner = (group: number) =>
    classes[classOf[group]].variants.some(({ topologies }) => topologies.includes(number));
  return counted.length > 0 && !counted.some(isOwner) ? 'left' : 'none';
}

function antiAffinityDiagnosis({ key, inverseAntiAffinity }: TopologyGroup, reachable: Counts): string {
  const pod = inverseAntiAffinity
    ? 'a pod whose anti-affinity excludes this pod'
    : 'a pod that the pod anti-affinity selects';
  return `every possible domain of ${key} has or may get ${pod}: ${countsText(reachable)}`;
}

/** 'us-east-1a (1 pod) and us-east-1b (2 pods)'. */
function countsText(counts: Counts): string {
  return listText(counts.map(([domain, pods]) => `${domain} (${countText(pods, 'pod')})`));
}
