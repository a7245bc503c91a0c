/** What a release changed in upstream's published policies, and where upstream says so. */
export interface PolicyChange {
  readonly release: string;
  readonly change: string;
  /** File and commit in github.com/aws/karpenter-provider-aws. */
  readonly source: string;
}

const DOC = (release: string, commit: string): string => `website/content/en/v${release}/reference/cloudformation.md@${commit}`;
const TEMPLATE = 'getting-started/getting-started-with-karpenter/cloudformation.yaml';

/**
 * Oldest first. A release that is not named here has the policies of the one before it.
 *
 * @see https://karpenter.sh/docs/reference/cloudformation/
 */
export const POLICY_CHANGES: readonly PolicyChange[] = [
  { release: '1.0.0', change: 'one policy of 16 statements', source: `website/content/en/v1.0/${TEMPLATE}@5288f72` },
  { release: '1.3.0', change: 'reads capacity reservations and launches into them', source: `${DOC('1.6', '4485993')}, pkg/aws/sdk.go@v1.3.3` },
  { release: '1.4.0', change: 'nodes pull images with AmazonEC2ContainerRegistryPullOnly', source: 'pull request 7963' },
  { release: '1.7.0', change: 'lists instance profiles, since `role` of an EC2NodeClass may change', source: `${DOC('1.8', '0ecff49')}, pull request 8249` },
  { release: '1.9.0', change: 'the one policy is split into several', source: 'pull request 8690' },
  { release: '1.11.0', change: 'reads placement groups and launches into them', source: DOC('1.11', '37d04b4') },
  { release: '1.12.0', change: 'reads the status checks of instances and zonal shifts of the cluster', source: DOC('1.12', '10b53ca') },
  { release: '1.15.0', change: 'reboots instances in order to repair them', source: DOC('1.15', 'd77d1a3') },
];
