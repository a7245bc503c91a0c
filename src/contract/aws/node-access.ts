import { compareKarpenterVersions } from '../karpenter-version';
import { partitionOfRegion } from './regions';

/**
 * Names of the AWS managed policies of a node role. Nodes need them to join the cluster, to get IP addresses, to pull
 * images, and to be reachable through Session Manager.
 *
 * @see https://karpenter.sh/docs/reference/cloudformation/#node-authorization
 */
export function nodePolicyNames(karpenterVersion: string): string[] {
  const registry =
    compareKarpenterVersions(karpenterVersion, '1.4.0') < 0
      ? 'AmazonEC2ContainerRegistryReadOnly'
      : 'AmazonEC2ContainerRegistryPullOnly';
  return ['AmazonEKS_CNI_Policy', 'AmazonEKSWorkerNodePolicy', registry, 'AmazonSSMManagedInstanceCore'];
}

/** Actions that the VPC CNI needs in an IPv6 cluster. AWS has no managed policy for them. */
export const CNI_IPV6_ACTIONS: readonly string[] = [
  'ec2:AssignIpv6Addresses',
  'ec2:DescribeInstances',
  'ec2:DescribeTags',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeInstanceTypes',
];

/**
 * Service principals of EC2 that may assume a node role.
 *
 * @param region undefined if it is not known at synth; the principal is then built from `urlSuffix`
 */
export function ec2Principals(region: string | undefined, urlSuffix: string): readonly string[] {
  return region === undefined ? [`ec2.${urlSuffix}`] : partitionOfRegion(region).ec2Principals;
}

/** Types of EKS access entries for nodes. */
export type NodeAccessEntryType = 'EC2_LINUX' | 'EC2_WINDOWS' | 'EC2';

/** Kubernetes groups of nodes in the aws-auth ConfigMap. */
export const NODE_GROUPS: readonly string[] = ['system:bootstrappers', 'system:nodes'];

/** The additional group of Windows nodes in the aws-auth ConfigMap. */
export const WINDOWS_NODE_GROUP = 'eks:kube-proxy-windows';

/**
 * Kubernetes group of the teams that may edit NodePools. EKS allows no group that begins with `system:` or `eks:`.
 */
export const NODE_POOL_EDITORS = 'karpenter:nodepool-editors';

/** Username of nodes in the aws-auth ConfigMap. */
export const NODE_USERNAME = 'system:node:{{EC2PrivateDNSName}}';

/**
 * The access entry type for nodes of an AMI family. With the type STANDARD, or without an entry, instances start but
 * never join the cluster.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/creating-access-entries.html
 */
export function accessEntryTypeOf(amiFamily: string): NodeAccessEntryType {
  return amiFamily.startsWith('Windows') ? 'EC2_WINDOWS' : 'EC2_LINUX';
}
