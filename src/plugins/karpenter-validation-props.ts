import { SynthVerdictOptions } from './synth-verdict-options';

/** Facts about the cluster that the app does not contain, and what to do with the verdict. */
export interface KarpenterValidationProps extends SynthVerdictOptions {
  /**
   * Where the verdict is written as JSON, with what is judged, what is not, and on what the figures rest. With several
   * clusters in the app, the name of each comes before the extension.
   *
   * @default 'karpenter-verdict.json' in the cloud assembly
   */
  readonly reportFile?: string;

  /**
   * Does not say in a line where the pods go. Findings are reported all the same, and the verdict is written.
   *
   * @default false
   */
  readonly quiet?: boolean;
}
