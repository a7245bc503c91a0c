import { PackerSolution } from '../kernel';
import { ResourceList } from '../model';
import { bitReader, DaemonGroup, leastOverhead } from './daemon-groups';
import { LaunchPricing } from './launch-options';
import { claimRefusal, launchOf } from './launch-request';
import { SchedulingSettings } from './schedule-input';
import { PlannedNodeClaim } from './schedule-plan';
import { PoolTemplate } from './templates';

/** What claims have in common that the same instance types and offerings are left to. */
export interface ClaimKind
  extends Pick<PlannedNodeClaim, 'instanceTypes' | 'zones' | 'capacityTypes' | 'cheapest' | 'launch' | 'launchFailure'> {
  /** Why Karpenter creates no such claim, in its own words. */
  readonly refusal?: string;
  /** Of the daemonsets, at the least. */
  readonly overhead: ResourceList;
}

/** Kinds of claims, each worked out once for all solves with the same templates: of thousands of claims most are alike. */
export class ClaimKinds {
  private readonly known = new Map<string, ClaimKind>();

  constructor(
    private readonly templates: readonly PoolTemplate[], private readonly groups: ReadonlyArray<readonly DaemonGroup[]>,
    private readonly pricing: LaunchPricing, private readonly settings: SchedulingSettings,
  ) {}

  of(solution: PackerSolution, claim: number): ClaimKind {
    const { claims, claimTypes, typeBytes, claimPlanes, planesPerClaim } = solution;
    const text = (bytes: Uint8Array, length: number) => Buffer.from(bytes.buffer, bytes.byteOffset + claim * length, length).toString('latin1');
    const at = claims[claim * 3];
    const key = `${at} ${text(claimPlanes, planesPerClaim)} ${text(claimTypes, typeBytes)}`;
    let found = this.known.get(key);
    if (found === undefined) {
      found = this.workOut(solution, claim, at);
      this.known.set(key, found);
    }
    return found;
  }

  private workOut({ claimTypes, typeBytes, claimPlanes, planesPerClaim }: PackerSolution, claim: number, at: number): ClaimKind {
    const template = this.templates[at];
    const { offerings } = template.table;
    const planes = offerings.filter((_, plane) => claimPlanes[claim * planesPerClaim + plane] === 1);
    const zonesLeft = new Set(offerings.flatMap(({ zone }, plane) => claimPlanes[claim * planesPerClaim + plane] === 0 ? [] : [zone]));
    const { types, zones, capacityTypes, cheapest } = this.pricing.options(template.table, planes, bitReader(claimTypes, claim * typeBytes));
    return {
      instanceTypes: types.map((type) => template.table.names[type]),
      zones,
      capacityTypes,
      cheapest,
      overhead: leastOverhead(this.groups[at], types),
      refusal: claimRefusal({ template, planes, types, zonesLeft }, this.settings),
      ...launchOf({ template, planes, types, zonesLeft }, this.settings),
    };
  }
}
