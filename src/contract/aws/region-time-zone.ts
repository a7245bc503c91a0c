/**
 * The time that people go by where a region is.
 *
 * Source: the places of the regions at https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-regions.html
 */
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

/** As the IANA names it; undefined for a region that is not known here. */
export function timeZoneOfRegion(region: string): string | undefined {
  return Object.hasOwn(TIME_ZONES, region) ? TIME_ZONES[region] : undefined;
}
