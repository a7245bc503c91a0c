import { Attempt, joinedRequirements } from './attempt';
import { launchableTypes, MIN_VALUES, minValuesShortfalls } from './launchable-types';
import { FilterFlag, PackerRefusal } from '../../kernel';
import {
  formatAmount,
  maxResources,
  merge,
  minResources,
  ResourceList,
  untolerated,
  untoleratedError,
  WELL_KNOWN_LABELS,
} from '../../model';
import { withHostname } from '../encoding/node-encoder';
import { minValuesError } from '../launch/min-values';
import { DaemonOverheadGroup } from '../nodes/daemon-overhead';

const NO_TEMPLATE = 'nodepool requirements filtered out all available instance types';
const MILLION_CPU = 1_000_000_000n;

/** Karpenter's error for a pool without instance types. */
export function poolWithoutTypes(): string {
  return NO_TEMPLATE;
}

/**
 * Karpenter's error for a refusal, except for topology constraints.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/nodeclaim.go InstanceTypeFilterError
 */
export function refusalText(refusal: number, attempt: Attempt): string {
  const { template, variant } = attempt;
  switch (refusal) {
    case PackerRefusal.TAINT:
      return untoleratedError(...untolerated(template.pool.taints, variant.tolerations));
    case PackerRefusal.REQUIREMENTS:
      return `incompatible requirements, ${template.requirements.compatible(variant.requirements, WELL_KNOWN_LABELS)}`;
    case PackerRefusal.VOLUMES:
      return `incompatible volume requirements, ${volumesText(attempt)}`;
    case PackerRefusal.NODE_LIMIT:
      return `node limits have been exhausted for nodepool (NodePool=${template.pool.name})`;
    case PackerRefusal.LIMITS:
      return `all available instance types exceed limits for nodepool (NodePool=${template.pool.name})`;
    case PackerRefusal.RESERVED:
      return 'one or more instance types with compatible reserved offerings are available, but could not be reserved';
    case PackerRefusal.RESERVATIONS_FULL:
      return attempt.reservedFallback
        ? 'the only compatible reserved offering is full; falling through to other NodePools'
        : 'all compatible reserved offerings are full and no on-demand or spot fallback is available';
    case PackerRefusal.MIN_VALUES:
      return `${minValuesText(attempt)}${circumstances(attempt)}`;
    default:
      return `${filterText(refusal - PackerRefusal.FILTERED)}${circumstances(attempt)}${typoHint(refusal, attempt)}`;
  }
}

function filterText(flags: number): string {
  const met = (flag: FilterFlag) => Math.floor(flags / flag) % 2 === 1;
  const [requirements, fits, offering] = [FilterFlag.REQUIREMENTS, FilterFlag.FITS, FilterFlag.OFFERING].map(met);
  const missing = [
    ...(requirements ? [] : ['met the scheduling requirements']),
    ...(fits ? [] : ['had enough resources']),
    ...(offering ? [] : ['had a required offering']),
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

function circumstances({ requirements, groups, requests }: Attempt): string {
  return `, requirements=${requirements}, resources=${resourcesText(groups, requests)}`;
}

function resourcesText(groups: readonly DaemonOverheadGroup[], requests: ResourceList): string {
  const overheads = groups.map((group) => group.overhead).filter((overhead) => overhead.size > 0);
  if (overheads.length === 0) return concise(requests);
  const least = concise(
    merge(
      overheads.reduce((left, right) => minResources(left, right)),
      requests,
    ),
  );
  const most = concise(
    merge(
      overheads.reduce((left, right) => maxResources(left, right)),
      requests,
    ),
  );
  return least === most ? least : `min=${least}, max=${most}`;
}

/** Resources in Karpenter's log format: JSON, sorted by name. */
export function concise(list: ResourceList): string {
  return JSON.stringify(
    Object.fromEntries(
      [...list.keys()].sort().map((resource) => [resource, formatAmount(resource, list.get(resource)!)]),
    ),
  );
}

function typoHint(refusal: number, { requests }: Attempt): string {
  const flags = refusal - PackerRefusal.FILTERED;
  const onlyFits =
    flags % 2 === 1 &&
    Math.floor(flags / FilterFlag.FITS) % 2 === 0 &&
    Math.floor(flags / FilterFlag.OFFERING) % 2 === 1;
  return onlyFits && (requests.get('cpu') ?? 0n) >= MILLION_CPU ? ' (CPU request >= 1 Million, m vs M typo?)' : '';
}

function minValuesText(attempt: Attempt): string {
  return minValuesError(minValuesShortfalls(attempt, launchableTypes(attempt, [MIN_VALUES])).map(({ key }) => key));
}

function volumesText({ template, variant, volumes }: Attempt): string {
  return String(withHostname(joinedRequirements(template, variant)).compatible(volumes, WELL_KNOWN_LABELS));
}
