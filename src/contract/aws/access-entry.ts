/** Types of EKS access entries under which nodes join. */
export type NodeAccessEntryType = 'EC2_LINUX' | 'EC2_WINDOWS' | 'EC2';

/** Groups of Kubernetes that nodes join by a mapping in aws-auth. */
export const NODE_GROUPS: readonly string[] = ['system:bootstrappers', 'system:nodes'];

/** The group more that Windows nodes need there. */
export const WINDOWS_NODE_GROUP = 'eks:kube-proxy-windows';

/** Username of nodes in aws-auth. */
export const NODE_USERNAME = 'system:node:{{EC2PrivateDNSName}}';

/**
 * The type that nodes of an AMI family need: with STANDARD, or none, instances start and never join.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/creating-access-entries.html
 */
export function accessEntryTypeOf(amiFamily: string): NodeAccessEntryType {
  return amiFamily.startsWith('Windows') ? 'EC2_WINDOWS' : 'EC2_LINUX';
}
