import { SynthVerdictOptions } from './synth-verdict-options';

/** Facts about the cluster that the manifests do not contain, and what to do with the verdict. */
export interface KarpenterVerdictProps extends SynthVerdictOptions {
  /**
   * Prints no report. Findings still fail the synth, and the JSON verdict is still written.
   *
   * @default false
   */
  readonly quiet?: boolean;
}
