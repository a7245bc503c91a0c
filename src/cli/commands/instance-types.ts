import { Command } from 'commander';
import type { InstanceTypeDescription } from '../../catalog';
import type { CheckOptions, PoolInstanceTypes } from '../../validation';
import { describeProblem, isClusterUnread } from '../input/input-problem';
import { readSourceFiles } from '../input/source-files';
import { EXIT, Io, UsageError } from '../io';
import { lazy } from '../lazy';
import { choiceOption, quoted, suggestion } from '../options/choice-option';
import { addSharedOptions, checkOptions, clusterOptions, SharedFlags } from '../options/shared-options';
import { formatTable, PLAIN_TABLE, writeResult } from '../output/output';

interface InstanceTypesFlags extends SharedFlags {
  readonly format: 'table' | 'json';
  readonly nodepool?: string;
}

const HELP = `
Without manifests, all instance types are listed as Karpenter sees them with an
AL2023 node class. With manifests, the instance types that each NodePool can
launch with its own node class are listed, cheapest first.

Examples:
  karpenter-constructs instance-types --region eu-central-1
  karpenter-constructs instance-types manifests/ --nodepool default --format json`;

export function addInstanceTypesCommand(program: Command, io: Io, setExitCode: (code: number) => void): void {
  const command = program.command('instance-types')
    .description('Lists instance types with their labels, capacity, allocatable resources and prices.')
    .argument('[path...]', 'manifests with NodePools: files, folders, or - for standard input');
  addSharedOptions(command)
    .option('--nodepool <name>', 'only instance types that this NodePool can launch')
    .addOption(choiceOption('--format <format>', 'output format', ['table', 'json']).default('table'))
    .addHelpText('after', HELP)
    .action(async (paths: string[], flags: InstanceTypesFlags) => setExitCode(await list(paths, flags, io)));
}

async function list(paths: readonly string[], flags: InstanceTypesFlags, io: Io): Promise<number> {
  const options = { ...checkOptions(flags, (text) => io.writeError(text)), ...await clusterOptions(flags, paths, io) };
  if (paths.length === 0) {
    if (flags.nodepool !== undefined) throw new UsageError(`--nodepool: needs manifests; name the files that contain NodePool ${quoted(flags.nodepool)}`);
    const { types, assumptions } = describeAll(options);
    writeResult(io, flags.output, flags.format === 'json' ? json(types) : `${table(types)}\n${assumptionsText(assumptions)}`);
    return EXIT.ok;
  }
  const { pools, problems, assumptions } = lazy.validation.poolInstanceTypes(await readSourceFiles(paths, io), options);
  for (const problem of problems) io.writeError(describeProblem(problem));
  if (isClusterUnread(problems, options.cluster)) return EXIT.unusable;
  const selected = selectPools(pools, flags.nodepool);
  const text = flags.format === 'json'
    ? json(selected.flatMap(({ nodePool, types }) => types.map((type) => ({ ...type, nodePool }))))
    : [...selected.map(describePool), assumptionsText(assumptions)].join('\n');
  writeResult(io, flags.output, text);
  return problems.length > 0 ? EXIT.unusable : EXIT.ok;
}

/** All instance types of the catalog, with the default node class. */
function describeAll(options: CheckOptions): { types: InstanceTypeDescription[]; assumptions: readonly string[] } {
  const { Catalog, DEFAULT_NODE_CLASS, describeInstanceType } = lazy.catalog;
  const catalog = Catalog.load(options);
  const typeTable = catalog.resolve(DEFAULT_NODE_CLASS);
  return { types: typeTable.names.map((_, index) => describeInstanceType(typeTable, index)), assumptions: catalog.assumptions };
}

function describePool({ nodePool, types }: PoolInstanceTypes): string {
  return `NodePool ${nodePool}: ${types.length === 1 ? '1 instance type' : `${types.length} instance types`}\n${table(types)}`;
}

function assumptionsText(assumptions: readonly string[]): string {
  return `Assumptions\n${assumptions.map((sentence) => `  - ${sentence}\n`).join('')}`;
}

function selectPools(pools: readonly PoolInstanceTypes[], name: string | undefined): readonly PoolInstanceTypes[] {
  if (pools.length === 0) throw new UsageError('the manifests contain no NodePool that can be evaluated; name the files that contain one');
  if (name === undefined) return pools;
  const selected = pools.filter(({ nodePool }) => nodePool === name);
  if (selected.length === 0) throw new UsageError(`--nodepool: unknown NodePool ${quoted(name)}; ${suggestion(name, pools.map(({ nodePool }) => nodePool))}`);
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
  const legend = `CPU, MEMORY and PODS are allocatable to pods; prices are in $/h${isReserved ? ', and reservations are already paid for' : ''}.`;
  return `${formatTable(rows.toString())}${legend}\n`;
}

/** IDs of capacity reservations. A reservation is offered once in each partition of a placement group. */
function reservations({ offerings }: InstanceTypeDescription): string {
  return [...new Set(offerings.flatMap(({ reservationId }) => reservationId ?? []))].join(' ');
}

function cheapest({ offerings }: InstanceTypeDescription, capacityType: string): string {
  const prices = offerings.flatMap((offering) => offering.capacityType === capacityType && offering.usdPerHour !== null ? [offering.usdPerHour] : []);
  return prices.length === 0 ? '-' : Math.min(...prices).toFixed(4);
}
