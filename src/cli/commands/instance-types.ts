import { Command, Option } from 'commander';
import {
  countText,
  jsonText,
  Label,
  numberText,
  printableLine,
  RequirementSpec,
  stepsText,
  parseRequirements,
  RequirementTextError,
} from '../../model';
import type {
  CheckOptions,
  LaunchableTypes,
  ListOptions,
  PoolInstanceTypes,
  SortKey,
  SourceFile,
} from '../../validation';
import { describeProblem, isClusterUnread } from '../input/input-problem';
import { dividedFiles, shortRootNames } from '../input/roots';
import { readSourceFiles } from '../input/source-files';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { choiceOption, quoted, suggestion } from '../options/choice-option';
import { addRootOptions, RootFlags } from '../options/root-options';
import { addSharedOptions, checkOptionsFromFlags, clusterOptions, SharedFlags } from '../options/shared-options';
import { instanceTypeTable } from '../output/instance-type-table';
import { shown, writeResult } from '../output/output';

interface InstanceTypesFlags extends SharedFlags, RootFlags {
  readonly format: 'table' | 'json';
  readonly json?: boolean;
  readonly nodepool?: string;
  readonly sort?: SortKey;
  readonly capacityType?: string;
  readonly where?: readonly RequirementSpec[];
}

const HELP = `
Without manifests, all instance types are listed as Karpenter sees them with an
AL2023 node class. With manifests, the instance types that each NodePool can
launch with its own node class are listed, cheapest first. A repository is
divided into roots as check does; --root chooses one.

--where has the requirements of a NodePool in one line, joined by "and":
  family In [m7g,c7g]     one of these values; also NotIn
  arch = arm64            one value; also !=
  cpu <= 8                a number; also <, >, >=
  memory >= 16Gi          in MiB, or with a unit
  local-nvme Exists       has the label; also DoesNotExist
Labels have short names (family for karpenter.k8s.aws/instance-family):
type, family, size, category, generation, arch, cpu, memory, cpu-manufacturer,
local-nvme, gpu-count, gpu-name, network-bandwidth, ebs-bandwidth, zone,
capacity-type and the other well-known labels, or the whole key.

Examples:
  karpenter-constructs instance-types --region eu-central-1
  karpenter-constructs instance-types --where 'category = m and generation > 6 and cpu = 4' --sort price
  karpenter-constructs instance-types --where 'gpu-count Exists' --capacity-type spot --sort price
  karpenter-constructs instance-types --region us-east-1 --zones us-east-1a=use1-az3 --where 'family = c7i'
  karpenter-constructs instance-types manifests/ --nodepool default --where 'memory >= 32Gi' --json`;

export function addInstanceTypesCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  const command = program
    .command('instance-types')
    .description('Lists instance types with their labels, capacity, allocatable resources, zones and prices.')
    .argument('[path...]', 'manifests with NodePools: files, folders, or - for standard input');
  addRootOptions(addSharedOptions(command))
    .option('--nodepool <name>', 'only instance types that this NodePool can launch')
    .addOption(whereOption())
    .addOption(
      choiceOption('--capacity-type <type>', 'only instance types and prices of this capacity type', [
        'on-demand',
        'spot',
        'reserved',
      ]),
    )
    .addOption(
      choiceOption('--sort <key>', 'order: by lowest price, by vCPUs or by memory', ['price', 'vcpu', 'memory']),
    )
    .addOption(choiceOption('--format <format>', 'output format', ['table', 'json']).default('table'))
    .option('--json', 'the same as --format json')
    .addHelpText('after', HELP)
    .action(async (paths: string[], flags: InstanceTypesFlags) => setExitCode(await list(paths, flags, io)));
}

async function list(paths: readonly string[], flags: InstanceTypesFlags, io: Io): Promise<number> {
  const options = {
    ...checkOptionsFromFlags(flags, io),
    ...(await clusterOptions(flags, paths, io)),
  };
  const isJson = flags.json === true || flags.format === 'json';
  const listOptions = listOptionsOf(flags);
  if (paths.length === 0) {
    if (flags.nodepool !== undefined)
      throw new UsageError(
        `--nodepool: needs manifests; name the files that contain NodePool ${quoted(flags.nodepool)}`,
      );
    const { types, elimination, assumptions } = lazy.validation.catalogInstanceTypes(options, listOptions);
    const text = `${funnel(elimination)}${instanceTypeTable(types, flags.capacityType)}\n${assumptionsText(assumptions)}`;
    writeResult(io, flags.output, isJson ? jsonText(types) : shown(io, flags.output, text));
    return EXIT.ok;
  }
  const results = launchableIn(await readSourceFiles(paths, io), options, listOptions, flags);
  const problems = results.flatMap((result) => result.problems);
  for (const problem of new Set(problems.map(describeProblem))) io.writeError(problem);
  if (isClusterUnread(problems, options.cluster)) return EXIT.unusable;
  const selected = selectPools(
    results.flatMap(({ root, pools }) => pools.map((pool) => ({ root, ...pool }))),
    flags.nodepool,
  );
  const assumptions = new Set(results.filter(({ pools }) => pools.length > 0).flatMap((result) => result.assumptions));
  const ofRoot = (root: string | undefined) => (root === undefined ? {} : { root });
  const text = isJson
    ? jsonText(
        selected.flatMap(({ root, nodePool, types }) => types.map((type) => ({ ...type, nodePool, ...ofRoot(root) }))),
      )
    : [...selected.map((pool) => describePool(pool, flags.capacityType)), assumptionsText([...assumptions])].join('\n');
  writeResult(io, flags.output, isJson ? text : shown(io, flags.output, text));
  return problems.length > 0 ? EXIT.unusable : EXIT.ok;
}

/** The NodePools of a root. Without a root, the input has no other root with NodePools. */
interface RootTypes extends LaunchableTypes {
  readonly root?: string;
}

interface RootPool extends PoolInstanceTypes {
  readonly root?: string;
}

function launchableIn(
  files: readonly SourceFile[],
  options: CheckOptions,
  listOptions: ListOptions,
  flags: RootFlags,
): RootTypes[] {
  const { poolInstanceTypes } = lazy.validation;
  const divided = dividedFiles(files, flags);
  if (!divided.roots) return [poolInstanceTypes(divided.sources, options, listOptions)];
  const roots = divided.roots.filter(({ skipped, hasPoolsOfOther }) => skipped === undefined && !hasPoolsOfOther);
  const results = roots.map(
    ({ name, sources }): RootTypes => ({ root: name, ...poolInstanceTypes(sources, options, listOptions) }),
  );
  // Roots without NodePools stay, because their problems may be the reason.
  const isOnly = results.filter(({ pools }) => pools.length > 0).length === 1;
  const names = shortRootNames(divided.roots);
  const shortOf = new Map(divided.roots.map(({ name }, index) => [name, names[index]]));
  return results.map((result) => ({ ...result, root: isOnly ? undefined : shortOf.get(result.root!) }));
}

function listOptionsOf({ where = [], capacityType, sort }: InstanceTypesFlags): ListOptions {
  const ofCapacityType =
    capacityType === undefined ? [] : [{ key: Label.CAPACITY_TYPE, operator: 'In', values: [capacityType] } as const];
  return { where: [...where, ...ofCapacityType], sort };
}

function describePool({ root, nodePool, types, elimination }: RootPool, capacityType: string | undefined): string {
  const heading = `NodePool ${nodePool}${root === undefined ? '' : ` of ${root}`}: ${countText(types.length, 'instance type')}`;
  return `${printableLine(heading)}\n${funnel(elimination)}${instanceTypeTable(types, capacityType)}`;
}

/** `1,391 instance types → 24 (family = m5) → 3 (cpu <= 8)`. Empty without requirements. */
function funnel([all, ...steps]: PoolInstanceTypes['elimination']): string {
  if (steps.length === 0) return '';
  const narrowed = steps.map(({ constraint, left }) => `${numberText(left)} (${constraint})`);
  return `${printableLine(stepsText(countText(all.left, 'instance type'), ...narrowed))}\n`;
}

function assumptionsText(assumptions: readonly string[]): string {
  return `Assumptions\n${assumptions.map((sentence) => `  - ${printableLine(sentence)}\n`).join('')}`;
}

function selectPools(pools: readonly RootPool[], name: string | undefined): readonly RootPool[] {
  if (pools.length === 0)
    throw new UsageError('the manifests contain no NodePool that can be evaluated; name the files that contain one');
  if (name === undefined) return pools;
  const selected = pools.filter(({ nodePool }) => nodePool === name);
  if (selected.length === 0)
    throw new UsageError(
      `--nodepool: unknown NodePool ${quoted(name)}; ${suggestion(name, [...new Set(pools.map(({ nodePool }) => nodePool))])}`,
    );
  return selected;
}

/** `--where` with requirements as text. Several are combined. */
function whereOption(): Option {
  return new Option(
    '--where <requirements>',
    "only instance types that meet these requirements, for example 'family In [m7g,c7g] and cpu <= 8'; can be repeated",
  ).argParser(parseWhere);
}

function parseWhere(text: string, earlier: readonly RequirementSpec[] = []): RequirementSpec[] {
  try {
    return [...earlier, ...parseRequirements(text)];
  } catch (error) {
    if (!(error instanceof RequirementTextError)) throw error;
    throw new UsageError(`--where: ${error.message}`, underlined(error));
  }
}

/** The text on one line, and below it carets under the mistake. */
function underlined({ text, start, end }: RequirementTextError): string[] {
  const [before, wrong] = [text.slice(0, start), text.slice(start, end)].map((part) => printableLine(part));
  return [printableLine(text), `${' '.repeat(before.length)}${'^'.repeat(Math.max(1, wrong.length))}`];
}
