import { SynthVerdictOptions } from './synth-verdict-options';

/** What the manifests do not say of the cluster, and what becomes of the verdict. */
export interface KarpenterVerdictProps extends SynthVerdictOptions {
  /**
   * Prints no report. Findings still fail the synth, and the JSON verdict is still written.
   *
   * @default false
   */
  readonly quiet?: boolean;
}
