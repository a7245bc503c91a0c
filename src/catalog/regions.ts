import { regionFile } from './region-file';
import { nearestName, nearestNames } from '../model';

/**
 * All regions of AWS, in code point order.
 *
 * @see https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-regions.html
 */
export const REGIONS: readonly string[] = [
  'af-south-1',
  'ap-east-1',
  'ap-east-2',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-northeast-3',
  'ap-south-1',
  'ap-south-2',
  'ap-southeast-1',
  'ap-southeast-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ap-southeast-6',
  'ap-southeast-7',
  'ca-central-1',
  'ca-west-1',
  'cn-north-1',
  'cn-northwest-1',
  'eu-central-1',
  'eu-central-2',
  'eu-isoe-west-1',
  'eu-north-1',
  'eu-south-1',
  'eu-south-2',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'eusc-de-east-1',
  'il-central-1',
  'me-central-1',
  'me-south-1',
  'mx-central-1',
  'sa-east-1',
  'us-east-1',
  'us-east-2',
  'us-gov-east-1',
  'us-gov-west-1',
  'us-iso-east-1',
  'us-iso-west-1',
  'us-isob-east-1',
  'us-isob-west-1',
  'us-isof-east-1',
  'us-isof-south-1',
  'us-west-1',
  'us-west-2',
];

/**
 * The name of a zone, a Local Zone or a Wavelength Zone, with its region as the first group and the rest as the second.
 */
const ZONE = /^([a-z]{2,4}(?:-[a-z]+){1,3}-\d{1,2})([a-z]|-.*)$/;
const FIRST_LETTER = 'a'.charCodeAt(0);
/** Some accounts have zone c of us-west-1, although each account has two zones there. */
const MIN_LETTERS = 3;

export function isRegion(name: string): boolean {
  return REGIONS.includes(name);
}

/** Whether prices of the region are known. */
export function hasPrices(region: string): boolean {
  return regionFile(region) !== undefined;
}

/** The region that a misspelt name was likely meant to be. */
export function nearestRegion(name: string): string | undefined {
  return nearestName(name, REGIONS);
}

/** The region that a misspelt name certainly means; undefined if several regions are equally near. */
export function meantRegion(name: string): string | undefined {
  return onlyNearest(name, REGIONS);
}

/** The region of a zone, a Local Zone or a Wavelength Zone, by its name. The region may not exist. */
export function regionOfZone(zone: string): string | undefined {
  return ZONE.exec(zone)?.[1];
}

/** The region of a zone ID such as `use1-az4`: its first part abbreviates the region. */
export function regionOfZoneId(id: string): string | undefined {
  const code = /^([a-z]+\d)-az\d+$/.exec(id)?.[1];
  return code === undefined ? undefined : REGIONS.find((region) => abbreviationOf(region) === code);
}

function abbreviationOf(region: string): string {
  const [area, ...words] = region.split('-');
  return `${area}${words.map((word) => word.replace(/(north|south|east|west|central|gov)/g, (part) => part[0])).join('')}`;
}

/** Whether a zone name has only a letter after its region, unlike those of Local and Wavelength Zones. */
export function isAvailabilityZoneName(zone: string): boolean {
  return ZONE.exec(zone)?.[2].length === 1;
}

/** A zone without a known region, or beyond the last zone of its region. */
export interface UnknownZone {
  readonly zone: string;
  /** The name that was likely meant. Absent if several are equally likely, as all zones of a region are. */
  readonly nearest?: string;
  /** Zones of the region, if the region exists. */
  readonly zones?: readonly string[];
}

/**
 * Undefined if the zone may exist. The letters of a region's zones differ between accounts, so only letters after the
 * last recorded zone are unknown.
 */
export function unknownZone(zone: string): UnknownZone | undefined {
  const [, region, suffix] = ZONE.exec(zone) ?? [];
  if (region === undefined || !isRegion(region)) {
    const near = region === undefined ? onlyNearest(zone, REGIONS.flatMap(zonesOf)) : meantRegion(region);
    return { zone, ...(near === undefined ? {} : { nearest: region === undefined ? near : near + suffix }) };
  }
  if (suffix.length > 1) return undefined;
  const zones = zonesOf(region);
  return zones.length === 0 || suffix <= zones[zones.length - 1].slice(region.length) ? undefined : { zone, zones };
}

/** Undefined if several names are equally near: nothing says which of them was meant. */
function onlyNearest(name: string, candidates: readonly string[]): string | undefined {
  const [nearest, ...others] = nearestNames(name, candidates);
  return others.length === 0 ? nearest : undefined;
}

/** The zones that accounts may have in the region; empty if they are not recorded. */
export function zonesOf(region: string): string[] {
  const { zoneNames = [], zoneIds = [] } = regionFile(region) ?? {};
  const lastRecorded = Math.max(-1, ...zoneNames.map((name) => name.charCodeAt(region.length) - FIRST_LETTER));
  const count = zoneNames.length === 0 ? 0 : Math.max(MIN_LETTERS, zoneIds.length, lastRecorded + 1);
  return Array.from({ length: count }, (_, index) => region + String.fromCharCode(FIRST_LETTER + index));
}
