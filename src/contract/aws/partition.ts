/** A set of regions with their own accounts, ARNs and endpoints. */
export interface Partition {
  /** As in ARNs, such as `aws-cn`. */
  readonly name: string;
  readonly urlSuffix: string;
  /** Prefixes of the names of its regions. */
  readonly regionPrefixes: readonly string[];
  /** Principals of EC2, under which an instance takes its role. */
  readonly ec2Principals: readonly string[];
  /** Whether the endpoint of AWS's price list can be reached from its regions. */
  readonly hasPriceList: boolean;
}

const EC2_PRINCIPAL = 'ec2.amazonaws.com';

/**
 * Partitions for which Karpenter's policies are written. EC2 in China has two service names, and EC2 chooses the one
 * that a request carries. Policies with only one of them have failed there repeatedly.
 *
 * @see https://github.com/terraform-aws-modules/terraform-aws-eks/issues/3650
 */
export const PARTITIONS: readonly Partition[] = [
  { name: 'aws', urlSuffix: 'amazonaws.com', regionPrefixes: [], ec2Principals: [EC2_PRINCIPAL], hasPriceList: true },
  { name: 'aws-cn', urlSuffix: 'amazonaws.com.cn', regionPrefixes: ['cn-'], ec2Principals: [EC2_PRINCIPAL, `${EC2_PRINCIPAL}.cn`], hasPriceList: true },
  // https://github.com/aws/karpenter-provider-aws/issues/5432
  { name: 'aws-us-gov', urlSuffix: 'amazonaws.com', regionPrefixes: ['us-gov-'], ec2Principals: [EC2_PRINCIPAL], hasPriceList: false },
];

/** The one that a region belongs to; regions that are none of the others' are `aws`. */
export function partitionOfRegion(region: string): Partition {
  return PARTITIONS.find(({ regionPrefixes }) => regionPrefixes.some((prefix) => region.startsWith(prefix))) ?? PARTITIONS[0];
}
