import { Requirements } from '../../model';
import { PodVariant } from '../relaxation';

/** What each step of relaxation gave up, in words. */
export function givenUp(variants: readonly PodVariant[]): string[] {
  return variants.slice(1).map((variant, at) => difference(variants[at], variant));
}

function difference(before: PodVariant, after: PodVariant): string {
  if (after.nodeFilters.length < before.nodeFilters.length) return `the required node affinity term ${lost(before.requirements, after.requirements)}, because another is left`;
  const [affinity] = before.affinity.filter((term) => !after.affinity.includes(term));
  if (affinity !== undefined) return `the preferred pod affinity over ${affinity.topologyKey}`;
  const [antiAffinity] = before.antiAffinity.filter((term) => !after.antiAffinity.includes(term));
  if (antiAffinity !== undefined) return `the preferred pod anti-affinity over ${antiAffinity.topologyKey}`;
  const [spread] = before.spread.filter((constraint) => !after.spread.includes(constraint));
  if (spread !== undefined) return `the topology spread over ${spread.topologyKey}, which need not be met`;
  if (after.tolerations.length > before.tolerations.length) return 'the wish to stay off PreferNoSchedule taints';
  return `the preferred node affinity ${lost(before.requirements, after.requirements)}`;
}

function lost(before: Requirements, after: Requirements): string {
  return before.values().filter((requirement) => !after.has(requirement.key) || String(after.get(requirement.key)) !== String(requirement)).map(String).join(' and ');
}
