import { asRecord, AgentStartupTaint, appendItem, FieldFix, FieldPath, unsafeFix } from '../../../contract';
import { formatTaint, listText, parseYaml, Taint, Toleration, untolerated } from '../../../model';
import { eksctlClusters } from '../../cluster/node-groups';
import { installedCharts } from '../../controller';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestModel, ManifestObject } from '../../manifest/model';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { chartValueFix } from '../common/edits/chart-value-fix';
import { SubjectFinding } from '../define-rule';

/** How the chart of a driver, which is its add-on too, sets the tolerations of its pods on nodes. */
interface NodeTolerations {
  readonly chart: string;
  /** The default of `node.tolerateAllTaints`. @default - the chart has no such value */
  readonly all?: boolean;
}

/** Sources: templates of the DaemonSets and values.yaml of the charts of the drivers, 2025. */
const DRIVERS: ReadonlyMap<string, NodeTolerations> = new Map([
  ['ebs-csi-node', { chart: 'aws-ebs-csi-driver', all: true }],
  ['fsx-csi-node', { chart: 'aws-fsx-csi-driver', all: true }],
  ['s3-csi-node', { chart: 'aws-mountpoint-s3-csi-driver', all: false }],
  ['efs-csi-node', { chart: 'aws-efs-csi-driver' }],
]);

/** What decides on which nodes an agent runs. */
interface InstalledAgent {
  readonly object: ManifestObject;
  readonly path: FieldPath;
  readonly tolerations: readonly Toleration[];
  readonly remedy: (taints: string) => string;
  readonly fix?: FieldFix;
}

/** Where the agent does not run because of the permanent taints of a NodePool. */
export function keptOff(
  agent: AgentStartupTaint,
  taints: readonly Taint[],
  model: ManifestModel,
): (Pick<SubjectFinding, 'object' | 'path' | 'remedy' | 'fix'> & { readonly taints: string }) | undefined {
  const hard = taints.filter(({ effect }) => effect !== 'PreferNoSchedule');
  const all = [...ofDaemonSets(agent, model), ...ofCharts(agent, model)];
  const [first] = all;
  const missed = (one: InstalledAgent) => untolerated(hard, one.tolerations);
  if (first === undefined || all.some((one) => missed(one).length === 0)) return undefined;
  const { object, path, remedy, fix } = first;
  const named = listText(missed(first).map(formatTaint));
  return { object, path, remedy: remedy(named), ...(fix === undefined ? {} : { fix }), taints: named };
}

function ofDaemonSets({ daemonSets }: AgentStartupTaint, { workloads }: ManifestModel): InstalledAgent[] {
  return workloads.flatMap(({ kind, name, shape, object, podPath }) => {
    if (kind !== 'DaemonSet' || !daemonSets.includes(name) || shape === undefined) return [];
    const path = [...podPath, 'tolerations'];
    return [
      {
        object,
        path,
        tolerations: shape.tolerations,
        remedy: (taints: string) => `tolerate ${taints}, or all taints with operator: Exists`,
        fix: unsafeFix(appendItem(path, { operator: 'Exists' })),
      },
    ];
  });
}

function ofCharts({ daemonSets }: AgentStartupTaint, model: ManifestModel): InstalledAgent[] {
  const driver = daemonSets.flatMap((name) => DRIVERS.get(name) ?? [])[0];
  if (driver === undefined) return [];
  const aws = model.aws.hasTemplates ? model.aws : (model.writtenAws ?? model.aws);
  const charts = installedCharts({ ...model, aws }, driver.chart);
  const addons = addonsOf({ ...model, aws }, driver.chart);
  const field = driver.all === undefined ? 'tolerations' : 'tolerateAllTaints';
  const remedy = (taints: string) =>
    field === 'tolerations'
      ? `add a toleration of ${taints} to node.tolerations`
      : 'write node.tolerateAllTaints: true';
  return [
    ...charts.map(({ object, values, pathOf }) => ({
      object,
      path: pathOf('node', field),
      tolerations: tolerationsOf(values, driver),
      remedy,
      ...(field === 'tolerations' ? {} : { fix: chartValueFix({ pathOf }, ['node', field], true) }),
    })),
    ...addons.map(({ object, path, values }) => ({ object, path, tolerations: tolerationsOf(values, driver), remedy })),
  ];
}

/** All taints are tolerated if the values are not known. */
function tolerationsOf(values: PlainRecord | undefined, { all }: NodeTolerations): readonly Toleration[] {
  const { tolerateAllTaints = all, tolerations, defaultTolerations } = asRecord(values?.node) ?? {};
  const isUnknown = values === undefined || findUnresolved(values.node) !== undefined;
  const isEach = all === undefined && tolerations === undefined;
  // Templates of Helm take any text for true.
  if (isUnknown || isEach || tolerateAllTaints) return [EACH];
  const isDefault = all === true ? tolerations === undefined : all === false && defaultTolerations !== false;
  return [...(isDefault ? [CRITICAL, EACH_EXECUTE] : []), ...(recordsOf(tolerations) as readonly Toleration[])];
}

const EACH: Toleration = { operator: 'Exists' };
const EACH_EXECUTE: Toleration = { operator: 'Exists', effect: 'NoExecute' };
/** Only the chart of S3 has it, but no NodePool has the taint. */
const CRITICAL: Toleration = { key: 'CriticalAddonsOnly', operator: 'Exists' };

interface ConfiguredAddon {
  readonly object: ManifestObject;
  readonly path: FieldPath;
  readonly values?: PlainRecord;
}

/** The add-ons of that name, with their configuration in JSON or YAML. */
function addonsOf({ aws, objects }: ManifestModel, wanted: string): ConfiguredAddon[] {
  return [
    ...aws.addons
      .filter(({ name }) => name === wanted)
      .map(({ resource: { object, properties } }) => ({
        object,
        path: ['Properties', 'ConfigurationValues'],
        values: configurationOf(properties.ConfigurationValues),
      })),
    ...eksctlClusters(objects).flatMap(({ object }) =>
      recordsOf(object.raw?.addons).flatMap(({ name, configurationValues }, index) =>
        name === wanted
          ? [{ object, path: ['addons', index, 'configurationValues'], values: configurationOf(configurationValues) }]
          : [],
      ),
    ),
  ];
}

function configurationOf(configuration: unknown): PlainRecord | undefined {
  if (configuration === undefined) return {};
  if (typeof configuration !== 'string' || findUnresolved(configuration) !== undefined) return undefined;
  try {
    return asRecord(parseYaml(configuration));
  } catch {
    return undefined;
  }
}
