import { Command, Option } from 'commander';
import type { CheckOptions } from '../../validation';
import { Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { choiceOption, quoted } from './choice-option';
import { writeStackTrace } from './debug-option';
import { addKarpenterOptions, KarpenterFlags, karpenterOptions } from './karpenter-options';
import { readSchedulerConfigFile } from './scheduler-config-file';
import { readSettings } from './settings-file';
import type { RegionCatalog, FamilyDiscount } from '../../catalog';
import {
  compareKarpenterVersions,
  isKnownKarpenterVersion,
  isSubdomain,
  KindSchema,
  NEWEST_KARPENTER_VERSION,
  OLDEST_KARPENTER_VERSION,
  SCHEDULER_CONFIG_SINCE,
} from '../../contract';
import { readFilesIn, readSourceFiles, STDIN } from '../input/source-files';
import { writeErrorLine } from '../output/output';

/** The options of most commands, as commander parses them. */
export interface SharedFlags extends KarpenterFlags {
  readonly region?: string;
  readonly zones?: readonly string[];
  readonly karpenterVersion?: string;
  readonly crds?: string;
  readonly spotPriceRatio?: number;
  readonly catalog?: readonly CatalogFlag[];
  readonly pricesFrom?: string;
  readonly discount?: readonly FamilyDiscount[];
  readonly settings?: string;
  readonly cluster?: readonly string[];
  readonly systemDaemonsets?: 'eks' | 'none';
  readonly storageClasses?: readonly string[];
  readonly priorityClasses?: readonly string[];
  readonly output?: string;
  readonly debug?: boolean;
}

/** A catalogue that is read, and the file that it is from. */
export interface CatalogFlag {
  readonly file: string;
  readonly catalog: RegionCatalog;
}

const DEFAULT_REGION = 'us-east-1';
const REGION = /^[a-z]{2,4}(-[a-z]+){1,3}-\d{1,2}$/;
const ZONE_WITH_ID = /^[^=]+=[a-z]+\d+-(?:[a-z0-9]+-)*(?:az|wlz)\d+$/;
const AVAILABILITY_ZONE = /^(.+-\d{1,2})[a-z]$/;
/** The part of a zone name after the region: a letter, or the name of a Local or Wavelength Zone. */
const ZONE_SUFFIX = /^([a-z]|(-[a-z0-9]+)+)$/;

const VERSION = `Karpenter version, from ${OLDEST_KARPENTER_VERSION} to ${NEWEST_KARPENTER_VERSION}; decides which fields and rules apply (default: the newest)`;

export function addSharedOptions(command: Command): Command {
  command
    .addOption(
      new Option(
        '--region <region>',
        `AWS region (default: the region of --cluster, of --zones, of --catalog, or of the zones named in the manifests, otherwise ${DEFAULT_REGION})`,
      ).argParser((text) => parseRegion(text)),
    )
    .addOption(
      new Option(
        '--zones <zones>',
        'zones of the subnets, for example eu-west-1a,eu-west-1b, or with zone IDs eu-west-1a=euw1-az3 (default: the first three zones of the region, and the zones named in the manifests)',
      ).argParser(parseZones),
    )
    .addOption(new Option('--karpenter-version <version>', VERSION).argParser(parseVersion))
    .option(
      '--crds <path>',
      'folder or file with the CRDs of the cluster, used instead of the CRDs of --karpenter-version',
    )
    .addOption(
      new Option(
        '--spot-price-ratio <ratio>',
        'spot price as a share of the on-demand price, the same for all instance types (default: the recorded spot prices of the region)',
      ).argParser(parseRatio),
    )
    .addOption(
      new Option(
        '--catalog <file>',
        'instance types, zones and prices of your account, or published prices, as written by catalog update; one file for each region, can be repeated (default: the data of this package)',
      ).argParser(readCatalog),
    )
    .addOption(
      new Option(
        '--prices-from <region>',
        'region whose prices are used if none are known for the region of the cluster (default: the cost is not evaluated)',
      ).argParser(parsePricesFrom),
    )
    .addOption(
      new Option(
        '--discount <discount>',
        'what is not charged of the on-demand price of a family, as with Savings Plans, for example family=m7g:0.28, or family=*:0.1 for all others; can be repeated; Karpenter does not know it',
      ).argParser(parseDiscount),
    )
    .option('--settings <file>', "Karpenter's Helm values: settings and feature gates are read from them")
    .addOption(
      new Option(
        '--cluster <path>',
        'state of the cluster, as printed by kubectl get … -A -o yaml (see the examples): a file, a folder, or -; can be repeated',
      ).argParser(collect),
    )
    .addOption(
      choiceOption(
        '--system-daemonsets <which>',
        'eks: nodes run the DaemonSets of EKS that the input lacks, such as aws-node and kube-proxy; none: they do not (default: eks)',
        ['eks', 'none'],
      ),
    )
    .addOption(
      new Option(
        '--storage-classes <names>',
        'StorageClasses of the cluster that the input lacks, for example gp3: volumes of the EBS CSI driver, created where the pod first runs',
      ).argParser(parseNames('--storage-classes', 'gp3')),
    )
    .addOption(
      new Option(
        '--priority-classes <names>',
        'PriorityClasses of the cluster that the input lacks, for example high,low',
      ).argParser(parseNames('--priority-classes', 'high')),
    )
    .option('--quiet', 'show no progress on standard error')
    .option('--output <file>', 'write the result to a file instead of standard output');
  return addKarpenterOptions(command);
}

/** @throws UsageError if options contradict each other, or the settings file is invalid */
export function checkOptionsFromFlags(flags: SharedFlags, io: Pick<Io, 'writeError'>): CheckOptions {
  const { karpenterVersion, spotPriceRatio, pricesFrom } = flags;
  const catalogs = flags.catalog?.map(({ catalog }) => catalog);
  const family = flags.discount && lazy.validation.unknownFamily(flags.discount, catalogs);
  if (family !== undefined)
    throw new UsageError(
      `--discount: no instance type has the family ${quoted(family)}; write for example family=m7g:0.28`,
    );
  const zones = flags.zones?.map((zone) => zone.split('=')[0]);
  const zoneIds = Object.fromEntries(
    (flags.zones ?? []).filter((zone) => zone.includes('=')).map((zone) => zone.split('=')),
  );
  // The default region is only a guess, so it must not be passed on: manifests may name zones of another region.
  const region = flags.region ?? (flags.cluster === undefined ? regionOf(zones) : undefined);
  const place = region ?? (flags.cluster === undefined ? (onlyRegionOf(catalogs) ?? DEFAULT_REGION) : undefined);
  const foreign =
    place === undefined
      ? undefined
      : zones?.find((zone) => !zone.startsWith(place) || !ZONE_SUFFIX.test(zone.slice(place.length)));
  if (foreign !== undefined)
    throw new UsageError(`--zones: ${quoted(foreign)} is not in the region ${place}; ${zoneRemedy(foreign, place!)}`);
  const settings =
    flags.settings === undefined ? {} : readSettings(flags.settings, (warning) => writeErrorLine(io, warning));
  const given = karpenterOptions(flags);
  const featureGates = { ...settings.featureGates, ...given.featureGates };
  const schedulerConfig =
    flags.schedulerConfig === undefined ? settings.schedulerConfig : readSchedulerConfigFile(flags.schedulerConfig);
  if (
    schedulerConfig &&
    karpenterVersion !== undefined &&
    compareKarpenterVersions(karpenterVersion, SCHEDULER_CONFIG_SINCE) < 0
  ) {
    throw new UsageError(
      `--scheduler-config: Karpenter ${karpenterVersion} does not have this flag; remove it, or write --karpenter-version ${SCHEDULER_CONFIG_SINCE}`,
    );
  }
  const crds = flags.crds === undefined ? undefined : crdsIn(flags.crds);
  const prices = { spotPriceRatio, pricesFrom, catalogs, discounts: flags.discount };
  return {
    region,
    zones,
    zoneIds,
    karpenterVersion,
    convertLegacy: (objects) => lazy.conversion.v1ObjectsOf(objects),
    systemDaemonSets: flags.systemDaemonsets ?? 'eks',
    storageClasses: flags.storageClasses,
    priorityClasses: flags.priorityClasses,
    crds,
    ...prices,
    ...settings,
    ...given,
    featureGates,
    schedulerConfig,
    ...(flags.debug ? { onInternalError: (error) => writeStackTrace(error, io) } : {}),
  };
}

/** The common region of all zones. The names of Local and Wavelength Zones alone do not determine it. */
function regionOf(zones: readonly string[] | undefined): string | undefined {
  const regions = new Set(zones?.map((zone) => AVAILABILITY_ZONE.exec(zone)?.[1] ?? ''));
  const [region = ''] = regions;
  return regions.size === 1 && REGION.test(region) ? region : undefined;
}

function crdsIn(folder: string): KindSchema[] {
  try {
    return lazy.validation.readCrds(readFilesIn(folder));
  } catch (error) {
    throw new UsageError(`--crds: ${(error as Error).message}`);
  }
}

/** Reads the files of `--cluster`. */
export async function clusterOptions(
  { cluster }: SharedFlags,
  paths: readonly string[],
  io: Io,
): Promise<Pick<CheckOptions, 'cluster'>> {
  if (cluster === undefined) return {};
  if (cluster.includes(STDIN) && paths.includes(STDIN))
    throw new UsageError('--cluster: standard input already contains the manifests; name a file');
  return { cluster: await readSourceFiles(cluster, io) };
}

/** Names of objects, separated by commas. */
function parseNames(option: string, example: string): (text: string) => string[] {
  return (text) => {
    const names = text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const wrong = names.find((name) => !isSubdomain(name));
    if (names.length > 0 && wrong === undefined) return names;
    throw new UsageError(
      `${option}: ${quoted(wrong ?? text)} is not the name of an object; write for example ${example}`,
    );
  };
}

function collect(path: string, earlier: readonly string[] = []): string[] {
  return [...earlier, path];
}

function onlyRegionOf(catalogs: readonly RegionCatalog[] = []): string | undefined {
  return catalogs.length === 1 ? catalogs[0].region : undefined;
}

function readCatalog(file: string, earlier: readonly CatalogFlag[] = []): CatalogFlag[] {
  const catalog = lazy.catalog.readRegionCatalog(file);
  if (earlier.some(({ catalog: { region } }) => region === catalog.region))
    throw new UsageError(
      `--catalog: ${quoted(file)} is the second catalogue of ${catalog.region}; name one for each region`,
    );
  return [...earlier, { file, catalog }];
}

function zoneRemedy(zone: string, region: string): string {
  if (/^[a-z]$/.test(zone)) return `write ${region}${zone}`;
  const zoneRegion = AVAILABILITY_ZONE.exec(zone)?.[1];
  return zoneRegion && REGION.test(zoneRegion)
    ? `write --region ${zoneRegion}, or zones such as ${region}a`
    : `write zones such as ${region}a`;
}

export function parseRegion(text: string, option = '--region'): string {
  const { isRegion, nearestRegion } = lazy.catalog;
  if (isRegion(text)) return text;
  const region = AVAILABILITY_ZONE.exec(text)?.[1];
  if (region !== undefined && isRegion(region))
    throw new UsageError(`${option}: ${quoted(text)} is a zone, not a region; write ${region}`);
  const nearest = nearestRegion(region ?? text);
  throw new UsageError(
    `${option}: ${quoted(text)} is not an AWS region; ${nearest === undefined ? 'write for example eu-west-1' : `did you mean ${nearest}?`}`,
  );
}

/** Several regions, separated by commas. */
export function parseRegions(text: string): string[] {
  const regions = [
    ...new Set(
      text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
        .map((name) => parseRegion(name, '--compare-regions')),
    ),
  ];
  if (regions.length >= 2) return regions;
  throw new UsageError(
    `--compare-regions: ${quoted(text)} names fewer than two regions; write for example eu-west-1,eu-central-1`,
  );
}

function parsePricesFrom(text: string): string {
  const region = parseRegion(text, '--prices-from');
  if (lazy.catalog.hasPrices(region)) return region;
  throw new UsageError(
    `--prices-from: no prices are known for ${region}; write a region with prices, for example ap-southeast-1`,
  );
}

function parseZones(text: string): string[] {
  const zones = text
    .split(',')
    .map((zone) => zone.trim())
    .filter((zone) => zone !== '');
  if (zones.length === 0)
    throw new UsageError(`--zones: ${quoted(text)} names no zone; write for example us-east-1a,us-east-1b`);
  const invalid = zones.find((zone) => zone.includes('=') && !ZONE_WITH_ID.test(zone));
  if (invalid !== undefined)
    throw new UsageError(
      `--zones: ${quoted(invalid)} is not a zone with its zone ID; write for example us-east-1a=use1-az1`,
    );
  // A zone with its zone ID is known to exist in the account.
  for (const zone of zones) if (!zone.includes('=') && AVAILABILITY_ZONE.test(zone)) requireZone(zone);
  return [...new Set(zones)];
}

/** @throws UsageError if no region has the zone */
function requireZone(zone: string): void {
  const unknown = lazy.catalog.unknownZone(zone);
  if (unknown === undefined) return;
  const { nearest, zones } = unknown;
  if (zones !== undefined)
    throw new UsageError(`--zones: ${quoted(zone)} does not exist; the region has ${zones.join(', ')}`);
  throw new UsageError(
    `--zones: ${quoted(zone)} is in no AWS region; ${nearest === undefined ? 'write for example us-east-1a' : `did you mean ${nearest}?`}`,
  );
}

function parseVersion(text: string): string {
  if (isKnownKarpenterVersion(text)) return text;
  throw new UsageError(
    `--karpenter-version: unsupported version ${quoted(text)}; write a version from ${OLDEST_KARPENTER_VERSION} to ${NEWEST_KARPENTER_VERSION}`,
  );
}

function parseDiscount(text: string, earlier: readonly FamilyDiscount[] = []): FamilyDiscount[] {
  const [, family, share] = /^family=([a-z0-9-]+|\*):(0?\.\d+)$/.exec(text) ?? [];
  if (family === undefined || Number(share) === 0)
    throw new UsageError(
      `--discount: ${quoted(text)} is not a family and a share; write ${meantDiscount(text) ?? 'for example family=m7g:0.28'}`,
    );
  const before = earlier.find((discount) => discount.family === family);
  if (before !== undefined && before.share !== Number(share))
    throw new UsageError(`--discount: ${family} has two shares, ${before.share} and ${Number(share)}; write one`);
  return [...earlier.filter((discount) => discount !== before), { family, share: Number(share) }];
}

/** The discount that is meant by a percentage, the name of an instance type, or capital letters. */
function meantDiscount(text: string): string | undefined {
  const pattern = /^(?:family=)?([a-z][a-z0-9-]*|\*)(?:\.[a-z0-9-]+)?:(\d*[.,]?\d+)(%?)$/i;
  const [, family = '', number = '', percent] = pattern.exec(text) ?? [];
  const amount = Number(number.replace(',', '.'));
  const share = percent === '%' || amount >= 2 ? amount / 100 : amount;
  return share > 0 && share < 1 ? `family=${family.toLowerCase()}:${Number(share.toFixed(6))}` : undefined;
}

function parseRatio(text: string): number {
  const ratio = Number(text);
  if (text.trim() !== '' && Number.isFinite(ratio) && ratio > 0) return ratio;
  throw new UsageError(`--spot-price-ratio: ${quoted(text)} is not a positive number; write for example 0.4`);
}
