import { formatAmount, merge, ResourceList } from '../model';
import { Attempt } from './attempt';
import { allocatable, constraintsOf, launchableTypes } from './launchable-types';
import { joined } from './wording';

interface Shortage {
  readonly resource: string;
  readonly wanted: bigint;
  readonly allocatable: bigint;
}

interface Miss {
  readonly type: number;
  readonly shortages: readonly Shortage[];
  readonly overhead: ResourceList;
  /** The largest part of a request that is missing. */
  readonly share: number;
}

/** Which instance type comes closest to holding the pod, and what it lacks; undefined where size is not the problem. */
export function nearestMiss(attempt: Attempt): string | undefined {
  const resources = constraintsOf(attempt).filter(({ kind }) => kind === 'resource');
  const misses = missesOf(attempt, launchableTypes(attempt, resources));
  if (misses.length === 0 || misses.some(({ shortages }) => shortages.length === 0)) return undefined;
  const nowhere = resourcesNowhere(misses);
  if (nowhere.length > 0) return `no instance type of the pool offers ${nowhere.join(' or ')}`;
  return describe(attempt, misses.reduce((nearest, miss) => isNearer(miss, nearest) ? miss : nearest));
}

function missesOf(attempt: Attempt, types: readonly number[]): Miss[] {
  const wanted = new Map<ResourceList, ResourceList>();
  return types.map((type) => {
    const overhead = attempt.overheadOf(type);
    if (!wanted.has(overhead)) wanted.set(overhead, merge(attempt.requests, overhead));
    const shortages = shortagesOn(attempt, type, wanted.get(overhead)!);
    return { type, overhead, shortages, share: Math.max(...shortages.map(missingShare)) };
  });
}

function shortagesOn({ template: { table } }: Attempt, type: number, wanted: ResourceList): Shortage[] {
  return [...wanted.keys()].map((resource) => ({ resource, wanted: wanted.get(resource)!, allocatable: allocatable(table, resource, type) }))
    .filter((shortage) => shortage.wanted > shortage.allocatable)
    .sort((left, right) => left.resource < right.resource ? -1 : 1);
}

function resourcesNowhere(misses: readonly Miss[]): string[] {
  const short = misses[0].shortages.map(({ resource }) => resource);
  const isMissing = (miss: Miss, resource: string) => miss.shortages.some((shortage) => shortage.resource === resource && shortage.allocatable <= 0n);
  return short.filter((resource) => misses.every((miss) => isMissing(miss, resource)));
}

function missingShare({ wanted, allocatable: there }: Shortage): number {
  return Number(wanted - there) / Number(wanted);
}

/** Fewer resources, or less of the request; of equal ones the first in the catalogue, which is in the order of names. */
function isNearer(miss: Miss, other: Miss): boolean {
  return miss.shortages.length - other.shortages.length < 0 || (miss.shortages.length === other.shortages.length && miss.share < other.share);
}

function describe(attempt: Attempt, { type, shortages, overhead }: Miss): string {
  const short = shortages.map(({ resource, wanted, allocatable: there }) => `${formatAmount(resource, wanted - there)} of ${resource}`);
  const daemons = Number(overhead.get('pods') ?? 0n);
  const withDaemons = `, with ${daemons} daemonset ${daemons === 1 ? 'pod' : 'pods'} on the node`;
  const isDaemons = daemons > 0 && shortagesOn(attempt, type, attempt.requests).length === 0;
  const blame = isDaemons ? `: without what ${daemons === 1 ? 'that requests' : 'these request'} (${requestsText(shortages, overhead)}) it would fit` : '';
  return `short by ${joined(short)} on ${attempt.template.table.names[type]}, the nearest miss${daemons === 0 ? '' : withDaemons}${blame}`;
}

function requestsText(shortages: readonly Shortage[], overhead: ResourceList): string {
  return joined(shortages.map(({ resource }) => `${resource} ${formatAmount(resource, overhead.get(resource) ?? 0n)}`));
}
