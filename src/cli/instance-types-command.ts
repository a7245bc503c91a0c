import { Command, Option } from 'commander';
import type { InstanceTypeDescription } from '../catalog';
import type { CheckOptions, PoolInstanceTypes } from '../validation';
import { describeProblem, isClusterUnread } from './input-problem';
import { EXIT, Io, UsageError } from './io';
import { lazy } from './lazy';
import { formatTable, PLAIN_TABLE, writeResult } from './output';
import { addSharedOptions, checkOptions, clusterOptions, SharedFlags } from './shared-options';
import { readSourceFiles } from './source-files';

interface InstanceTypesFlags extends SharedFlags {
  readonly format: 'table' | 'json';
  readonly nodepool?: string;
}

const HELP = `
Without manifests, every instance type as Karpenter sees it with an AL2023
node class. With manifests, what each NodePool can launch, with the settings
of its own node class, cheapest first.

Examples:
  karpenter-constructs instance-types --region eu-central-1
  karpenter-constructs instance-types manifests/ --nodepool default --format json`;

export function addInstanceTypesCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  const command = program.command('instance-types')
    .description('Instance types with their labels, capacity, allocatable resources and prices.')
    .argument('[path...]', 'manifests with NodePools: files, folders, or - for standard input');
  addSharedOptions(command)
    .option('--nodepool <name>', 'only what this NodePool can launch')
    .addOption(new Option('--format <format>', 'how to print them').choices(['table', 'json']).default('table'))
    .addHelpText('after', HELP)
    .action(async (paths: string[], flags: InstanceTypesFlags) => setExitCode(await list(paths, flags, io)));
}

async function list(paths: readonly string[], flags: InstanceTypesFlags, io: Io): Promise<number> {
  const options = { ...checkOptions(flags, (text) => io.writeError(text)), ...await clusterOptions(flags, paths, io) };
  if (paths.length === 0) {
    if (flags.nodepool !== undefined) throw new UsageError(`--nodepool: there are no manifests, got ${JSON.stringify(flags.nodepool)}; name the files that hold the NodePool`);
    const { types, assumptions } = describeAll(options);
    writeResult(io, flags.output, flags.format === 'json' ? json(types) : `${table(types)}\n${granted(assumptions)}`);
    return EXIT.ok;
  }
  const { pools, problems, assumptions } = lazy.validation.poolInstanceTypes(await readSourceFiles(paths, io), options);
  for (const problem of problems) io.writeError(describeProblem(problem));
  if (isClusterUnread(problems, options.cluster)) return EXIT.unusable;
  const selected = selectPools(pools, flags.nodepool);
  const text = flags.format === 'json'
    ? json(selected.flatMap(({ nodePool, types }) => types.map((type) => ({ ...type, nodePool }))))
    : [...selected.map(describePool), granted(assumptions)].join('\n');
  writeResult(io, flags.output, text);
  return problems.length > 0 ? EXIT.unusable : EXIT.ok;
}

/** Every instance type of the catalogue, with a node class that sets nothing. */
function describeAll(options: CheckOptions): { types: InstanceTypeDescription[]; assumptions: readonly string[] } {
  const { Catalog, DEFAULT_NODE_CLASS, describeInstanceType } = lazy.catalog;
  const catalog = Catalog.load(options);
  const known = catalog.resolve(DEFAULT_NODE_CLASS);
  return { types: known.names.map((_, index) => describeInstanceType(known, index)), assumptions: catalog.assumptions };
}

function describePool({ nodePool, types }: PoolInstanceTypes): string {
  return `NodePool ${nodePool}: ${types.length === 1 ? '1 instance type' : `${types.length} instance types`}\n${table(types)}`;
}

/** Whose prices these are, above all. */
function granted(assumptions: readonly string[]): string {
  return `Taken for granted\n${assumptions.map((sentence) => `  - ${sentence}\n`).join('')}`;
}

function selectPools(pools: readonly PoolInstanceTypes[], name: string | undefined): readonly PoolInstanceTypes[] {
  const known = pools.map(({ nodePool }) => nodePool);
  if (pools.length === 0) throw new UsageError('there is no NodePool in the manifests that can be judged; name the files that hold one');
  if (name === undefined) return pools;
  const selected = pools.filter(({ nodePool }) => nodePool === name);
  if (selected.length === 0) throw new UsageError(`--nodepool: there is no such NodePool, got ${JSON.stringify(name)}; write ${known.join(' or ')}`);
  return selected;
}

function json(types: readonly InstanceTypeDescription[]): string {
  return `${JSON.stringify(types, undefined, 2)}\n`;
}

function table(types: readonly InstanceTypeDescription[]): string {
  if (types.length === 0) return '(none)\n';
  const isReserved = types.some((type) => reservations(type) !== '');
  const rows = new lazy.Table({
    ...PLAIN_TABLE,
    head: ['NAME', 'ARCH', 'CPU', 'MEMORY', 'PODS', 'ON-DEMAND', 'SPOT', ...isReserved ? ['RESERVED'] : []],
    colAligns: ['left', 'left', 'right', 'right', 'right', 'right', 'right', ...isReserved ? ['left' as const] : []],
  });
  rows.push(...types.map((type) => [
    type.name,
    type.labels['kubernetes.io/arch'] ?? '',
    type.allocatable.cpu,
    type.allocatable.memory,
    type.allocatable.pods,
    cheapest(type, 'on-demand'),
    cheapest(type, 'spot'),
    ...isReserved ? [reservations(type)] : [],
  ]));
  const legend = `CPU, MEMORY and PODS are what pods can have of a node; prices are USD per hour${isReserved ? ', and reservations are paid for already' : ''}.`;
  return `${formatTable(rows.toString())}${legend}\n`;
}

/** Their ids; a reservation is offered once in each partition of a placement group. */
function reservations({ offerings }: InstanceTypeDescription): string {
  return [...new Set(offerings.flatMap(({ reservationId }) => reservationId ?? []))].join(' ');
}

function cheapest({ offerings }: InstanceTypeDescription, capacityType: string): string {
  const prices = offerings.flatMap((offering) => offering.capacityType === capacityType && offering.usdPerHour !== null ? [offering.usdPerHour] : []);
  return prices.length === 0 ? '-' : Math.min(...prices).toFixed(4);
}
