import { Label } from '../model';
import { Attempt, joinedRequirements, Solved } from './attempt';
import { TopologyGroup } from './topology-groups';
import { domainCounts } from './topology-text';
import { joined, valuesText } from './wording';

type Counts = ReadonlyArray<readonly [string, number]>;

/** Which domains there are, how many pods each has, and why none of them will do. */
export function topologyDiagnosis(attempt: Attempt, solved: Solved): string {
  const number = Math.floor(attempt.code / 256) - 1;
  if (number < 0) return 'each constraint leaves some domain, and no domain meets all of them';
  const group = solved.pods.topologies.groups[number];
  if (group.key === Label.HOSTNAME) return `a new node has no pod yet that the ${group.type} selects, and no open node with one takes the pod`;
  const counts = domainCounts(number, solved);
  const strict = attempt.variant.strict.get(group.key);
  const node = joinedRequirements(attempt.template, attempt.variant).get(group.key);
  const allowed = counts.filter(([domain]) => strict.has(domain));
  const reachable = allowed.filter(([domain]) => node.has(domain));
  if (reachable.length === 0) {
    return `no domain of ${group.key} is left: the pod allows ${valuesText(strict)}, the pool ${valuesText(node)}, `
      + `known ${counts.length === 0 ? 'are none, because no NodePool gives its nodes that label' : `are ${textOf(counts)}`}`;
  }
  if (group.type === 'topology spread') return spreadDiagnosis(group, allowed, reachable);
  return group.type === 'pod affinity' ? affinityDiagnosis(group, counts, reachable) : antiAffinityDiagnosis(group, reachable);
}

function spreadDiagnosis({ key, maxSkew, minDomains }: TopologyGroup, allowed: Counts, reachable: Counts): string {
  const isShort = minDomains !== undefined && allowed.length < minDomains;
  const [least] = [...allowed].sort(([, left], [, right]) => left - right);
  const base = isShort ? `there are fewer domains (${allowed.length}) than minDomains ${minDomains}, so that the least count is taken as 0`
    : `${least[0]} has the fewest, ${least[1]}`;
  const unreachable = !isShort && !reachable.some(([domain]) => domain === least[0]) ? ', and is out of reach for nodes of this pool' : '';
  return `the pods over ${key}: ${textOf(reachable)}; ${base}${unreachable}; one more anywhere would be above it by more than maxSkew ${maxSkew}`;
}

function affinityDiagnosis({ key }: TopologyGroup, counts: Counts, reachable: Counts): string {
  const elsewhere = counts.filter(([domain, count]) => count > 0 && !reachable.some(([other]) => other === domain));
  return elsewhere.length === 0 ? `no pod that the pod affinity selects is placed in any domain of ${key}, and the pod does not select itself`
    : `the pods that the pod affinity selects are in ${textOf(elsewhere)}, which the pod or the pool rules out`;
}

function antiAffinityDiagnosis({ key, inverse }: TopologyGroup, reachable: Counts): string {
  const whose = inverse ? 'a pod that keeps this one away by its own pod anti-affinity' : 'a pod that the pod anti-affinity selects';
  return `every domain of ${key} that the node could be in has, or may come to have, ${whose}: ${textOf(reachable)}`;
}

function textOf(counts: Counts): string {
  return joined(counts.map(([domain, count]) => `${domain} ${count}`));
}
