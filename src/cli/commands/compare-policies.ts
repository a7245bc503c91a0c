import { jsonText, readNamedFile } from '../../model';
import type { CheckOptions, PolicyComparison, SourceFile } from '../../validation';
import { describeProblem, isClusterUnread } from '../input/input-problem';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import type { PolicyFlags } from '../options/policy-options';
import { ScenarioFlags } from '../options/scenario-options';
import { writeResult, writeText } from '../output/output';
import { textTable } from '../output/text-table';
import { expectMuchWork } from '../v8-tuning';

export interface ComparePoliciesFlags extends PolicyFlags, ScenarioFlags {
  readonly format: string;
  readonly output?: string;
  readonly compareRegions?: readonly string[];
}

const MAX_LOAD_BYTES = 256 * 1024 * 1024;

/**
 * Simulates a day under each consolidation policy.
 *
 * @throws UsageError if another option says something else, or the load cannot be used
 */
export function printPolicyComparison(
  sources: readonly SourceFile[],
  options: CheckOptions,
  flags: ComparePoliciesFlags,
  io: Io,
): number {
  if (flags.format !== 'text' && flags.format !== 'json')
    throw new UsageError(`--compare-policies: cannot be written as ${flags.format}; write --format text or json`);
  const { validation } = lazy;
  expectMuchWork();
  const session = validation.readSession(sources, options);
  const comparison = playPolicies(session, flags);
  for (const problem of comparison.problems) io.writeError(describeProblem(problem));
  if (isClusterUnread(comparison.problems, options.cluster)) return EXIT.unusable;
  if (session.model.nodePools.length === 0 && comparison.problems.length === 0)
    throw new UsageError('--compare-policies: no file has a NodePool; pass the files that contain NodePools');
  if (flags.format === 'json') writeResult(io, flags.output, jsonText(comparison));
  else writeText(io, flags.output, validation.renderPoliciesText(comparison, policyTable, textTable));
  return comparison.problems.length > 0 ? EXIT.unusable : EXIT.ok;
}

function playPolicies(
  session: Parameters<typeof lazy.validation.comparePolicies>[0],
  { load, times, at, jobDuration, rollouts }: ComparePoliciesFlags,
): PolicyComparison {
  const { validation } = lazy;
  const text = load === undefined ? undefined : readLoadFile(load);
  try {
    return validation.comparePolicies(session, { times, at, load: text, jobDurations: jobDuration, rollouts });
  } catch (error) {
    if (error instanceof validation.LoadFileError) throw new UsageError(`--load: ${load}: ${error.message}`);
    if (error instanceof validation.UnknownJobError) throw new UsageError(`--job-duration: ${error.message}`);
    throw error;
  }
}

function readLoadFile(file: string): string {
  try {
    return readNamedFile(file, MAX_LOAD_BYTES).toString('utf8');
  } catch (error) {
    throw new UsageError(
      `--load: ${file}: cannot be read, ${(error as Error).message}; name a file with the answer of Prometheus to query_range`,
    );
  }
}

function policyTable(rows: ReadonlyArray<readonly string[]>): string {
  return textTable(rows, ['left', 'left', 'right', 'right', 'right', 'right', 'right', 'right', 'left']);
}
