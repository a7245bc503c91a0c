import { compareKarpenterVersions } from '../karpenter-version';
import { partitionOfRegion } from './partition';

/**
 * Names of the policies of AWS that a node needs in order to join, to have addresses, to pull images and to be reached
 * by Session Manager.
 *
 * @see https://karpenter.sh/docs/reference/cloudformation/#node-authorization
 */
export function nodePolicyNames(karpenterVersion: string): string[] {
  const registry = compareKarpenterVersions(karpenterVersion, '1.4.0') < 0 ? 'AmazonEC2ContainerRegistryReadOnly' : 'AmazonEC2ContainerRegistryPullOnly';
  return ['AmazonEKS_CNI_Policy', 'AmazonEKSWorkerNodePolicy', registry, 'AmazonSSMManagedInstanceCore'];
}

/** What the VPC CNI asks of nodes in an IPv6 cluster: AWS has no managed policy for it. */
export const CNI_IPV6_ACTIONS: readonly string[] = [
  'ec2:AssignIpv6Addresses', 'ec2:DescribeInstances', 'ec2:DescribeTags', 'ec2:DescribeNetworkInterfaces', 'ec2:DescribeInstanceTypes',
];

/** Principals that may be instances of a region; where it is not known, `urlSuffix` stands for what will turn out. */
export function ec2Principals(region: string | undefined, urlSuffix: string): readonly string[] {
  return region === undefined ? [`ec2.${urlSuffix}`] : partitionOfRegion(region).ec2Principals;
}
