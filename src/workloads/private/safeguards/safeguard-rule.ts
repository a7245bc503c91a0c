import { Safeguard } from '../../safeguard';
import { Scaler } from '../scaler';
import { Settings } from '../settings';
import { Nature, Subject } from '../subject';

/** What other objects say of a workload. */
export interface Surroundings {
  readonly scaler?: Scaler;
  /** A claim of all its pods, or of all that it scales, that can be on one node alone. */
  readonly sharedClaim?: string;
  /** Why what it scales is meant to do without `Safeguard.REPLICAS`. */
  readonly targetWaiver?: string;
}

export interface SafeguardRule {
  readonly safeguard: Safeguard;
  readonly natures: readonly Nature[];
  /** Fills in what the manifest does not say, and returns what it says itself where that is weaker. */
  apply(subject: Subject, settings: Settings, surroundings: Surroundings): string | undefined;
}
