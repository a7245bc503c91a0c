import { Command, InvalidArgumentError, Option } from 'commander';
import {
  compareKarpenterVersions, isKnownKarpenterVersion, KindSchema, NEWEST_KARPENTER_VERSION, OLDEST_KARPENTER_VERSION, SCHEDULER_CONFIG_SINCE,
} from '../contract';
import type { CheckOptions } from '../validation';
import { Io, UsageError } from './io';
import { addKarpenterOptions, KarpenterFlags, karpenterOptions } from './karpenter-flags';
import { lazy } from './lazy';
import { readSchedulerConfigFile } from './scheduler-config-file';
import { readSettings } from './settings-file';
import { readFilesIn, readSourceFiles, STDIN } from './source-files';

/** As commander hands them over. */
export interface SharedFlags extends KarpenterFlags {
  readonly region?: string;
  readonly zones?: readonly string[];
  readonly karpenterVersion?: string;
  readonly crds?: string;
  readonly spotPriceRatio?: number;
  readonly settings?: string;
  readonly cluster?: readonly string[];
  readonly output?: string;
}

const DEFAULT_REGION = 'us-east-1';
const REGION = /^[a-z]{2,4}(-[a-z]+){1,3}-\d{1,2}$/;
const ZONE_WITH_ID = /^[^=]+=[a-z]+\d+-(?:[a-z0-9]+-)*(?:az|wlz)\d+$/;
const AVAILABILITY_ZONE = /^(.+-\d{1,2})[a-z]$/;
/** What follows the region: a letter, or the name of a Local or Wavelength Zone. */
const ZONE_SUFFIX = /^([a-z]|(-[a-z0-9]+)+)$/;

const VERSION = `version of Karpenter, from ${OLDEST_KARPENTER_VERSION} to ${NEWEST_KARPENTER_VERSION}, whose fields and rules hold (default: the newest)`;

export function addSharedOptions(command: Command): Command {
  command
    .addOption(new Option('--region <region>', `AWS region (default: the one that --cluster is in, or of --zones, or of the zones that the manifests name, or ${DEFAULT_REGION})`).argParser(parseRegion))
    .addOption(new Option('--zones <zones>', 'zones that the subnets are in, as in eu-west-1a,eu-west-1b (default: a, b and c of the region, and those that the manifests name); with their ids, where anything asks for these: eu-west-1a=euw1-az3').argParser(parseZones))
    .addOption(new Option('--karpenter-version <version>', VERSION).argParser(parseVersion))
    .option('--crds <path>', 'folder or file of the CRDs that the cluster has, whose fields and rules hold instead of those of the version')
    .addOption(new Option('--spot-price-ratio <ratio>', 'price of spot as a share of on-demand (default: 0.4)').argParser(parseRatio))
    .option('--settings <file>', 'Helm values of Karpenter: its settings and feature gates are taken from there')
    .addOption(new Option('--cluster <path>', 'how the cluster is, as kubectl get … -A -o yaml prints it: nodes, pods and the like; a file, a folder, or -; may be given again').argParser(collect))
    .option('--output <file>', 'write the result to a file');
  return addKarpenterOptions(command);
}

/** @throws UsageError where flags contradict each other, or the settings file cannot be used. */
export function checkOptions(flags: SharedFlags, warn: (text: string) => void): CheckOptions {
  const { karpenterVersion, spotPriceRatio } = flags;
  const zones = flags.zones?.map((zone) => zone.split('=')[0]);
  const zoneIds = Object.fromEntries((flags.zones ?? []).filter((zone) => zone.includes('=')).map((zone) => zone.split('=')));
  // Where nothing is said of it, neither here nor in the input, it is only supposed, and nothing is refused for it.
  const region = flags.region ?? (flags.cluster === undefined ? regionOf(zones) : undefined);
  const place = region ?? (flags.cluster === undefined ? DEFAULT_REGION : undefined);
  const foreign = place === undefined ? undefined : zones?.find((zone) => !zone.startsWith(place) || !ZONE_SUFFIX.test(zone.slice(place.length)));
  if (foreign !== undefined) throw new UsageError(`--zones: a zone that is not in ${place}, got ${quoted(foreign)}; ${zoneRemedy(foreign, place!)}`);
  const settings = flags.settings === undefined ? {} : readSettings(flags.settings, warn);
  const given = karpenterOptions(flags);
  const featureGates = { ...settings.featureGates, ...given.featureGates };
  const schedulerConfig = flags.schedulerConfig === undefined ? settings.schedulerConfig : readSchedulerConfigFile(flags.schedulerConfig);
  if (schedulerConfig && karpenterVersion !== undefined && compareKarpenterVersions(karpenterVersion, SCHEDULER_CONFIG_SINCE) < 0) {
    throw new UsageError(`--scheduler-config: Karpenter ${karpenterVersion} has no such flag; remove it, or write --karpenter-version ${SCHEDULER_CONFIG_SINCE}`);
  }
  const crds = flags.crds === undefined ? undefined : crdsIn(flags.crds);
  return { region, zones, zoneIds, karpenterVersion, crds, spotPriceRatio, ...settings, ...given, featureGates, schedulerConfig };
}

/** The one that all of the zones are in. Local and Wavelength Zones do not tell by their names alone. */
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

/** Beside what `checkOptions` gives: the files of --cluster. */
export async function clusterOptions({ cluster }: SharedFlags, paths: readonly string[], io: Io): Promise<Pick<CheckOptions, 'cluster'>> {
  if (cluster === undefined) return {};
  if (cluster.includes(STDIN) && paths.includes(STDIN)) throw new UsageError('--cluster: standard input holds the manifests already, got "-"; name a file');
  return { cluster: await readSourceFiles(cluster, io) };
}

function collect(path: string, earlier: readonly string[] = []): string[] {
  return [...earlier, path];
}

function zoneRemedy(zone: string, region: string): string {
  if (/^[a-z]$/.test(zone)) return `write ${region}${zone}`;
  const other = AVAILABILITY_ZONE.exec(zone)?.[1];
  return other && REGION.test(other) ? `write --region ${other}, or zones such as ${region}a` : `write zones such as ${region}a`;
}

function parseRegion(text: string): string {
  if (REGION.test(text)) return text;
  const zone = AVAILABILITY_ZONE.exec(text)?.[1];
  throw new InvalidArgumentError(`not a region, got ${quoted(text)}; write ${zone ?? 'for example eu-west-1'}`);
}

function parseZones(text: string): string[] {
  const zones = text.split(',').map((zone) => zone.trim()).filter((zone) => zone !== '');
  if (zones.length === 0) throw new InvalidArgumentError(`no zone, got ${quoted(text)}; write for example us-east-1a,us-east-1b`);
  const wrong = zones.find((zone) => zone.includes('=') && !ZONE_WITH_ID.test(zone));
  if (wrong !== undefined) throw new InvalidArgumentError(`not a zone and its id, got ${quoted(wrong)}; write for example us-east-1a=use1-az1`);
  return [...new Set(zones)];
}

function parseVersion(text: string): string {
  if (isKnownKarpenterVersion(text)) return text;
  throw new InvalidArgumentError(`not a known version, got ${quoted(text)}; write one from ${OLDEST_KARPENTER_VERSION} to ${NEWEST_KARPENTER_VERSION}`);
}

function parseRatio(text: string): number {
  const ratio = Number(text);
  if (text.trim() !== '' && Number.isFinite(ratio) && ratio > 0) return ratio;
  throw new InvalidArgumentError(`not a positive number, got ${quoted(text)}; write for example 0.4`);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
