import { Command, InvalidArgumentError, Option } from 'commander';
import { FEATURE_GATES, FeatureGate, FeatureGates, isFeatureGate } from '../contract';
import type { CheckOptions } from '../validation';

/** As commander hands over Karpenter's own settings; absent where a flag is not given. */
export interface KarpenterFlags {
  readonly preferencePolicy?: 'Respect' | 'Ignore';
  readonly minValuesPolicy?: 'Strict' | 'BestEffort';
  readonly vmMemoryOverheadPercent?: number;
  readonly reservedEnis?: number;
  readonly ignoreDraRequests?: boolean;
  readonly featureGates?: FeatureGates;
  readonly schedulerConfig?: string;
}

const GATES = 'ReservedCapacity, NodeOverlay, StaticCapacity, CapacityBuffer, NodeClassCEL and DRANVIDIAGPU change the verdict, '
  + 'SpotToSpotConsolidation, NodeRepair, TerminateFirstDrift and TerminateFirstRepair scenarios';

/** The flags of Karpenter's controller that change what it does with pods, by their own names and with its own defaults. */
export function addKarpenterOptions(command: Command): Command {
  return command
    .optionsGroup('Karpenter\'s settings, as in its flags (they win over --settings):')
    .addOption(new Option('--preference-policy <policy>', 'Respect: preferences of pods are met as long as that is possible; Ignore: they count for nothing (default: Respect)')
      .choices(['Respect', 'Ignore']))
    .addOption(new Option('--min-values-policy <policy>', 'Strict: no node where minValues cannot be met; BestEffort: minValues are lowered then (default: Strict)')
      .choices(['Strict', 'BestEffort']))
    .addOption(new Option('--vm-memory-overhead-percent <fraction>', 'share of an instance\'s memory that pods never see (default: 0.075, which is 7.5%)').argParser(parseFraction))
    .addOption(new Option('--reserved-enis <count>', 'network interfaces kept from pods, for custom networking (default: 0)').argParser(parseCount))
    .addOption(new Option('--ignore-dra-requests <boolean>', 'whether pods with resource claims are passed over (default: true)').argParser(parseBoolean))
    .addOption(new Option('--feature-gates <gates>', `as in NodeOverlay=true,StaticCapacity=true; ${GATES} (default: all off but ReservedCapacity, which is on from 1.6 on)`).argParser(parseGates))
    .option('--scheduler-config <file>', 'YAML that Karpenter 1.15 and newer is given as its --scheduler-config: the spread of pods that have none of their own');
}

/** Only what was given, so that it can be laid over the settings of a file. */
export function karpenterOptions(flags: KarpenterFlags): CheckOptions {
  const { preferencePolicy, minValuesPolicy, vmMemoryOverheadPercent, reservedEnis: reservedENIs, ignoreDraRequests, featureGates } = flags;
  const options = { preferencePolicy, minValuesPolicy, vmMemoryOverheadPercent, reservedENIs, ignoreDraRequests, featureGates };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function parseFraction(text: string): number {
  const fraction = Number(text);
  if (text.trim() !== '' && fraction >= 0 && fraction < 1) return fraction;
  const remedy = fraction >= 1 && fraction < 100 ? String(fraction / 100) : 'a fraction such as 0.075';
  throw new InvalidArgumentError(`not a fraction from 0 to below 1, got ${JSON.stringify(text)}; write ${remedy}`);
}

function parseCount(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`not a number of network interfaces, got ${JSON.stringify(text)}; write for example 1`);
}

function parseBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError(`neither true nor false, got ${JSON.stringify(text)}; write true or false`);
}

function parseGates(text: string, earlier: FeatureGates = {}): FeatureGates {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '').map(parseGate);
  return { ...earlier, ...Object.fromEntries(pairs) };
}

function parseGate(pair: string): [FeatureGate, boolean] {
  const [name, value] = pair.split('=').map((part) => part.trim());
  if (!isFeatureGate(name)) {
    const same = Object.keys(FEATURE_GATES).find((known) => known.toLowerCase() === name.toLowerCase());
    throw new InvalidArgumentError(`no feature gate of Karpenter, got ${JSON.stringify(name)}; write ${same ?? Object.keys(FEATURE_GATES).join(', ')}`);
  }
  if (value !== 'true' && value !== 'false') throw new InvalidArgumentError(`neither on nor off, got ${JSON.stringify(pair)}; write ${name}=true or ${name}=false`);
  return [name, value === 'true'];
}
