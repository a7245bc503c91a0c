import { Catalog, InstanceTypeTable } from '../../catalog';
import { isGateEnabled } from '../../contract';
import { RequirementSpec, Label, Requirements, requirementText } from '../../model';
import {
  compatibleOfferings,
  OverlayConflict,
  poolTables,
  schedule,
  templateOf,
  compatibleTypes,
  isOffered,
} from '../../scheduling';
import { CheckOptions } from '../check-options';
import { ListedInstanceType, listedType, SortKey, sortedTypes } from './listed-type';
import { CheckSession, readSession } from '../context/check-session';
import { stockNodeClassAssumptions, stockNodeClasses } from '../context/stock-node-class';
import { isAutoMode } from '../eks-auto-mode';
import { ManifestModel, SourceFile } from '../manifest';
import { EliminationVerdict, Finding } from '../vocabulary/verdict';

/** Which instance types are listed, and in which order. */
export interface ListOptions {
  /** @default - no requirements */
  readonly where?: readonly RequirementSpec[];
  /** @default - the order of the catalogue, or cheapest first for a NodePool */
  readonly sort?: SortKey;
}

export interface PoolInstanceTypes {
  readonly nodePool: string;
  /** Each with the offerings that the pool and the requirements allow. */
  readonly types: readonly ListedInstanceType[];
  /** How many types are left after each requirement, starting with those of the pool. */
  readonly elimination: readonly EliminationVerdict[];
}

export interface LaunchableTypes {
  /** NodePools that can be evaluated, in name order. */
  readonly pools: readonly PoolInstanceTypes[];
  /** Sentences about the assumptions behind prices and zones. */
  readonly assumptions: readonly string[];
  /** Why a NodePool can launch nothing, or cannot be evaluated. */
  readonly problems: ReadonlyArray<Pick<Finding, 'location' | 'message' | 'remedy'>>;
}

/**
 * The instance types that each NodePool can launch. Limits of the NodePool are ignored.
 *
 * @throws Error if an option has an invalid value
 */
export function poolInstanceTypes(
  sources: readonly SourceFile[],
  given: CheckOptions,
  list: ListOptions = {},
): LaunchableTypes {
  return launchableTypesOfPools(readSession(sources, given), list);
}

/** Like `poolInstanceTypes`, for manifests that are already read. */
export function launchableTypesOfPools(
  { model, options, catalog, input: withPods }: CheckSession,
  list: ListOptions = {},
): LaunchableTypes {
  const input = { ...withPods, pods: [] };
  const index = new Map(catalog.names.map((type, position) => [type, position]));
  const specs = new Map(input.nodePools.map((pool) => [pool.name, pool]));
  const pools = schedule(input, catalog).pools.map(({ name, instanceTypes }) => {
    const template = templateOf(specs.get(name)!, input, catalog);
    if (template === undefined) return { nodePool: name, types: [], elimination: [] };
    const table = { ...template.table, offerings: compatibleOfferings(template.table, template.requirements) };
    return {
      nodePool: name,
      ...listTypes(
        catalog,
        table,
        instanceTypes.map((type) => index.get(type)!),
        list,
      ),
    };
  });
  const kinds = [
    '',
    'NodePool',
    'EC2NodeClass',
    ...(isGateEnabled(options.featureGates, 'NodeOverlay') ? ['NodeOverlay'] : []),
  ];
  return {
    pools,
    assumptions: [...stockNodeClassAssumptions(model), ...catalog.assumptions],
    // Problems of workloads do not change what a NodePool can launch.
    problems: [
      ...model.problems.filter(({ severity, subject }) => severity === 'error' && kinds.includes(subject.kind)),
      ...missingClasses(model),
      ...poolTables(input, catalog).conflicts.flatMap((conflict) => conflictOf(model, conflict)),
    ],
  };
}

/** The types of a table that meet the requirements. */
export function listTypes(
  catalog: Catalog,
  table: InstanceTypeTable,
  among: readonly number[],
  { where = [], sort }: ListOptions,
): Pick<PoolInstanceTypes, 'types' | 'elimination'> {
  const filtered = filterTypes(table, among, where);
  const types = sort === undefined ? filtered.types : sortedTypes(filtered.table, filtered.types, sort);
  return {
    types: types.map((type) => listedType(catalog, filtered.table, type)),
    elimination: [{ constraint: 'all instance types', left: among.length }, ...filtered.steps],
  };
}

function conflictOf(
  { nodeOverlays }: ManifestModel,
  { overlay, instanceType, what }: OverlayConflict,
): LaunchableTypes['problems'] {
  return nodeOverlays
    .filter(({ object }) => object.name === overlay)
    .map(({ object }) => ({
      location: object.locate(['spec']),
      message: `NodeOverlay ${overlay} is not applied: another NodeOverlay with the same weight sets the ${what} of ${instanceType}`,
      remedy: 'give the overlays different weights, or requirements that do not overlap',
    }));
}

function missingClasses(model: ManifestModel): LaunchableTypes['problems'] {
  const { nodePools, nodeClasses, cluster } = model;
  const classes = [...nodeClasses, ...(cluster?.nodeClasses ?? [])].map(({ object }) => object.name);
  const classNames = new Set([...classes, ...stockNodeClasses(model).map(({ name }) => name)]);
  return nodePools
    .filter(({ nodeClassRef }) => !classNames.has(nodeClassRef?.name ?? ''))
    .map(({ object, nodeClassRef }) => ({
      location: object.locate(['spec', 'template', 'spec', 'nodeClassRef']),
      ...(isAutoMode({ nodeClassRef })
        ? {
            message: `NodePool ${object.name} is launched by EKS Auto Mode, whose instance types are unknown`,
            remedy: 'remove it from the input',
          }
        : {
            message: `NodePool ${object.name} can launch nothing: its EC2NodeClass is not in the input`,
            remedy: 'pass the manifest of the EC2NodeClass as well',
          }),
    }));
}

/** Labels of offerings. A type without an allowed offering does not meet a requirement on one of them. */
const OFFERING_LABELS: readonly string[] = [
  Label.ZONE,
  Label.ZONE_ID,
  Label.CAPACITY_TYPE,
  Label.PLACEMENT_GROUP_PARTITION,
  Label.CAPACITY_RESERVATION_ID,
  Label.CAPACITY_RESERVATION_TYPE,
  Label.CAPACITY_RESERVATION_INTERRUPTIBLE,
];

/** The types of a table that meet requirements. */
interface FilteredTypes {
  /** With only the offerings that the requirements allow. */
  readonly table: InstanceTypeTable;
  readonly types: readonly number[];
  /** How many types each requirement leaves. */
  readonly steps: readonly EliminationVerdict[];
}

/** @param among indices of the types to filter */
function filterTypes(
  table: InstanceTypeTable,
  among: readonly number[],
  where: readonly RequirementSpec[],
): FilteredTypes {
  let types = among;
  let offered = table;
  const steps = where.map((spec, index): EliminationVerdict => {
    // Several requirements on one label count together, as in a NodePool.
    const requirements = Requirements.from(where.slice(0, index + 1));
    offered = { ...table, offerings: compatibleOfferings(table, requirements) };
    const compatible = compatibleTypes(table, requirements);
    const needsOffering = OFFERING_LABELS.some((key) => requirements.has(key));
    types = types.filter((type) => compatible[type] && (!needsOffering || isOffered(offered.offerings, type)));
    return { constraint: requirementText(spec), left: types.length };
  });
  return { table: offered, types, steps };
}
