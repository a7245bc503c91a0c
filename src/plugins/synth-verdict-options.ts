import { VerdictOptions } from './verdict-options';

/** From which severity of finding on `app.synth()` fails. */
export enum FailOn {
  /** Findings that break the setup. */
  ERROR = 'error',
  /** Also findings that work, at a cost or a risk that was perhaps not meant. */
  WARNING = 'warning',
  /** The synth never fails because of the verdict. */
  NEVER = 'never',
}

/** What the input does not say of the cluster, and which findings fail a synth. */
export interface SynthVerdictOptions extends VerdictOptions {
  /**
   * From which severity of finding on the synth fails.
   *
   * @default FailOn.ERROR
   */
  readonly failOn?: FailOn;
}
