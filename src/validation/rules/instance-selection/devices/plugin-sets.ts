import { mentionsPlugin } from './device-nodes';
import { asRecord, compareKarpenterVersions, DevicePlugin, FieldPath } from '../../../../contract';
import { PodShape } from '../../../../scheduling';
import { exactVersion, gitOpsReleases } from '../../../controller';
import { FieldReader } from '../../../manifest/field-reader';
import { ManifestModel, ManifestObject } from '../../../manifest/model';
import { ProblemLog } from '../../../manifest/problem-log';
import { PlainRecord, recordsOf } from '../../../manifest/records';
import { readNodeSelector, readRequiredTerms, readTolerations } from '../../../manifest/workload/node-affinity';
import { nullKeysOf } from '../../../manifest/yaml/mapping-value';

/** The DaemonSet of a plugin, as the input has it or a chart makes it. */
export interface PluginSet {
  readonly object: ManifestObject;
  /** The path of the pod's spec, or of the values of the chart. */
  readonly podPath: FieldPath;
  readonly shape: PodShape;
  /** Other values of the chart with tolerations of its DaemonSets. @default - no chart makes it */
  readonly chart?: { readonly otherTolerations: readonly string[] };
}

const NVIDIA_CHART = 'nvidia-device-plugin';
/** The first release of this chart that is known to have these defaults. */
const DEFAULTS_SINCE = '0.15.0';
const OPERATOR_CHART = 'gpu-operator';
const LABELS = {
  'feature.node.kubernetes.io/pci-10de.present': 'true',
  'feature.node.kubernetes.io/cpu-model.vendor_id': 'NVIDIA',
  'nvidia.com/gpu.present': 'true',
};

/** Source: deployments/helm/nvidia-device-plugin/values.yaml of https://github.com/NVIDIA/k8s-device-plugin v0.17.1. */
const NVIDIA_DEFAULTS: PlainRecord = {
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: Object.entries(LABELS).map(([key, value]) => ({
          matchExpressions: [{ key, operator: 'In', values: [value] }],
        })),
      },
    },
  },
  tolerations: [
    { key: 'CriticalAddonsOnly', operator: 'Exists' },
    { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' },
  ],
};

/** The DaemonSets of the plugin whose pods are known. */
export function pluginSets(model: ManifestModel, plugin: DevicePlugin): PluginSet[] {
  const written = model.workloads.flatMap(({ kind, shape, name, object, podPath }): PluginSet[] =>
    kind === 'DaemonSet' &&
    shape !== undefined &&
    (mentionsPlugin(name, plugin) || mentionsPlugin(object.raw?.spec?.template?.spec?.containers, plugin))
      ? [{ object, podPath, shape }]
      : [],
  );
  return plugin.marks.includes(NVIDIA_CHART) ? [...written, ...pluginCharts(model), ...operators(model)] : written;
}

/** The DaemonSets of releases of the chart, with its defaults. */
function pluginCharts({ objects }: ManifestModel): PluginSet[] {
  return gitOpsReleases(objects, NVIDIA_CHART).flatMap((release): PluginSet[] => {
    const { object, values, complete, valuesPath } = release;
    const version = exactVersion(release);
    if (!complete || version === undefined || compareKarpenterVersions(version, DEFAULTS_SINCE) < 0) return [];
    const shape = shapeOf(object, merged(NVIDIA_DEFAULTS, values));
    return shape === undefined ? [] : [{ object, podPath: valuesPath, shape, chart: { otherTolerations: [] } }];
  });
}

/**
 * The DaemonSets of NVIDIA's operator, which follow labels that it sets itself.
 *
 * Source: `daemonsets` in deployments/gpu-operator/values.yaml of https://github.com/NVIDIA/gpu-operator v24.9.2.
 */
function operators({ objects }: ManifestModel): PluginSet[] {
  return gitOpsReleases(objects, OPERATOR_CHART).flatMap(({ object, values, complete, valuesPath }): PluginSet[] => {
    const [, operatorToleration] = recordsOf(NVIDIA_DEFAULTS.tolerations);
    const { tolerations = [operatorToleration] } = asRecord(values.daemonsets) ?? {};
    const shape = complete ? shapeOf(object, { tolerations }) : undefined;
    const chart = { otherTolerations: ['node-feature-discovery.worker.tolerations'] };
    return shape === undefined ? [] : [{ object, podPath: [...valuesPath, 'daemonsets'], shape, chart }];
  });
}

/** Undefined if a value is invalid or known only at deployment. */
function shapeOf(object: ManifestObject, spec: PlainRecord): PodShape | undefined {
  const reader = new FieldReader(object, new ProblemLog());
  const affinity = asRecord(asRecord(spec.affinity)?.nodeAffinity);
  const shape: PodShape = {
    requests: new Map(),
    nodeSelector: readNodeSelector(reader, [], spec.nodeSelector),
    requiredNodeAffinity: readRequiredTerms(reader, [], affinity),
    preferredNodeAffinity: [],
    tolerations: readTolerations(reader, [], spec.tolerations),
    notEvaluated: [],
  };
  return reader.invalid || reader.tokens.length > 0 ? undefined : shape;
}

/** As Helm merges values: mappings by key, anything else as a whole, and null removes a default. */
function merged(defaults: PlainRecord, given: PlainRecord): PlainRecord {
  const values: Record<string, unknown> = { ...defaults };
  for (const [key, value] of Object.entries(given)) {
    const [before, after] = [asRecord(values[key]), asRecord(value)];
    values[key] = before && after ? merged(before, after) : value;
  }
  for (const key of nullKeysOf(given)) delete values[key];
  return values;
}
