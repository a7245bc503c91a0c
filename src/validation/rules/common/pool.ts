import { InstanceTypeTable } from '../../../catalog';
import { Label, memoizeByIdentity, Requirements } from '../../../model';
import { NodePoolSpec, poolTables, PoolView } from '../../../scheduling';
import { isAutoMode } from '../../eks-auto-mode';
import { findUnresolved } from '../../manifest/find-unresolved';
import { requiresUnknownZones } from '../../manifest/karpenter/node-pool';
import { ManifestObject, NodePoolManifest } from '../../manifest/model';
import { RuleContext } from '../rule';

/** A NodePool with the facts that rules need. */
export interface Pool {
  readonly object: ManifestObject;
  readonly name: string;
  /** Absent if the manifest is invalid or holds a value known only at deployment. */
  readonly spec?: NodePoolSpec;
  /** Requirements of a node that the NodePool launches; present with `spec`. */
  readonly requirements?: Requirements;
  /** Absent if its instance types are unknown. */
  readonly launch?: PoolLaunch;
  /** Why `spec` or `launch` is absent. */
  readonly why: string;
  /** Whether EKS Auto Mode launches its nodes. */
  readonly autoMode: boolean;
}

export interface PoolLaunch {
  readonly view: PoolView;
  readonly table: InstanceTypeTable;
  /** Rows of `view.instanceTypes` in the table. */
  readonly indices: readonly number[];
}

/** The NodePools of the input, in its order. */
export const poolsOf = memoizeByIdentity((context: RuleContext): readonly Pool[] =>
  context.model.nodePools.map((manifest) => poolOf(context, manifest)),
);

function poolOf(context: RuleContext, manifest: NodePoolManifest): Pool {
  const { object, spec } = manifest;
  const autoMode = isAutoMode(manifest);
  const [fact] = manifest.missingFacts ?? [];
  if (fact !== undefined) return { object, name: object.name, autoMode, why: `${fact} is unknown` };
  const unknown = manifest.tokens?.[0] ?? findUnresolved(schedulingFields(object.raw));
  if (unknown !== undefined) {
    return { object, name: object.name, autoMode, why: `the value of ${unknown} is known only at deployment` };
  }
  if (spec === undefined) {
    return { object, name: object.name, autoMode, why: 'the NodePool is invalid as written' };
  }
  const launch = launchOf(context, spec);
  return {
    object,
    name: object.name,
    autoMode,
    spec,
    requirements: templateRequirements(spec),
    launch,
    why: launch ? '' : whyNoLaunch(manifest),
  };
}

/** Fields that decide which nodes the NodePool launches, except for its class, whose name is compared as a text. */
function schedulingFields(raw: any): unknown[] {
  const template = raw?.spec?.template;
  const requirements: unknown = template?.spec?.requirements;
  const known = Array.isArray(requirements) ? requirements.filter((one) => !requiresUnknownZones(one)) : requirements;
  return [template?.metadata?.labels, known, template?.spec?.taints, raw?.spec?.limits];
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
  return name ? `EC2NodeClass ${name} is not in the input, or is invalid as written` : 'it names no EC2NodeClass';
}

/**
 * Requirements of a node of the NodePool before Karpenter chooses an instance type. The labels of a running node
 * are included, because pods may require them.
 */
export function templateRequirements(spec: NodePoolSpec): Requirements {
  const requirements = Requirements.from(spec.requirements);
  requirements.add(
    ...Requirements.fromLabels({
      ...spec.labels,
      [Label.NODE_POOL]: spec.name,
      [Label.NODE_CLASS]: spec.nodeClass,
      [Label.REGISTERED]: 'true',
      [Label.INITIALIZED]: 'true',
    }).values(),
  );
  return requirements;
}
