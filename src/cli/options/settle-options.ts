import { Command, Option } from 'commander';
import { parseGoDuration } from '../../model';
import type { CheckOptions } from '../../validation';
import { UsageError } from '../io';
import { choiceOption, quoted } from './choice-option';

/** The options as commander parses them. */
export interface SettleFlags {
  readonly firstPass?: boolean;
  readonly order?: 'manifest' | 'name' | 'file-by-file';
  /** Seconds. */
  readonly interval?: number;
  readonly times?: { readonly nodeStart?: number };
}

export function addSettleOptions(command: Command): Command {
  return command
    .option('--first-pass', 'the nodes that Karpenter plans first, without those that its later passes add')
    .addOption(
      choiceOption(
        '--order <order>',
        'settle as if the workloads were created one after the other: in the order of the manifests, by name, or file by file (default: all at the same time)',
        ['manifest', 'name', 'file-by-file'] as const,
      ),
    )
    .addOption(
      new Option('--interval <duration>', 'time between two of them with --order (default: 5s)').argParser(
        parseInterval,
      ),
    );
}

/** @throws UsageError if an option is given without the option that it needs */
export function settleOptions({ firstPass, order, interval, times }: SettleFlags): CheckOptions['settle'] {
  if (interval !== undefined && order === undefined)
    throw new UsageError('--interval: needs an order; add for example --order manifest');
  if (order !== undefined && firstPass)
    throw new UsageError('--order: the first pass plans all workloads together; leave out --first-pass');
  if (firstPass) return undefined;
  const { nodeStart } = times ?? {};
  return {
    ...(nodeStart === undefined ? {} : { nodeStart }),
    ...(order === undefined ? {} : { order }),
    ...(interval === undefined ? {} : { interval }),
  };
}

function parseInterval(text: string): number {
  const seconds = (parseGoDuration(text) ?? NaN) / 1_000;
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 3_600) return seconds;
  throw new UsageError(
    `--interval: ${quoted(text)} is not a duration in whole seconds, from 1s to 1h; write for example 5s`,
  );
}
