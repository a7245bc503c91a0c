/** A service that Karpenter or its nodes call, for which a VPC without a way out needs an endpoint. */
export interface NeededEndpoint {
  /** End of the service's name, such as `ecr.api` of `com.amazonaws.eu-west-1.ecr.api`. */
  readonly service: string;
  readonly why: string;
  /** What of a setup needs it; without, every setup does. */
  readonly need?: 'interruptionQueue' | 'podIdentity';
}

/** @see https://karpenter.sh/docs/getting-started/getting-started-with-karpenter/#private-clusters */
export const NEEDED_ENDPOINTS: readonly NeededEndpoint[] = [
  { service: 'ec2', why: 'the controller launches instances' },
  { service: 'ecr.api', why: 'nodes pull images' },
  { service: 'ecr.dkr', why: 'nodes pull images' },
  { service: 's3', why: 'layers of images are there' },
  { service: 'sts', why: 'the controller takes its role' },
  { service: 'ssm', why: 'the controller looks up images' },
  { service: 'eks', why: 'the controller and nodes look up the cluster' },
  { service: 'sqs', why: 'the controller hears of interruptions', need: 'interruptionQueue' },
  { service: 'eks-auth', why: 'the agent of EKS Pod Identity fetches credentials', need: 'podIdentity' },
];
