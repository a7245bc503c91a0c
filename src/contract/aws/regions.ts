/**
 * Dummy values that the AWS CDK returns before a context lookup: subnets of `Vpc.fromLookup`, `availabilityZones` of a
 * stack, `StringParameter.valueFromLookup`. They must not cause errors, because an app that throws never reaches the
 * lookup. The next synth has the real value.
 *
 * @see https://docs.aws.amazon.com/cdk/v2/guide/context.html
 */
const DUMMY_VALUES = /(?<![\w-])(?:dummy\d[a-z]|[ps]-(?:12345|67890))(?![\w-])|dummy-value-for-[\w./-]*/g;

export function hasDummyValue(text: string): boolean {
  return replaceDummyValues(text, () => '') !== text;
}

/** Replaces each dummy value in a text. */
export function replaceDummyValues(text: string, replace: (dummyValue: string) => string): string {
  return text.replace(DUMMY_VALUES, replace);
}

/** A set of regions with their own accounts, ARNs and endpoints. */
export interface Partition {
  /** The name in ARNs, such as `aws-cn`. */
  readonly name: string;
  readonly urlSuffix: string;
  /** Prefixes of the names of its regions. */
  readonly regionPrefixes: readonly string[];
  /** Service principals of EC2 that may assume an instance role. */
  readonly ec2Principals: readonly string[];
  /** Whether the AWS Price List API is available in this partition. */
  readonly hasPriceList: boolean;
}

const EC2_PRINCIPAL = 'ec2.amazonaws.com';

/**
 * Partitions that Karpenter's policies support. In China, EC2 has two service principals and chooses the one that a
 * request carries. Policies with only one of them have failed repeatedly.
 *
 * @see https://github.com/terraform-aws-modules/terraform-aws-eks/issues/3650
 */
export const PARTITIONS: readonly Partition[] = [
  { name: 'aws', urlSuffix: 'amazonaws.com', regionPrefixes: [], ec2Principals: [EC2_PRINCIPAL], hasPriceList: true },
  {
    name: 'aws-cn',
    urlSuffix: 'amazonaws.com.cn',
    regionPrefixes: ['cn-'],
    ec2Principals: [EC2_PRINCIPAL, `${EC2_PRINCIPAL}.cn`],
    hasPriceList: true,
  },
  // https://github.com/aws/karpenter-provider-aws/issues/5432
  {
    name: 'aws-us-gov',
    urlSuffix: 'amazonaws.com',
    regionPrefixes: ['us-gov-'],
    ec2Principals: [EC2_PRINCIPAL],
    hasPriceList: false,
  },
];

/** Names of the other partitions, in which this library is not tested, by the prefix of their regions. */
export const UNSUPPORTED_PARTITIONS: Readonly<Record<string, string>> = {
  'us-iso-': 'aws-iso',
  'us-isob-': 'aws-iso-b',
  'us-isof-': 'aws-iso-f',
  'eu-isoe-': 'aws-iso-e',
  'eusc-': 'aws-eusc',
};

/** The region's partition if it is not one of `PARTITIONS`. */
export function unsupportedPartitionOf(region: string): string | undefined {
  const prefix = Object.keys(UNSUPPORTED_PARTITIONS).find((start) => region.startsWith(start));
  return prefix === undefined ? undefined : UNSUPPORTED_PARTITIONS[prefix];
}

/** The partition of a region: `aws` unless the region's prefix belongs to another partition. */
export function partitionOfRegion(region: string): Partition {
  return (
    PARTITIONS.find(({ regionPrefixes }) => regionPrefixes.some((prefix) => region.startsWith(prefix))) ?? PARTITIONS[0]
  );
}

/** Source: locations of regions, https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-regions.html */
const TIME_ZONES: Readonly<Record<string, string>> = {
  'us-east-1': 'America/New_York',
  'us-east-2': 'America/New_York',
  'us-west-1': 'America/Los_Angeles',
  'us-west-2': 'America/Los_Angeles',
  'us-gov-east-1': 'America/New_York',
  'us-gov-west-1': 'America/Los_Angeles',
  'ca-central-1': 'America/Toronto',
  'ca-west-1': 'America/Edmonton',
  'mx-central-1': 'America/Mexico_City',
  'sa-east-1': 'America/Sao_Paulo',
  'eu-west-1': 'Europe/Dublin',
  'eu-west-2': 'Europe/London',
  'eu-west-3': 'Europe/Paris',
  'eu-central-1': 'Europe/Berlin',
  'eu-central-2': 'Europe/Zurich',
  'eu-north-1': 'Europe/Stockholm',
  'eu-south-1': 'Europe/Rome',
  'eu-south-2': 'Europe/Madrid',
  'eusc-de-east-1': 'Europe/Berlin',
  'il-central-1': 'Asia/Jerusalem',
  'me-south-1': 'Asia/Bahrain',
  'me-central-1': 'Asia/Dubai',
  'af-south-1': 'Africa/Johannesburg',
  'ap-south-1': 'Asia/Kolkata',
  'ap-south-2': 'Asia/Kolkata',
  'ap-southeast-1': 'Asia/Singapore',
  'ap-southeast-2': 'Australia/Sydney',
  'ap-southeast-3': 'Asia/Jakarta',
  'ap-southeast-4': 'Australia/Melbourne',
  'ap-southeast-5': 'Asia/Kuala_Lumpur',
  'ap-southeast-6': 'Pacific/Auckland',
  'ap-southeast-7': 'Asia/Bangkok',
  'ap-east-1': 'Asia/Hong_Kong',
  'ap-east-2': 'Asia/Taipei',
  'ap-northeast-1': 'Asia/Tokyo',
  'ap-northeast-2': 'Asia/Seoul',
  'ap-northeast-3': 'Asia/Tokyo',
  'cn-north-1': 'Asia/Shanghai',
  'cn-northwest-1': 'Asia/Shanghai',
};
/** The regions that were known when this release was made. */
export const KNOWN_REGIONS: readonly string[] = Object.keys(TIME_ZONES);

/** The IANA time zone at the location of a region. Undefined for an unknown region. */
export function timeZoneOfRegion(region: string): string | undefined {
  return Object.hasOwn(TIME_ZONES, region) ? TIME_ZONES[region] : undefined;
}
