import { Command, Option } from 'commander';
import { FEATURE_GATES, FeatureGate, FeatureGates, isFeatureGate } from '../../contract';
import type { CheckOptions } from '../../validation';
import { UsageError } from '../io';
import { choiceOption, quoted, suggestion } from './choice-option';
import { valueText } from '../../model';

/** Karpenter's settings as commander parses them. A setting is absent if its flag is not given. */
export interface KarpenterFlags {
  readonly preferencePolicy?: 'Respect' | 'Ignore';
  readonly minValuesPolicy?: 'Strict' | 'BestEffort';
  readonly vmMemoryOverheadPercent?: number;
  readonly reservedEnis?: number;
  readonly ignoreDraRequests?: boolean;
  readonly featureGates?: FeatureGates;
  readonly schedulerConfig?: string;
}

const GATES =
  'ReservedCapacity, NodeOverlay, StaticCapacity, CapacityBuffer, NodeClassCEL and DRANVIDIAGPU change the verdict; ' +
  'SpotToSpotConsolidation, NodeRepair, TerminateFirstDrift and TerminateFirstRepair change scenarios';

/** The flags of Karpenter's controller that change scheduling and disruption, with Karpenter's names and defaults. */
export function addKarpenterOptions(command: Command): Command {
  return command
    .optionsGroup('Karpenter settings, named like its flags (they override --settings):')
    .addOption(
      choiceOption(
        '--preference-policy <policy>',
        'Respect: meet preferences of pods if possible; Ignore: do not (default: Respect)',
        ['Respect', 'Ignore'],
      ),
    )
    .addOption(
      choiceOption(
        '--min-values-policy <policy>',
        'if minValues cannot be met, Strict: launch no node; BestEffort: lower them (default: Strict)',
        ['Strict', 'BestEffort'],
      ),
    )
    .addOption(
      new Option(
        '--vm-memory-overhead-percent <fraction>',
        "share of an instance's memory that the hypervisor uses (default: 0.075, which is 7.5%)",
      ).argParser(parseFraction),
    )
    .addOption(
      new Option(
        '--reserved-enis <count>',
        'network interfaces not available to pods, for custom networking (default: 0)',
      ).argParser(parseCount),
    )
    .addOption(
      new Option(
        '--ignore-dra-requests <boolean>',
        'whether pods with resource claims are ignored (default: true)',
      ).argParser(parseBoolean),
    )
    .addOption(
      new Option(
        '--feature-gates <gates>',
        `for example NodeOverlay=true,StaticCapacity=true; ${GATES} (default: all off, except ReservedCapacity from Karpenter 1.6 on)`,
      ).argParser(parseGates),
    )
    .option(
      '--scheduler-config <file>',
      'YAML file that Karpenter 1.15 and newer takes as --scheduler-config: default topology spread constraints for pods without their own',
    );
}

/** Only the given settings, so that they can override the settings of a file. */
export function karpenterOptions(flags: KarpenterFlags): CheckOptions {
  const {
    preferencePolicy,
    minValuesPolicy,
    vmMemoryOverheadPercent,
    reservedEnis: reservedENIs,
    ignoreDraRequests,
    featureGates,
  } = flags;
  const options = {
    preferencePolicy,
    minValuesPolicy,
    vmMemoryOverheadPercent,
    reservedENIs,
    ignoreDraRequests,
    featureGates,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function parseFraction(text: string): number {
  const fraction = Number(text);
  if (text.trim() !== '' && fraction >= 0 && fraction < 1) return fraction;
  const remedy = fraction >= 1 && fraction < 100 ? valueText(fraction / 100) : 'a fraction such as 0.075';
  throw new UsageError(
    `--vm-memory-overhead-percent: ${quoted(text)} is not a fraction from 0 to below 1; write ${remedy}`,
  );
}

function parseCount(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new UsageError(`--reserved-enis: ${quoted(text)} is not a number of network interfaces; write for example 1`);
}

function parseBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new UsageError(`--ignore-dra-requests: ${quoted(text)} is not a boolean; write true or false`);
}

function parseGates(text: string, earlier: FeatureGates = {}): FeatureGates {
  const pairs = text
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map(parseGate);
  return { ...earlier, ...Object.fromEntries(pairs) };
}

function parseGate(pair: string): [FeatureGate, boolean] {
  const [name, value] = pair.split('=').map((part) => part.trim());
  if (!isFeatureGate(name)) {
    throw new UsageError(
      `--feature-gates: unknown feature gate ${quoted(name)}; ${suggestion(name, Object.keys(FEATURE_GATES))}`,
    );
  }
  if (value !== 'true' && value !== 'false')
    throw new UsageError(
      `--feature-gates: ${quoted(pair)} does not set the gate on or off; write ${name}=true or ${name}=false`,
    );
  return [name, value === 'true'];
}
