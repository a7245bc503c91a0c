import { VerdictOptions } from './verdict-options';

/** Lowest severity of a finding that fails the synth. */
export enum FailOn {
  /** Errors: the configuration does not work. */
  ERROR = 'error',
  /** Errors and warnings. A warning is about a cost or risk that may be unintended. */
  WARNING = 'warning',
  /** Findings never fail the synth. */
  NEVER = 'never',
}

/** Facts about the cluster that the app does not contain, and what to do with the verdict. */
export interface KarpenterVerdictProps extends VerdictOptions {
  /**
   * Lowest severity of a finding that fails the synth.
   *
   * @default FailOn.ERROR
   */
  readonly failOn?: FailOn;

  /**
   * File for the verdict as JSON. If an app of the AWS CDK has several clusters, the name of each cluster is inserted
   * before the extension, and one file is written for each.
   *
   * @default 'karpenter-verdict.json' in the output folder of the app
   */
  readonly reportFile?: string;

  /**
   * Prints no report. Findings still fail the synth, and the verdict is still written.
   *
   * @default false
   */
  readonly quiet?: boolean;
}
