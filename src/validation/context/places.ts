import { CheckContext } from './check-context';
import { DecidedRegion, decidedRegion } from './decided-region';
import {
  accountCatalogOf,
  isRegion,
  meantRegion,
  regionOfZone,
  regionOfZoneId,
  UnknownZone,
  unknownZone,
  zonesOf,
} from '../../catalog';
import { Label, listText, normalizeLabelKey, RequirementSpec } from '../../model';

/** A zone or region in which the cluster can have no node. */
export interface WrongPlace {
  readonly value: string;
  /** What is wrong with it, as a clause after the value. */
  readonly problem: string;
  /** What to write instead. */
  readonly remedy: string;
  /** The place that was likely meant. */
  readonly meant?: string;
  /** Whether the place exists, in another region than the one that is only guessed. */
  readonly isGuess: boolean;
}

/** The values of a requirement on zone or region in which the cluster can have no node. */
export function wrongPlaces(
  context: Pick<CheckContext, 'model' | 'options'>,
  { key, operator, values = [] }: RequirementSpec,
): WrongPlace[] {
  const label = normalizeLabelKey(key);
  if (operator !== 'In' || (label !== Label.ZONE && label !== Label.REGION)) return [];
  const decided = decidedRegion(context.options, context.model);
  return values.flatMap(
    (value) => (label === Label.ZONE ? wrongZone(context, decided, value) : wrongRegion(decided, value)) ?? [],
  );
}

function wrongZone(
  { options }: Pick<CheckContext, 'options'>,
  decided: DecidedRegion,
  zone: string,
): WrongPlace | undefined {
  const region = regionOfZone(zone);
  if (region !== undefined && isRegion(region) && decided.region !== undefined && region !== decided.region) {
    return foreign(zone, `is in ${region}`, decided, zonesText(decided.region));
  }
  const unknown = options.zones?.includes(zone) ? undefined : unknownZoneOf(options, zone, region);
  if (unknown === undefined) return undefined;
  const regionOfId = regionOfZoneId(zone);
  if (regionOfId !== undefined) {
    const remedy = `write names such as ${decided.region ?? regionOfId}a`;
    return { value: zone, problem: 'is a zone ID, not the name of a zone', remedy, isGuess: false };
  }
  const { nearest, zones } = unknown;
  const problem =
    zones !== undefined
      ? `does not exist (${region} has ${listText(zones)})`
      : region === undefined
        ? 'is not the name of a zone'
        : `does not exist (AWS has no region ${region})`;
  return {
    value: zone,
    problem,
    remedy: `write ${nearest ?? (zones === undefined ? zonesText(decided.region ?? (isRegion(zone) ? zone : undefined)) : listText(zones, 'or'))}`,
    meant: nearest,
    isGuess: false,
  };
}

/** Only a catalogue of the account knows which zones the account has. */
function unknownZoneOf(
  { catalogs = [] }: CheckContext['options'],
  zone: string,
  region: string | undefined,
): UnknownZone | undefined {
  const account = accountCatalogOf(catalogs.find((catalog) => catalog.region === region));
  if (account === undefined) return unknownZone(zone);
  const zones = Object.keys(account.zones);
  return zones.includes(zone) ? undefined : { zone, zones, ...unknownZone(zone) };
}

function wrongRegion(decided: DecidedRegion, region: string): WrongPlace | undefined {
  if (!isRegion(region)) {
    const meant = meantRegion(region);
    return {
      value: region,
      problem: 'does not exist',
      remedy: `write ${meant ?? decided.region ?? 'for example eu-west-1'}`,
      meant,
      isGuess: false,
    };
  }
  return decided.region === undefined || region === decided.region
    ? undefined
    : foreign(region, 'is another region', decided, decided.region);
}

function foreign(value: string, problem: string, { region, by }: DecidedRegion, wanted: string): WrongPlace {
  const where =
    by === 'options'
      ? `the cluster is in ${region}`
      : by === 'cluster config'
        ? `the eksctl ClusterConfig puts the cluster in ${region}`
        : `the other manifests are for ${region}`;
  return {
    value,
    problem: `${problem}, and ${where}`,
    remedy: `write ${wanted}`,
    isGuess: by === 'guess' || by === 'manifests',
  };
}

/** 'eu-west-1a, eu-west-1b or eu-west-1c'. */
function zonesText(region: string | undefined): string {
  const zones = region === undefined ? [] : zonesOf(region);
  return zones.length === 0 ? `zones such as ${region ?? 'eu-west-1'}a` : listText(zones, 'or');
}
