import { InstanceTypeTable } from '../catalog';
import { PackerSolution } from '../kernel';
import { ResourceList } from '../model';
import { bitReader, DaemonGroup, leastOverhead } from './daemon-groups';
import { PlannedNodeClaim, SchedulingSettings } from './domain';
import { LaunchPricing } from './launch-options';
import { claimRefusal, LaunchableClaim, launchOf } from './launch-request';
import { PoolTemplate } from './templates';

/** What claims have in common that the same instance types and offerings are left to. */
export interface ClaimKind extends Pick<PlannedNodeClaim, 'instanceTypes' | 'zones' | 'capacityTypes' | 'cheapest'> {
  /** Why Karpenter creates no such claim, in its own words. */
  readonly refusal?: string;
  /** Of the daemonsets, at the least. */
  readonly overhead: ResourceList;
  /** @param requests of the claim, the overhead included */
  readonly launch: (requests: ResourceList) => LaunchOutcome;
}

type LaunchOutcome = Pick<PlannedNodeClaim, 'launch' | 'launchFailure'>;

/** Kinds of claims, each worked out once: of thousands of claims most are alike. */
export class ClaimKinds {
  private readonly known = new Map<string, ClaimKind>();

  constructor(
    private readonly templates: readonly PoolTemplate[], private readonly solution: PackerSolution,
    private readonly groups: ReadonlyArray<readonly DaemonGroup[]>, private readonly pricing: LaunchPricing,
    private readonly settings: SchedulingSettings,
  ) {}

  of(claim: number): ClaimKind {
    const { claims, claimTypes, typeBytes, claimPlanes, planesPerClaim } = this.solution;
    const text = (bytes: Uint8Array, length: number) => Buffer.from(bytes.buffer, bytes.byteOffset + claim * length, length).toString('latin1');
    const at = claims[claim * 3];
    const key = `${at} ${text(claimPlanes, planesPerClaim)} ${text(claimTypes, typeBytes)}`;
    let found = this.known.get(key);
    if (found === undefined) {
      found = this.workOut(claim, at);
      this.known.set(key, found);
    }
    return found;
  }

  private workOut(claim: number, at: number): ClaimKind {
    const { claimTypes, typeBytes, claimPlanes, planesPerClaim } = this.solution;
    const template = this.templates[at];
    const planes = template.table.offerings.filter((_, plane) => claimPlanes[claim * planesPerClaim + plane] === 1);
    const { types, zones, capacityTypes, cheapest } = this.pricing.options(template.table, planes, bitReader(claimTypes, claim * typeBytes));
    const claimed = { template, planes, types };
    const overhead = leastOverhead(this.groups[at], types);
    return {
      instanceTypes: types.map((type) => template.table.names[type]),
      zones,
      capacityTypes,
      cheapest,
      overhead,
      refusal: claimRefusal(claimed, this.settings),
      launch: this.launches(claimed, unsure(this.groups[at], overhead, types)),
    };
  }

  /** @param among those that may be crowded; few claims differ in which of them are */
  private launches(claimed: LaunchableClaim, among: readonly number[]): ClaimKind['launch'] {
    const known = new Map<string, LaunchOutcome>();
    return (requests) => {
      const crowded = among.filter((type) => !hasRoom(claimed.template.table, type, requests));
      const key = crowded.join();
      let found = known.get(key);
      if (found === undefined) {
        found = launchOf({ ...claimed, crowded: new Set(crowded) }, this.settings);
        known.set(key, found);
      }
      return found;
    };
  }
}

/**
 * Types that may have no room for the least overhead, although no daemonset takes it there: where some types have no daemonsets at
 * all, it is that of the others.
 */
function unsure(groups: readonly DaemonGroup[], overhead: ResourceList, types: readonly number[]): number[] {
  const lighter = groups.filter((group) => !covers(group.overhead, overhead));
  return lighter.length === 0 ? [] : types.filter((type) => lighter.some((group) => group.has(type)));
}

function hasRoom({ resources, allocatable }: InstanceTypeTable, type: number, requests: ResourceList): boolean {
  for (const [resource, amount] of requests) {
    if (Number(amount) > (allocatable[resources.indexOf(resource)]?.[type] ?? 0)) return false;
  }
  return true;
}

function covers(larger: ResourceList, smaller: ResourceList): boolean {
  return [...smaller].every(([resource, amount]) => amount <= (larger.get(resource) ?? 0n));
}
