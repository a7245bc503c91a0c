import { Command, Option } from 'commander';
import { parseGoDuration } from '../../model';
import type { JobDurations } from '../../validation';
import { UsageError } from '../io';
import { quoted } from './choice-option';

/** The options as commander parses them. */
export interface PolicyFlags {
  readonly comparePolicies?: boolean;
  readonly load?: string;
  readonly jobDuration?: JobDurations;
  readonly rollouts?: number;
}

const MAX_ROLLOUTS = 10;
/** Seconds. */
const MAX_DURATION = 86_400;

export function addPolicyOptions(command: Command): Command {
  return command
    .option(
      '--compare-policies',
      'simulate a day under each consolidation policy and consolidateAfter from 0 s to 1 h: cost, evictions, launches and pending pods',
    )
    .option(
      '--load <file>',
      'for --compare-policies: replicas by time, as Prometheus answers to query_range (default: a day curve between minReplicas and maxReplicas)',
    )
    .addOption(
      new Option(
        '--job-duration <duration>',
        'for --compare-policies: how long the pods of Jobs run, for example 10m or batch/report=1h; separate several with commas (default: 10m)',
      ).argParser(parseJobDurations),
    )
    .addOption(
      new Option(
        '--rollouts <number>',
        'for --compare-policies: how often each Deployment is rolled out on the day (default: 1)',
      ).argParser(parseRollouts),
    );
}

/** @throws UsageError if an option is given without the option that it needs */
export function checkPolicyFlags({ comparePolicies, load, jobDuration, rollouts }: PolicyFlags): void {
  const option =
    load !== undefined
      ? '--load'
      : jobDuration !== undefined
        ? '--job-duration'
        : rollouts !== undefined
          ? '--rollouts'
          : undefined;
  if (!comparePolicies && option !== undefined)
    throw new UsageError(`${option}: only --compare-policies uses it; add --compare-policies`);
}

function parseJobDurations(text: string, earlier: JobDurations = { byName: new Map() }): JobDurations {
  return text.split(',').reduce((durations, part) => {
    const [, name, written] = /^(?:([^=]*)=)?([^=]*)$/.exec(part.trim()) ?? [];
    const seconds = (parseGoDuration(written?.trim() ?? '') ?? NaN) / 1_000;
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_DURATION || name === '')
      throw new UsageError(
        `--job-duration: ${quoted(part)} is not a duration in whole seconds, from 1s to 24h; write for example 10m or batch/report=1h`,
      );
    return name === undefined
      ? { ...durations, all: seconds }
      : { ...durations, byName: new Map([...durations.byName, [name.trim(), seconds]]) };
  }, earlier);
}

function parseRollouts(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) <= MAX_ROLLOUTS) return Number(text);
  throw new UsageError(`--rollouts: ${quoted(text)} is not a number from 0 to ${MAX_ROLLOUTS}; write for example 2`);
}
