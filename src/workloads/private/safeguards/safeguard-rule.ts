import { Safeguard } from '../../safeguard';
import { Scaler } from '../scaler';
import { Settings } from '../settings';
import { Nature, Subject } from '../subject';

/** What other objects say of a workload. */
export interface Surroundings {
  readonly scaler?: Scaler;
  /** A claim of all its pods that can be on one node alone. */
  readonly sharedClaim?: string;
}

export interface SafeguardRule {
  readonly safeguard: Safeguard;
  readonly natures: readonly Nature[];
  /** Fills in what the manifest does not say, and returns what it says itself where that is weaker. */
  apply(subject: Subject, settings: Settings, surroundings: Surroundings): string | undefined;
}
