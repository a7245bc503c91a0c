import { PackerSolution } from '../../kernel';
import { ResourceList } from '../../model';
import { SchedulingSettings } from '../input/schedule-input';
import { LaunchPricing } from '../launch/launch-pricing';
import { claimRefusal, launchOf } from '../launch/launch-request';
import { PoolTemplate } from '../launch/pool-template';
import { bitReader, DaemonOverheadGroup, leastOverhead } from '../nodes/daemon-overhead';
import { PlannedNodeClaim } from '../schedule-plan';

/** The properties that claims with the same template, instance types and offerings share. */
export interface ClaimKind
  extends Pick<
    PlannedNodeClaim,
    'instanceTypes' | 'zones' | 'capacityTypes' | 'cheapest' | 'launch' | 'launchFailure'
  > {
  /** Karpenter's error if it does not create such a claim. */
  readonly refusal?: string;
  /** The least overhead of daemonsets. */
  readonly overhead: ResourceList;
}

/** Computes each kind of claim once for all solves with the same templates; most of thousands of claims are alike. */
export class ClaimKinds {
  private readonly kinds = new Map<string, ClaimKind>();

  constructor(
    private readonly templates: readonly PoolTemplate[],
    private readonly groups: ReadonlyArray<readonly DaemonOverheadGroup[]>,
    private readonly pricing: LaunchPricing,
    private readonly settings: SchedulingSettings,
  ) {}

  of(solution: PackerSolution, claim: number): ClaimKind {
    const { claims, claimTypes, typeBytes, claimPlanes, planesPerClaim } = solution;
    const text = (bytes: Uint8Array, length: number) =>
      Buffer.from(bytes.buffer, bytes.byteOffset + claim * length, length).toString('latin1');
    const template = claims[claim * 3];
    const key = `${template} ${text(claimPlanes, planesPerClaim)} ${text(claimTypes, typeBytes)}`;
    let kind = this.kinds.get(key);
    if (kind === undefined) {
      kind = this.compute(solution, claim, template);
      this.kinds.set(key, kind);
    }
    return kind;
  }

  private compute(
    { claimTypes, typeBytes, claimPlanes, planesPerClaim }: PackerSolution,
    claim: number,
    templateIndex: number,
  ): ClaimKind {
    const template = this.templates[templateIndex];
    const { offerings } = template.table;
    const planes = offerings.filter((_, plane) => claimPlanes[claim * planesPerClaim + plane] === 1);
    const zonesLeft = new Set(
      offerings.flatMap(({ zone }, plane) => (claimPlanes[claim * planesPerClaim + plane] === 0 ? [] : [zone])),
    );
    const { types, zones, capacityTypes, cheapest } = this.pricing.options(
      template.table,
      planes,
      bitReader(claimTypes, claim * typeBytes),
    );
    return {
      instanceTypes: types.map((type) => template.table.names[type]),
      zones,
      capacityTypes,
      cheapest,
      overhead: leastOverhead(this.groups[templateIndex], types),
      refusal: claimRefusal({ template, planes, types, zonesLeft }, this.settings),
      ...launchOf({ template, planes, types, zonesLeft }, this.settings),
    };
  }
}
