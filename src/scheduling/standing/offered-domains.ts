/* eslint-disable no-bitwise -- sets of domains are bit sets */
import { Label } from '../../model';
import { ClassifiedPods, PodClass } from '../pod-classes';
import { EncodedProblem } from '../problem';
import { PoolTemplate } from '../templates';
import { domainsOf } from '../topology-domains';

const WORD = 64;

/** Bits of the domains that the pools offer, whatever nodes there are. */
export function offeredDomains(
  { problem, vocabulary }: EncodedProblem, { topologies: { groups } }: ClassifiedPods, templates: readonly PoolTemplate[],
): BigUint64Array {
  const offered = new BigUint64Array(problem.topologyDomains.length);
  const bits = new Uint8Array(offered.buffer);
  groups.forEach((group, at) => {
    if (group.key === Label.HOSTNAME) return;
    for (const domain of domainsOf(group, templates)) {
      const slot = problem.topologyDomainStart[at] * WORD + vocabulary.valueNumber(group.key, domain);
      bits[slot >> 3] |= 1 << (slot & 7);
    }
  });
  return offered;
}

/** The groups that pods of these classes have from the start, each once. */
export function initialGroups(classes: readonly PodClass[], waiting: readonly number[]): readonly number[] {
  return [...new Set(waiting.flatMap((podClass) => classes[podClass].variants[0].topologies))];
}
