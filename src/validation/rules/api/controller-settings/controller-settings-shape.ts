import { clusterOfNodes } from './cluster-of-nodes';
import { checkSettingValues } from './controller-setting-values';
import { otherClusterName } from './defined-cluster';
import { asRecord, FieldEdit, FieldPath, renameField, safeFix, setField } from '../../../../contract';
import { listText, nearestName } from '../../../../model';
import { Controller, chartValue, givenSettings } from '../../../controller';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { PlainRecord } from '../../../manifest/records';
import { readable, sameText } from '../../../template';
import { chartValueFix } from '../../common/edits/chart-value-fix';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../../rule';

/** A key under `settings` of the chart's values that the chart does not read, and the key that was likely meant. */
interface UnreadSetting {
  readonly path: readonly string[];
  readonly meant: readonly string[];
}

/** Source: charts/karpenter/values.yaml of Karpenter for AWS 1.15.1. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  '': [
    'batchMaxDuration',
    'batchIdleDuration',
    'preferencePolicy',
    'minValuesPolicy',
    'clusterCABundle',
    'clusterName',
    'clusterEndpoint',
    'isolatedVPC',
    'eksControlPlane',
    'vmMemoryOverheadPercent',
    'interruptionQueue',
    'enableZonalShift',
    'reservedENIs',
    'enableDRA',
    'ignoreDRARequests',
    'legacyNodeRepair',
    'disableClusterStateObservability',
    'disableDryRun',
    'amiRefreshInterval',
    'subnetRefreshInterval',
    'securityGroupRefreshInterval',
    'featureGates',
    'awsFeatureGates',
  ],
  featureGates: [
    'nodeRepair',
    'nodeOverlay',
    'reservedCapacity',
    'spotToSpotConsolidation',
    'staticCapacity',
    'capacityBuffer',
    'terminateFirstDrift',
    'terminateFirstRepair',
    'podDeletionCostManagement',
  ],
  awsFeatureGates: ['nodeClassCEL', 'draNVIDIAGPU', 'draEFA', 'rebootForRepair'],
};

/** Keys of charts before 0.32 and their names today. */
const RENAMED_SETTINGS: Readonly<Record<string, string>> = { interruptionQueueName: 'interruptionQueue' };
/** The map below `settings` in charts before 0.32. */
const LEGACY_MAP = 'aws';

const URL_WITH_HOST = /^[a-z][a-z0-9+.-]*:\/\/[^/:?#]/i;

/** @see https://karpenter.sh/docs/reference/settings/ */
export const controllerSettingsShape: Rule = {
  id: 'KARP-115',
  name: 'controller-settings-shape',
  severity: 'error',
  summary:
    "Karpenter's settings name no cluster, the wrong cluster, an invalid endpoint, or a setting or value that Karpenter does not read.",
  check(context: RuleContext): Outcome[] {
    return context.controllers.flatMap((controller) => [
      ...checkNamedCluster(controller, context),
      ...(controller.fromChart ? checkChart(controller) : checkDeployment(controller)),
      ...checkOverhead(controller),
    ]);
  },
};

function checkChart(controller: Controller): Outcome[] {
  const legacy = checkLegacyMap(controller);
  const isCause = legacy.length > 0 && legacySettings(controller).includes('clusterName');
  const cluster = chartValue(controller.values, 'settings', 'clusterName');
  return [
    ...(isCause && (cluster === undefined || cluster === '') ? [] : [checkCluster(controller)]),
    ...checkEndpoint(controller),
    ...legacy,
    ...checkKeys(controller),
    ...checkSettingValues(controller),
  ];
}

/** A values file is judged with the chart that reads it. */
function checkDeployment(controller: Controller): Outcome[] {
  const { object, version } = controller;
  if (object.kind !== 'Deployment' || version === undefined || version.startsWith('0.')) return [];
  const values = checkSettingValues(controller);
  const isMisspelt = values.some(
    (outcome) => outcome.state === 'fail' && outcome.finding.evidence.read === 'CLUSTER_NAME',
  );
  return [...(isMisspelt ? [] : checkClusterName(controller)), ...checkEndpoint(controller), ...values];
}

/** Source: `validateRequiredFields` in pkg/operator/options of Karpenter for AWS 1.15.1. */
function checkClusterName({ object, values, pathOf }: Controller): Outcome[] {
  if (chartValue(values, 'settings', 'clusterName') !== '') return [];
  return [
    fail({
      object,
      path: pathOf('settings'),
      message: 'does not set CLUSTER_NAME: Karpenter ends at its start',
      remedy: 'add the environment variable CLUSTER_NAME with the name of the cluster',
      evidence: { variable: 'CLUSTER_NAME' },
    }),
  ];
}

/** The settings below the map of charts before 0.32, with their names today. */
function legacySettings({ values }: Controller): string[] {
  return Object.keys(asRecord(chartValue(values, 'settings', LEGACY_MAP)) ?? {})
    .map((key) => (Object.hasOwn(RENAMED_SETTINGS, key) ? RENAMED_SETTINGS[key] : key))
    .filter((key) => SETTINGS[''].includes(key));
}

function checkLegacyMap(controller: Controller): Outcome[] {
  const { object, values, version, pathOf } = controller;
  if (version?.startsWith('0.') || chartValue(values, 'settings', LEGACY_MAP) === undefined) return [];
  const names = legacySettings(controller).map((key) => `settings.${key}`);
  const isCause = names.includes('settings.clusterName') && !chartValue(values, 'settings', 'clusterName');
  return [
    fail({
      object,
      path: pathOf('settings', LEGACY_MAP),
      message:
        'unknown chart value settings.aws, which is of charts before 0.32: the chart ignores all keys below it' +
        (isCause ? ', and Helm refuses to install it without settings.clusterName' : ''),
      remedy: names.length === 0 ? 'remove it' : `write ${listText(names)} instead`,
      evidence: { given: 'settings.aws', read: 'settings', settings: names },
    }),
  ];
}

/**
 * Source: pkg/operator/options of Karpenter for AWS 1.15.1, which refuses only a negative share, and pkg/providers/
 * instancetype, which subtracts the share from the memory of every type.
 */
function checkOverhead({ object, values, pathOf }: Controller): Outcome[] {
  const written = chartValue(values, 'settings', 'vmMemoryOverheadPercent');
  const share = typeof written === 'string' && written.trim() !== '' ? Number(written) : written;
  if (typeof share !== 'number' || Number.isNaN(share) || (share >= 0 && share < 1)) return [];
  const path = pathOf('settings', 'vmMemoryOverheadPercent');
  const meant = share >= 1 && share < 100 ? Number((share / 100).toPrecision(6)) : undefined;
  return [
    fail({
      object,
      path,
      message:
        share < 0
          ? `settings.vmMemoryOverheadPercent is ${share}: Karpenter ends at its start, because it cannot be negative`
          : `settings.vmMemoryOverheadPercent is ${share}, which means ${Number((share * 100).toPrecision(6))}% of a node's memory: no pod fits on any node`,
      remedy: meant === undefined ? 'write a share below 1, such as 0.075' : `write ${meant}, which means ${share}%`,
      evidence: { share },
      fix: meant === undefined ? undefined : safeFix(setField(path, typeof written === 'string' ? `${meant}` : meant)),
    }),
  ];
}

/** Helm accepts values that no template reads. */
function checkKeys({ object, values, version, pathOf }: Controller): Outcome[] {
  if (version?.startsWith('0.')) return [];
  return unreadSettings(asRecord(values.settings) ?? {}).map(({ path, meant }) => {
    const fieldPath = pathOf('settings', ...path);
    const [given, read] = [path, meant].map((steps) => ['settings', ...steps].join('.'));
    return fail({
      object,
      path: fieldPath,
      message: `unknown chart value ${given}: the chart ignores it, so Karpenter runs without this setting`,
      remedy: `write ${read}`,
      evidence: { given, read },
      fix: safeFix(renamed(fieldPath, read)),
    });
  });
}

/** A parameter of Argo CD has the path of the value as its name. */
function renamed(path: FieldPath, read: string): FieldEdit {
  return path.includes('parameters')
    ? setField([...path.slice(0, -1), 'name'], read)
    : renameField(path, read.slice(read.lastIndexOf('.') + 1));
}

/**
 * Without a cluster name Helm fails: templates/deployment.yaml of the chart of Karpenter for AWS 1.15.1 uses
 * `required`, which environment variables do not satisfy.
 */
function checkCluster(controller: Controller): Outcome {
  const { object, helmRelease: release, complete } = controller;
  const name = chartValue(controller.values, 'settings', 'clusterName');
  if (typeof name !== 'string' || name === '') {
    if (!complete) return notEvaluated(object, 'its values are known only at deployment');
    return finding(
      controller,
      'settings.clusterName is not set: Helm refuses to install the chart',
      release && readable(release.cluster),
    );
  }
  if (!release || findUnresolved(readable(name)) !== undefined) return pass(object);
  const same = sameText(name, release.cluster);
  if (same === 'unknown')
    return notEvaluated(
      object,
      `it is known only at deployment whether ${readable(name)} is the cluster that the chart is installed in`,
    );
  if (same === 'yes') return pass(object);
  return finding(
    controller,
    `settings.clusterName is ${readable(name)}, but the chart is installed in cluster ${readable(release.cluster)}: ` +
      `its nodes would join ${readable(name)}`,
    readable(release.cluster),
  );
}

/** Without a chart resource, the definition of the cluster or the node classes say which cluster is meant. */
function checkNamedCluster(controller: Controller, context: RuleContext): Outcome[] {
  const { object, helmRelease, values, fromChart } = controller;
  if (helmRelease) return [];
  const defined = otherClusterName(controller, context.model);
  if (defined) return [fail(defined)];
  const name = chartValue(values, 'settings', 'clusterName');
  const other = fromChart && typeof name === 'string' && name !== '' && clusterOfNodes(context, controller, name);
  if (!other) return [];
  const { cluster, isOverridden, namedBy } = other;
  const how = isOverridden ? ', by a parameter that replaces the value below it' : '';
  const also = namedBy.length === 0 ? '' : `, as ${namedBy[0]} does`;
  return [
    fail({
      object,
      path: controller.pathOf('settings', 'clusterName'),
      message: `settings.clusterName is ${name}${how}, but the node classes select the network of cluster ${cluster}${also}: Karpenter calls the API of another cluster, and its nodes do not join ${cluster}`,
      remedy: `write ${cluster}`,
      evidence: { given: name, cluster },
      fix: chartValueFix(controller, ['settings', 'clusterName'], cluster),
    }),
  ];
}

/** Source: `validateEndpoint` in pkg/operator/options of Karpenter for AWS 1.15.1. */
function checkEndpoint(controller: Controller): Outcome[] {
  return givenSettings(controller, ['clusterEndpoint']).flatMap(
    ({ name, value: endpoint, path, isFlag }): Outcome[] => {
      if (
        typeof endpoint !== 'string' ||
        endpoint === '' ||
        findUnresolved(readable(endpoint)) !== undefined ||
        URL_WITH_HOST.test(endpoint)
      )
        return [];
      const url = /^[\w.-]+(:\d+)?$/.test(endpoint) ? `https://${endpoint}` : undefined;
      return [
        fail({
          object: controller.object,
          path,
          message: `${name} is ${endpoint}, which is no URL: Karpenter ends at its start`,
          remedy:
            url === undefined
              ? 'write the URL of the API server, or remove the setting: Karpenter then reads it from EKS'
              : `write ${url}`,
          evidence: { endpoint },
          fix: url === undefined || isFlag ? undefined : safeFix(setField(path, url)),
        }),
      ];
    },
  );
}

function finding({ object, pathOf }: Controller, message: string, cluster: string | undefined): Outcome {
  const remedy =
    cluster === undefined
      ? 'set settings.clusterName to the name of the cluster'
      : `write settings.clusterName: ${cluster}`;
  return fail({
    object,
    path: pathOf('settings', 'clusterName'),
    message,
    remedy,
    evidence: { cluster: cluster ?? null },
  });
}

/**
 * Only keys that resemble a key of the chart, or once were one: other releases of the chart may have keys that are
 * not listed here.
 *
 * @see https://karpenter.sh/docs/reference/settings/
 */
function unreadSettings(settings: PlainRecord): UnreadSetting[] {
  return Object.entries(SETTINGS).flatMap(([map, keys]) => {
    const parent = map === '' ? [] : [map];
    const given = map === '' ? settings : (asRecord(settings[map]) ?? {});
    return Object.keys(given)
      .filter((key) => !keys.includes(key))
      .flatMap((key) => {
        const meant =
          map === '' && Object.hasOwn(RENAMED_SETTINGS, key) ? RENAMED_SETTINGS[key] : nearestName(key, keys);
        return meant === undefined || (map === '' && key === LEGACY_MAP)
          ? []
          : [{ path: [...parent, key], meant: [...parent, meant] }];
      });
  });
}
