import { InvalidArgumentError, Option, Command } from 'commander';
import { jsonText } from '../../model';
import type { CheckOptions, SourceFile } from '../../validation';
import { describeProblem } from '../input/input-problem';
import { chooseRoot, DividedFiles, shortRootNames } from '../input/roots';
import { readSourceFiles } from '../input/source-files';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { writeResult, writeText } from '../output/output';

export interface UsageFlags {
  readonly format: 'text' | 'json';
  readonly output?: string;
  readonly apply?: number;
  readonly cluster?: readonly string[];
  readonly usage?: readonly string[];
  readonly headroom?: number;
}

const DEFAULT_HEADROOM = 0.15;
const MAX_PERCENT = 500;

export const USAGE_HELP = `
Requests from usage: --usage schedules the pods with requests made of measured
usage or of advice, and compares nodes and price with those of the present
requests. It reads
  - VerticalPodAutoscalers (kubectl get vpa -A -o yaml): the target,
  - KRR (krr simple -f json): the recommended requests,
  - Prometheus (JSON of query or query_range): cores and bytes, with the labels
    namespace, pod or workload, container, and resource ("cpu" or "memory").
VPA and KRR have their own margin. Measured usage gets --headroom: the 95th
percentile of CPU and the peak of memory. What cannot be used is printed with
its place, and the rest is used. docs/how-to/requests-from-usage.md has the two
queries.`;

export function addUsageOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--usage <path>',
        'usage of containers: VerticalPodAutoscalers, JSON of KRR or of a Prometheus query; a file, a folder, or -; can be repeated; compares the fleet with requests made of it',
      ).argParser((path, paths: readonly string[] = []) => [...paths, path]),
    )
    .addOption(
      new Option('--headroom <percent>', 'what is added to measured usage, in percent (default: 15)').argParser(
        parseHeadroom,
      ),
    );
}

function parseHeadroom(text: string): number {
  const percent = /^\d+(\.\d+)?%?$/.test(text) ? parseFloat(text) : NaN;
  if (!(percent <= MAX_PERCENT))
    throw new InvalidArgumentError(`write a percentage from 0 to ${MAX_PERCENT}, such as 20`);
  return percent / 100;
}

/** @throws UsageError if options cannot be combined, or the input has several roots */
export async function recommendFromUsage(
  divided: DividedFiles,
  options: CheckOptions,
  flags: UsageFlags,
  io: Io,
): Promise<number> {
  if (flags.apply !== undefined)
    throw new UsageError('--apply: cannot be combined with --usage, which changes no NodePool');
  if (flags.cluster !== undefined)
    throw new UsageError('--cluster: cannot be combined with --usage, which starts without nodes; leave it out');
  const { roots } = divided;
  const possible = roots?.filter(({ skipped }) => skipped === undefined) ?? [];
  if (roots !== undefined && possible.length !== 1)
    throw new UsageError(`--usage: needs one root, got ${roots.length}; ${chooseRoot(shortRootNames(roots))}`);
  const files: readonly SourceFile[] = await readSourceFiles(flags.usage!, io);
  const plan = lazy.validation.planUsage(
    divided.roots === undefined ? divided.sources : possible[0].sources,
    files,
    flags.headroom ?? DEFAULT_HEADROOM,
    options,
  );
  for (const problem of plan.problems) io.writeError(describeProblem(problem));
  if (flags.format === 'json') writeResult(io, flags.output, jsonText(plan));
  else writeText(io, flags.output, lazy.validation.renderUsageText(plan));
  return plan.problems.length > 0 || plan.workloads.length === 0 ? EXIT.unusable : EXIT.ok;
}
