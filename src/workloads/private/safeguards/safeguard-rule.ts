import { Safeguard } from '../../safeguard';
import { Scaler } from '../scaler';
import { Settings } from '../settings';
import { Nature, Subject } from '../subject';

export interface SafeguardRule {
  readonly safeguard: Safeguard;
  readonly natures: readonly Nature[];
  /** Fills in what the manifest does not say, and returns what it says itself where that is weaker. */
  apply(subject: Subject, settings: Settings, scaler: Scaler | undefined): string | undefined;
}
