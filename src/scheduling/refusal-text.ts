import { FilterFlag, Refusal } from '../kernel';
import { formatAmount, maxResources, merge, minResources, Requirements, ResourceList, untolerated, untoleratedError, WELL_KNOWN_LABELS } from '../model';
import { DaemonGroup } from './daemon-groups';
import { minValuesError, unmetMinValues } from './min-values';
import { PodVariant } from './relaxation';
import { PoolTemplate } from './templates';
import { compatibleOfferings, compatibleTypes, isOffered } from './type-filter';

const NO_TEMPLATE = 'nodepool requirements filtered out all available instance types';
const MILLION_CPU = 1_000_000_000n;

export interface RefusedPod {
  readonly requests: ResourceList;
  /** The constraints as they were when Karpenter gave up: fully relaxed. */
  readonly variant: PodVariant;
}

/** Karpenter's own words for why a pool takes no pod at all. */
export function poolWithoutTypes(): string {
  return NO_TEMPLATE;
}

/**
 * Karpenter's own words for a refusal.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/nodeclaim.go
 */
export function refusalText(code: number, template: PoolTemplate, groups: readonly DaemonGroup[], pod: RefusedPod): string {
  switch (code) {
    case Refusal.TAINT: return untoleratedError(...untolerated(template.pool.taints, pod.variant.tolerations));
    case Refusal.REQUIREMENTS:
      return `incompatible requirements, ${template.requirements.compatible(pod.variant.requirements, WELL_KNOWN_LABELS)}`;
    case Refusal.NODE_LIMIT: return `node limits have been exhausted for nodepool (NodePool=${template.pool.name})`;
    case Refusal.LIMITS: return `all available instance types exceed limits for nodepool (NodePool=${template.pool.name})`;
    case Refusal.MIN_VALUES: return `${minValuesText(template, groups, pod)}${circumstances(template, groups, pod)}`;
    default: return `${filterText(code - Refusal.FILTERED)}${circumstances(template, groups, pod)}${typoHint(code, pod)}`;
  }
}

/** The requirements of a new node with this pod on it. */
export function joinedRequirements(template: PoolTemplate, variant: PodVariant): Requirements {
  const joined = template.requirements.copy();
  joined.add(...variant.requirements.values());
  return joined;
}

function filterText(flags: number): string {
  const met = (flag: FilterFlag) => Math.floor(flags / flag) % 2 === 1;
  const [requirements, fits, offering] = [FilterFlag.REQUIREMENTS, FilterFlag.FITS, FilterFlag.OFFERING].map(met);
  const missing = [
    ...requirements ? [] : ['met the scheduling requirements'],
    ...fits ? [] : ['had enough resources'],
    ...offering ? [] : ['had a required offering'],
  ];
  if (missing.length > 1) return `no instance type ${missing.join(' or ')}`;
  if (!requirements) return 'no instance type met all requirements';
  if (!fits) return 'no instance type has enough resources';
  if (!offering) return 'no instance type has the required offering';
  return pairText(met);
}

function pairText(met: (flag: FilterFlag) => boolean): string {
  if (met(FilterFlag.REQUIREMENTS_AND_FITS)) {
    return 'no instance type which met the scheduling requirements and had enough resources, had a required offering';
  }
  if (met(FilterFlag.FITS_AND_OFFERING)) {
    return 'no instance type which had enough resources and the required offering met the scheduling requirements';
  }
  if (met(FilterFlag.REQUIREMENTS_AND_OFFERING)) {
    return 'no instance type which met the scheduling requirements and the required offering had the required resources';
  }
  return 'no instance type met the requirements/resources/offering tuple';
}

function circumstances(template: PoolTemplate, groups: readonly DaemonGroup[], pod: RefusedPod): string {
  return `, requirements=${joinedRequirements(template, pod.variant)}, resources=${resourcesText(groups, pod.requests)}`;
}

function resourcesText(groups: readonly DaemonGroup[], requests: ResourceList): string {
  const overheads = groups.map((group) => group.overhead).filter((overhead) => overhead.size > 0);
  if (overheads.length === 0) return concise(requests);
  const least = concise(merge(overheads.reduce((left, right) => minResources(left, right)), requests));
  const most = concise(merge(overheads.reduce((left, right) => maxResources(left, right)), requests));
  return least === most ? least : `min=${least}, max=${most}`;
}

/** Resources as Karpenter logs them: JSON, by name. */
export function concise(list: ResourceList): string {
  return JSON.stringify(Object.fromEntries([...list.keys()].sort().map((resource) => [resource, formatAmount(resource, list.get(resource)!)])));
}

function typoHint(code: number, pod: RefusedPod): string {
  const flags = code - Refusal.FILTERED;
  const onlyFits = flags % 2 === 1 && Math.floor(flags / FilterFlag.FITS) % 2 === 0 && Math.floor(flags / FilterFlag.OFFERING) % 2 === 1;
  return onlyFits && (pod.requests.get('cpu') ?? 0n) >= MILLION_CPU ? ' (CPU request >= 1 Million, m vs M typo?)' : '';
}

function minValuesText(template: PoolTemplate, groups: readonly DaemonGroup[], pod: RefusedPod): string {
  const requirements = joinedRequirements(template, pod.variant);
  const compatible = compatibleTypes(template.table, requirements);
  const planes = compatibleOfferings(template.table, requirements);
  const launchable = (type: number) => isOffered(planes, type) && fitsWithDaemons(template, groups, pod, type);
  const types = compatible.flatMap((isCompatible, type) => isCompatible && launchable(type) ? [type] : []);
  return minValuesError(unmetMinValues(template, types, (key, value) => requirements.get(key).has(value)));
}

function fitsWithDaemons(template: PoolTemplate, groups: readonly DaemonGroup[], pod: RefusedPod, type: number): boolean {
  const group = groups.find(({ has }) => has(type));
  return group !== undefined && shortages(template, type, merge(pod.requests, group.overhead)).length === 0;
}

export interface Shortage {
  readonly resource: string;
  readonly wanted: bigint;
  readonly allocatable: bigint;
}

/** What the type lacks of the requests. */
export function shortages({ table }: PoolTemplate, type: number, requests: ResourceList): Shortage[] {
  return [...requests.keys()].sort().flatMap((resource) => {
    const column = table.allocatable[table.resources.indexOf(resource)];
    const allocatable = column === undefined ? 0n : BigInt(Math.floor(column[type]));
    const wanted = requests.get(resource)!;
    return wanted > allocatable ? [{ resource, wanted, allocatable }] : [];
  });
}
