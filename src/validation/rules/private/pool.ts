import { InstanceTypeTable } from '../../../catalog';
import { Label, Requirements } from '../../../model';
import { NodePoolSpec, poolTables, PoolView } from '../../../scheduling';
import { isAutoMode } from '../../auto-mode';
import { ManifestObject, NodePoolManifest } from '../../manifest/model';
import { oncePer } from '../../once-per';
import { RuleContext } from '../rule';
import { findUnresolved } from './unresolved';

/** A NodePool with what can be known of it. */
export interface Pool {
  readonly object: ManifestObject;
  readonly name: string;
  /** Absent where the manifest cannot be used, or holds a value that is not known yet. */
  readonly spec?: NodePoolSpec;
  /** Of a node that it launches; present with `spec`. */
  readonly requirements?: Requirements;
  /** Absent where its instance types cannot be known. */
  readonly launch?: PoolLaunch;
  /** Why `spec` or `launch` is absent. */
  readonly why: string;
  /** Whether EKS Auto Mode launches its nodes. */
  readonly autoMode: boolean;
}

export interface PoolLaunch {
  readonly view: PoolView;
  readonly table: InstanceTypeTable;
  /** Of `view.instanceTypes`, in the table. */
  readonly indices: readonly number[];
}

/** The NodePools of the input, in its order. */
export const poolsOf = oncePer((context: RuleContext): readonly Pool[] => context.model.nodePools.map((manifest) => poolOf(context, manifest)));

function poolOf(context: RuleContext, manifest: NodePoolManifest): Pool {
  const { object, spec } = manifest;
  const autoMode = isAutoMode(manifest);
  const unknown = manifest.tokens?.[0] ?? findUnresolved(decidingFields(object.raw));
  if (unknown !== undefined) {
    return { object, name: object.name, autoMode, why: `the value of ${unknown} is known only at deployment` };
  }
  if (spec === undefined) {
    return { object, name: object.name, autoMode, why: 'the NodePool cannot be used as it is written' };
  }
  const launch = launchOf(context, spec);
  return { object, name: object.name, autoMode, spec, requirements: templateRequirements(spec), launch, why: launch ? '' : whyNoLaunch(manifest) };
}

function decidingFields(raw: any): unknown[] {
  const template = raw?.spec?.template;
  return [template?.metadata?.labels, template?.spec?.requirements, template?.spec?.taints, template?.spec?.nodeClassRef, raw?.spec?.limits];
}

function launchOf(context: RuleContext, spec: NodePoolSpec): PoolLaunch | undefined {
  const table = poolTables(context.input, context.catalog).tables.get(spec.name);
  const view = context.plan.pools.find((pool) => pool.name === spec.name);
  if (table === undefined || view === undefined) {
    return undefined;
  }
  const rows = new Map(table.names.map((name, index) => [name, index]));
  return { view, table, indices: view.instanceTypes.map((name) => rows.get(name)!) };
}

function whyNoLaunch(manifest: NodePoolManifest): string {
  if (isAutoMode(manifest)) {
    return 'its node class belongs to EKS Auto Mode, whose nodes this tool does not model';
  }
  const name = manifest.nodeClassRef?.name ?? manifest.spec?.nodeClass;
  return name ? `EC2NodeClass ${name} is not in the input, or cannot be used as it is written` : 'it names no EC2NodeClass';
}

/** What Karpenter knows of a node of the pool before an instance type is chosen. Pods may ask for the labels of a running node too. */
export function templateRequirements(spec: NodePoolSpec): Requirements {
  const requirements = Requirements.from(spec.requirements);
  requirements.add(...Requirements.fromLabels({
    ...spec.labels,
    [Label.NODE_POOL]: spec.name,
    [Label.NODE_CLASS]: spec.nodeClass,
    [Label.REGISTERED]: 'true',
    [Label.INITIALIZED]: 'true',
  }).values());
  return requirements;
}
