/**
 * Compares the results of this project with the real Karpenter, and prints the versions that ran. The last line is one
 * JSON object; the exit code is 1 if anything differs.
 *
 *     npm run conformance -- --seed 1 --count 1000 --keep dist/differences [--only schedule] [--from 0] [--runs 10]
 *     [--releases newest]
 */
import { compareObjects } from './crd/compare';
import { compareDisruption } from './disruption/comparison';
import { compareDrains } from './drain/comparison';
import { compareGuardrails } from './guardrails/compare';
import { comparePolicies } from './iam/compare';
import { compareKustomize } from './kustomize/compare';
import { Part, parseOptions, PartSummary } from './options';
import { compareAllocatable } from './schedule/allocatable';
import { compareSchedules } from './schedule/comparison';
import { compareSimulations } from './simulation/comparison';
import { compareYaml } from './yaml/compare';

const SCENARIOS = 200;

const PARTS: Readonly<Record<string, Part>> = {
  schedule: ({ count = SCENARIOS, ...options }, print) => compareSchedules({ count, ...options }, print),
  disruption: ({ count = SCENARIOS, ...options }, print) => compareDisruption({ count, ...options }, print),
  drain: ({ count = SCENARIOS, ...options }, print) => compareDrains({ count, ...options }, print),
  simulation: ({ count = SCENARIOS, ...options }, print) => compareSimulations({ count, ...options }, print),
  allocatable: compareAllocatable,
  crd: compareObjects,
  iam: comparePolicies,
  yaml: compareYaml,
  kustomize: compareKustomize,
  guardrails: compareGuardrails,
};

async function main(): Promise<void> {
  const { only, ...options } = parseOptions(process.argv, Object.keys(PARTS));
  const summaries: Record<string, PartSummary> = {};
  for (const name of only) {
    const part = PARTS[name];
    if (!part) throw new Error(`--only: unknown comparison "${name}"; write one of ${Object.keys(PARTS).join(', ')}`);
    summaries[name] = await part(options, (line) => console.log(`${name}: ${line}`));
  }
  for (const [name, { tooFewEvaluated }] of Object.entries(summaries))
    if (tooFewEvaluated) console.log(`${name}: too many scenarios are not evaluated`);
  if (Object.values(summaries).some(({ different, tooFewEvaluated }) => different > 0 || tooFewEvaluated))
    process.exitCode = 1;
  // The scheduler's figures are at the top level, those of the other comparisons under their names.
  const { schedule, ...others } = summaries;
  console.log(JSON.stringify({ seed: options.seed, ...schedule, ...others }));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
