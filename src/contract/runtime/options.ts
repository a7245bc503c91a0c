import { FeatureGates } from '../feature-gate';

export interface RuntimeOptions {
  /** Of Karpenter for AWS. */
  readonly version: string;
  readonly featureGates: FeatureGates | undefined;
}
