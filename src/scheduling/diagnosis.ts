import { Refusal } from '../kernel';
import { formatAmount, merge } from '../model';
import { DaemonGroup } from './daemon-groups';
import { joinedRequirements, RefusedPod, Shortage, shortages } from './refusal-text';
import { PoolTemplate } from './templates';
import { compatibleOfferings, compatibleTypes, isOffered } from './type-filter';

interface Miss {
  readonly type: number;
  readonly shortages: readonly Shortage[];
  readonly daemonSets: number;
}

/** The nearest miss, in figures: which instance type comes closest, and what it lacks. Undefined where size is not the problem. */
export function nearestMiss(code: number, template: PoolTemplate, groups: readonly DaemonGroup[], pod: RefusedPod): string | undefined {
  if (code < Refusal.FILTERED || code % 256 === Refusal.TOPOLOGY) return undefined;
  const requirements = joinedRequirements(template, pod.variant);
  const compatible = compatibleTypes(template.table, requirements);
  const planes = compatibleOfferings(template.table, requirements);
  const misses: Miss[] = [];
  groups.forEach((group) => {
    const wanted = merge(pod.requests, group.overhead);
    template.table.names.forEach((_, type) => {
      if (!group.has(type) || !compatible[type] || !isOffered(planes, type)) return;
      misses.push({ type, shortages: shortages(template, type, wanted), daemonSets: group.daemonSets.length });
    });
  });
  if (misses.length === 0) return 'no instance type of the pool is left by the pod\'s own requirements';
  const nowhere = resourcesNowhere(misses);
  if (nowhere.length > 0) {
    return `no instance type of the pool offers ${nowhere.join(' or ')}`;
  }
  const [nearest] = misses.sort((left, right) => left.shortages.length - right.shortages.length
    || relativeShortage(left) - relativeShortage(right) || (template.table.names[left.type] < template.table.names[right.type] ? -1 : 1));
  return describe(template, nearest);
}

function resourcesNowhere(misses: readonly Miss[]): string[] {
  const short = misses[0].shortages.map(({ resource }) => resource);
  const isMissing = (miss: Miss, resource: string) => miss.shortages.some((shortage) => shortage.resource === resource && shortage.allocatable <= 0n);
  return short.filter((resource) => misses.every((miss) => isMissing(miss, resource)));
}

function relativeShortage({ shortages: list }: Miss): number {
  return Math.max(...list.map(({ wanted, allocatable }) => Number(wanted - allocatable) / Number(wanted)));
}

function describe(template: PoolTemplate, { type, shortages: list, daemonSets }: Miss): string {
  const short = list.map(({ resource, wanted, allocatable }) => `${formatAmount(resource, wanted - allocatable)} of ${resource}`);
  const besides = daemonSets === 0 ? '' : `, with ${daemonSets} daemonset ${daemonSets === 1 ? 'pod' : 'pods'} on the node`;
  return `short by ${short.join(' and ')} on ${template.table.names[type]}, the nearest miss${besides}`;
}
