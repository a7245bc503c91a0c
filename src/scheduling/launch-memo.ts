import { PlannedNodeClaim, SchedulingSettings } from './domain';
import { claimRefusal, LaunchableClaim, launchOf } from './launch-request';
import { PoolTemplate } from './templates';

/** What becomes of a claim once its pods are known. */
export interface LaunchOutcome extends Pick<PlannedNodeClaim, 'launch' | 'launchFailure'> {
  /** Why Karpenter creates no such claim, in its own words. */
  readonly refusal?: string;
}

/** Launches, worked out once for claims that are alike in all that decides them. */
export class LaunchMemo {
  private readonly known = new Map<PoolTemplate, Map<string, LaunchOutcome>>();

  constructor(private readonly settings: SchedulingSettings) {}

  of(claim: LaunchableClaim): LaunchOutcome {
    const key = `${claim.planes.map(({ zone, capacityType }) => `${zone} ${capacityType}`).join()} ${claim.types.join()}`;
    let ofTemplate = this.known.get(claim.template);
    if (ofTemplate === undefined) {
      ofTemplate = new Map();
      this.known.set(claim.template, ofTemplate);
    }
    let found = ofTemplate.get(key);
    if (found === undefined) {
      found = { refusal: claimRefusal(claim, this.settings), ...launchOf(claim, this.settings) };
      ofTemplate.set(key, found);
    }
    return found;
  }
}
