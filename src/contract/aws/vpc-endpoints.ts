/** An AWS service that Karpenter or its nodes call. A VPC without internet access needs an endpoint for it. */
export interface RequiredEndpoint {
  /** The end of the service name, such as `ecr.api` in `com.amazonaws.eu-west-1.ecr.api`. */
  readonly service: string;
  readonly why: string;
  /** The feature that needs the endpoint. @default - always needed */
  readonly requiredFor?: 'interruptionQueue' | 'podIdentity';
}

/** @see https://karpenter.sh/docs/getting-started/getting-started-with-karpenter/#private-clusters */
export const REQUIRED_ENDPOINTS: readonly RequiredEndpoint[] = [
  { service: 'ec2', why: 'the controller launches instances' },
  { service: 'ecr.api', why: 'nodes pull images' },
  { service: 'ecr.dkr', why: 'nodes pull images' },
  { service: 's3', why: 'layers of images are there' },
  { service: 'sts', why: 'the controller takes its role' },
  { service: 'ssm', why: 'the controller looks up images' },
  { service: 'eks', why: 'the controller and nodes look up the cluster' },
  { service: 'sqs', why: 'the controller hears of interruptions', requiredFor: 'interruptionQueue' },
  { service: 'eks-auth', why: 'the agent of EKS Pod Identity fetches credentials', requiredFor: 'podIdentity' },
];
