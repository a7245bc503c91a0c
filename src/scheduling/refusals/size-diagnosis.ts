import { Attempt } from './attempt';
import { allocatable, Constraint, constraintsOf, launchableTypes } from './launchable-types';
import { amountText, countText, formatAmount, listText, merge, quantityText, ResourceList } from '../../model';

interface Shortage {
  readonly resource: string;
  readonly wanted: bigint;
  readonly allocatable: bigint;
}

/** An instance type that is too small for the pod. */
interface Miss {
  readonly type: number;
  readonly shortages: readonly Shortage[];
  readonly overhead: ResourceList;
  /** The largest missing share of a request, 0 to 1. */
  readonly share: number;
}

/**
 * What the pod needs and what the closest instance type has; undefined if the pod's size is not the cause.
 *
 * @param without more constraints to ignore
 */
export function sizeDiagnosis(attempt: Attempt, without: readonly Constraint[] = []): string | undefined {
  const resources = constraintsOf(attempt).filter(({ kind }) => kind === 'resource');
  const misses = missesOf(attempt, launchableTypes(attempt, [...resources, ...without]));
  if (misses.length === 0 || misses.some(({ shortages }) => shortages.length === 0)) return undefined;
  const missing = missingEverywhere(misses);
  if (missing.length > 0) return `no allowed instance type has ${missing.join(' or ')}`;
  return describe(
    attempt,
    misses.reduce((closest, miss) => (isCloser(miss, closest) ? miss : closest)),
    misses,
  );
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
  return [...wanted.keys()]
    .map((resource) => ({ resource, wanted: wanted.get(resource)!, allocatable: allocatable(table, resource, type) }))
    .filter((shortage) => shortage.wanted > shortage.allocatable)
    .sort((left, right) => (left.resource < right.resource ? -1 : 1));
}

/** The resources that no type has. */
function missingEverywhere(misses: readonly Miss[]): string[] {
  const short = misses[0].shortages.map(({ resource }) => resource);
  const isMissing = (miss: Miss, resource: string) =>
    miss.shortages.some((shortage) => shortage.resource === resource && shortage.allocatable <= 0n);
  return short.filter((resource) => misses.every((miss) => isMissing(miss, resource)));
}

function missingShare(shortage: Shortage): number {
  return Number(shortage.wanted - shortage.allocatable) / Number(shortage.wanted);
}

/** Fewer resources are short, or a smaller share is missing. Equal misses keep catalog order, which is by name. */
function isCloser(miss: Miss, other: Miss): boolean {
  return (
    miss.shortages.length - other.shortages.length < 0 ||
    (miss.shortages.length === other.shortages.length && miss.share < other.share)
  );
}

/** 'needs 2 CPUs, including 0.5 CPUs for 2 daemonset pods; the largest allowed type, m5.large, has 1.93'. */
function describe(attempt: Attempt, miss: Miss, misses: readonly Miss[]): string {
  const { type, shortages, overhead } = miss;
  const { table } = attempt.template;
  const daemonPods = Number(overhead.get('pods') ?? 0n);
  const daemonRequests = shortages
    .filter(({ resource }) => resource !== 'pods' && (overhead.get(resource) ?? 0n) > 0n)
    .map(({ resource }) => amountText(resource, overhead.get(resource)!));
  const including =
    daemonPods > 0 && daemonRequests.length > 0
      ? `, including ${listText(daemonRequests)} for ${countText(daemonPods, 'daemonset pod')}`
      : '';
  const fitsAlone = daemonPods > 0 && shortagesOn(attempt, type, attempt.requests).length === 0;
  const isLargest = shortages.every(({ resource, allocatable: available }) =>
    misses.every((candidate) => allocatable(table, resource, candidate.type) <= available),
  );
  return (
    `needs ${listText(shortages.map(wantedText))}${including}; the ${isLargest ? 'largest' : 'closest'} allowed type, ${table.names[type]}, ` +
    `has ${listText(shortages.map((shortage) => availableText(shortage, shortages.length === 1)))}${fitsAlone ? ', enough without the daemonset pods' : ''}`
  );
}

function wantedText({ resource, wanted, allocatable: available }: Shortage): string {
  return looksEqual(resource, wanted, available)
    ? `${formatAmount(resource, wanted)} ${resource}`
    : amountText(resource, wanted);
}

function availableText({ resource, wanted, allocatable: available }: Shortage, isOnly: boolean): string {
  const exact = looksEqual(resource, wanted, available) ? formatAmount(resource, available) : undefined;
  if (isOnly) return exact ?? quantityText(resource, available);
  return exact === undefined ? amountText(resource, available) : `${exact} ${resource}`;
}

/** Whether rounding hides the difference, so that exact amounts are needed. */
function looksEqual(resource: string, left: bigint, right: bigint): boolean {
  return quantityText(resource, left) === quantityText(resource, right);
}
