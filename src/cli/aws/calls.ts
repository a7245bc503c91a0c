import { Sdk } from './sdk';
import {
  currencyOf,
  DescribedOffering,
  DescribedSpotPrice,
  DescribedZone,
  describedFacts,
  InstanceTypeFacts,
  priceListRegion,
  ProductPrice,
  productPrice,
} from '../../catalog';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Absent on the last page. */
  readonly nextToken?: string;
}

/** An operation of AWS that is read page by page. */
export interface Call<Item> {
  /** Part of the name of the file with its pages. */
  readonly name: string;
  /** As in a policy, for example `ec2:DescribeInstanceTypes`. */
  readonly action: string;
  /** What its items are, in the plural. */
  readonly noun: string;
  /** The region of the endpoint. */
  readonly endpoint: string;
  readonly page: (token: string | undefined, abortSignal: AbortSignal) => Promise<Page<Item>>;
}

/** All calls for one region, in the order in which they are made. */
export interface RegionCalls {
  readonly zones: Call<DescribedZone>;
  readonly types: Call<InstanceTypeFacts>;
  readonly offerings: Call<DescribedOffering>;
  readonly offeringsById: Call<DescribedOffering>;
  readonly spotPrices: Call<DescribedSpotPrice>;
  /** Empty for a region without a price list. */
  readonly products: ReadonlyArray<Call<ProductPrice>>;
}

export interface ConnectionOptions {
  /** @default - as the SDK has it: environment variables, the default profile, and so on */
  readonly profile?: string;
}

/** Pages have the most items that EC2 and the price list allow. */
const PAGE_SIZE = { types: 100, offerings: 1000, spotPrices: 1000, products: 100 };
/** The default of the SDK is three attempts, too few for hundreds of pages in an account that others use, too. */
const MAX_ATTEMPTS = 8;
const TIMEOUTS = { connectionTimeout: 10_000, requestTimeout: 60_000 };

/** Karpenter's own filters. */
const TYPE_FILTERS = [
  { Name: 'supported-virtualization-type', Values: ['hvm'] },
  { Name: 'processor-info.supported-architecture', Values: ['x86_64', 'arm64'] },
];
const PRODUCT_FILTERS = {
  serviceCode: 'AmazonEC2',
  preInstalledSw: 'NA',
  operatingSystem: 'Linux',
  capacitystatus: 'Used',
  marketoption: 'OnDemand',
};
/** Karpenter asks for bare metal at dedicated tenancy, although it launches it at shared tenancy. */
const PRODUCT_FAMILIES = [
  { name: 'prices', noun: 'on-demand prices', tenancy: 'Shared', productFamily: 'Compute Instance' },
  {
    name: 'metal-prices',
    noun: 'on-demand prices of bare metal',
    tenancy: 'Dedicated',
    productFamily: 'Compute Instance (bare metal)',
  },
];

/** The same calls as Karpenter's, and the offerings by zone id. */
export function regionCalls(sdk: Sdk, region: string, { profile }: ConnectionOptions): RegionCalls {
  const {
    DescribeAvailabilityZonesCommand,
    DescribeInstanceTypesCommand,
    DescribeInstanceTypeOfferingsCommand,
    DescribeSpotPriceHistoryCommand,
  } = sdk.ec2;
  const ec2 = new sdk.ec2.EC2Client(clientOptions(region, profile));
  const offerings = (
    name: string,
    locationType: 'availability-zone' | 'availability-zone-id',
    noun: string,
  ): Call<DescribedOffering> => ({
    name,
    action: 'ec2:DescribeInstanceTypeOfferings',
    noun,
    endpoint: region,
    page: async (NextToken, abortSignal) => {
      const input = { LocationType: locationType, MaxResults: PAGE_SIZE.offerings, NextToken };
      const answer = await ec2.send(new DescribeInstanceTypeOfferingsCommand(input), { abortSignal });
      return page(
        answer.InstanceTypeOfferings?.map(({ InstanceType, Location }) => ({ InstanceType, Location })),
        answer.NextToken,
      );
    },
  });
  return {
    zones: {
      name: 'zones',
      action: 'ec2:DescribeAvailabilityZones',
      noun: 'zones',
      endpoint: region,
      page: async (_, abortSignal) => {
        const { AvailabilityZones: zones } = await ec2.send(new DescribeAvailabilityZonesCommand({}), { abortSignal });
        return page(
          zones?.map(({ ZoneName, ZoneId, ZoneType }) => ({ ZoneName, ZoneId, ZoneType })),
          undefined,
        );
      },
    },
    types: {
      name: 'instance-types',
      action: 'ec2:DescribeInstanceTypes',
      noun: 'instance types',
      endpoint: region,
      page: async (NextToken, abortSignal) => {
        const input = { Filters: TYPE_FILTERS, MaxResults: PAGE_SIZE.types, NextToken };
        const answer = await ec2.send(new DescribeInstanceTypesCommand(input), { abortSignal });
        return page(
          answer.InstanceTypes?.flatMap((type) => describedFacts(type) ?? []),
          answer.NextToken,
        );
      },
    },
    offerings: offerings('offerings', 'availability-zone', 'offerings by zone'),
    offeringsById: offerings('offerings-by-id', 'availability-zone-id', 'offerings by zone ID'),
    spotPrices: {
      name: 'spot-prices',
      action: 'ec2:DescribeSpotPriceHistory',
      noun: 'spot prices',
      endpoint: region,
      page: async (NextToken, abortSignal) => {
        // From now on: the history then has only the current price of each type and zone.
        const input = {
          ProductDescriptions: ['Linux/UNIX', 'Linux/UNIX (Amazon VPC)'],
          StartTime: new Date(),
          MaxResults: PAGE_SIZE.spotPrices,
          NextToken,
        };
        const answer = await ec2.send(new DescribeSpotPriceHistoryCommand(input), { abortSignal });
        return page(
          answer.SpotPriceHistory?.map(({ InstanceType, AvailabilityZone, SpotPrice, Timestamp }) => ({
            InstanceType,
            AvailabilityZone,
            SpotPrice,
            Timestamp,
          })),
          answer.NextToken,
        );
      },
    },
    products: productCalls(sdk, region, profile),
  };
}

function productCalls({ pricing }: Sdk, region: string, profile: string | undefined): Array<Call<ProductPrice>> {
  const { GetProductsCommand, PricingClient } = pricing;
  const endpoint = priceListRegion(region);
  if (endpoint === undefined) return [];
  const client = new PricingClient(clientOptions(endpoint, profile));
  const currency = currencyOf(region);
  return PRODUCT_FAMILIES.map(({ name, noun, ...family }) => {
    const filters = Object.entries({ ...PRODUCT_FILTERS, ...family, regionCode: region }).map(([Field, Value]) => ({
      Type: 'TERM_MATCH' as const,
      Field,
      Value,
    }));
    return {
      name,
      action: 'pricing:GetProducts',
      noun,
      endpoint,
      page: async (NextToken, abortSignal) => {
        const input = {
          ServiceCode: PRODUCT_FILTERS.serviceCode,
          Filters: filters,
          MaxResults: PAGE_SIZE.products,
          NextToken,
        };
        const answer = await client.send(new GetProductsCommand(input), { abortSignal });
        return page(
          answer.PriceList?.flatMap((product: unknown) => productPrice(String(product), currency) ?? []),
          answer.NextToken,
        );
      },
    };
  });
}

function page<Item>(items: readonly Item[] = [], nextToken: string | undefined): Page<Item> {
  return nextToken === undefined || nextToken === '' ? { items } : { items, nextToken };
}

function clientOptions(region: string, profile: string | undefined) {
  // An own setting of the user wins.
  const maxAttempts = process.env.AWS_MAX_ATTEMPTS === undefined ? { maxAttempts: MAX_ATTEMPTS } : {};
  return { region, requestHandler: TIMEOUTS, ...maxAttempts, ...(profile === undefined ? {} : { profile }) };
}
