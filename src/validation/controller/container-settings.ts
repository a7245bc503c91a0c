import { asRecord, FEATURE_GATES, FeatureGateRule } from '../../contract';
import { valueText } from '../../model';
import { PlainRecord, recordsOf } from '../manifest/records';

/**
 * The controller's flags by the chart's settings, plus the scheduler configuration, for which the chart has no setting.
 * The environment variable of a flag has the flag's name in capitals.
 *
 * Sources: pkg/operator/options/options.go of sigs.k8s.io/karpenter v1.15.0 and of Karpenter for AWS 1.15.1, and
 * templates/deployment.yaml of its chart.
 */
const FLAGS: Readonly<Record<string, string>> = {
  clusterName: 'cluster-name',
  interruptionQueue: 'interruption-queue',
  isolatedVPC: 'isolated-vpc',
  enableZonalShift: 'enable-zonal-shift',
  vmMemoryOverheadPercent: 'vm-memory-overhead-percent',
  reservedENIs: 'reserved-enis',
  preferencePolicy: 'preference-policy',
  minValuesPolicy: 'min-values-policy',
  ignoreDRARequests: 'ignore-dra-requests',
  schedulerConfig: 'scheduler-config',
};
/** The chart's maps of feature gates; each map becomes one flag. */
const GATES: Readonly<Record<string, string>> = { featureGates: 'feature-gates', awsFeatureGates: 'aws-feature-gates' };
/** The flag without a chart setting, which `controller-options.ts` reads from its environment variable. */
const SCHEDULER_CONFIG = 'schedulerConfig';
/** Boolean flags, which need no value. */
const SWITCHES = [
  'enable-profiling',
  'disable-controller-warmup',
  'disable-leader-election',
  'disable-cluster-state-observability',
  'ignore-dra-requests',
  'legacy-node-repair',
  'isolated-vpc',
  'eks-control-plane',
  'disable-dry-run',
  'enable-zonal-shift',
];

/** Settings for which the chart always sets an environment variable. */
const ALWAYS_WRITTEN = ['clusterName', 'ignoreDRARequests'];

/** Placeholder for a value from a ConfigMap, a Secret or a field of the pod. */
export const VALUE_FROM = '${valueFrom}';

/**
 * The settings of a controller container in the form of the chart's `settings`. An empty value means Karpenter's
 * default.
 */
export function settingsOfContainer(container: PlainRecord): PlainRecord {
  const flags = flagsOf(container);
  const variables = variablesOf(container);
  const fallback = recordsOf(container.envFrom).length > 0 ? VALUE_FROM : '';
  const valueOfFlag = (flag: string) => {
    const value = flags.get(flag) ?? variables.get(flag.toUpperCase().replaceAll('-', '_')) ?? fallback;
    return typeof value === 'string' && value.includes('$(') ? VALUE_FROM : value;
  };
  return {
    ...Object.fromEntries(Object.entries(FLAGS).map(([setting, flag]) => [setting, valueOfFlag(flag)])),
    featureGates: gatesIn(valueOfFlag(GATES.featureGates), 'core'),
    awsFeatureGates: gatesIn(valueOfFlag(GATES.awsFeatureGates), 'aws'),
  };
}

/**
 * The settings that Karpenter gets from the chart's values. `controller.env` overrides the chart's own variables,
 * because Kubernetes uses the last variable of a name. `controller.envFrom` may set variables that the chart does not
 * set.
 */
export function settingsOfChart(values: PlainRecord): PlainRecord {
  const settings = asRecord(values.settings) ?? {};
  const { env, envFrom } = asRecord(values.controller) ?? {};
  const variables = variablesOf({ env });
  const hasEnvFrom = recordsOf(envFrom).length > 0;
  if (variables.size === 0 && !hasEnvFrom) return settings;
  const fromEnv = settingsOfContainer({ env });
  const overridden = Object.keys(fromEnv).filter(
    (key) => key !== SCHEDULER_CONFIG && variables.has(variableOfSetting(key)),
  );
  const unset = Object.keys(FLAGS).filter(
    (key) => key !== SCHEDULER_CONFIG && hasEnvFrom && !settings[key] && !ALWAYS_WRITTEN.includes(key),
  );
  return {
    ...settings,
    ...Object.fromEntries(unset.map((key) => [key, VALUE_FROM])),
    ...Object.fromEntries(overridden.map((key) => [key, fromEnv[key]])),
  };
}

/** The environment variable of a setting, or of a map of feature gates. */
export function variableOfSetting(key: string): string {
  return (FLAGS[key] ?? GATES[key] ?? '').toUpperCase().replaceAll('-', '_');
}

function variablesOf({ env }: PlainRecord): Map<unknown, unknown> {
  return new Map(
    recordsOf(env).map(({ name, value, valueFrom }) => [name, valueFrom === undefined ? (value ?? '') : VALUE_FROM]),
  );
}

/**
 * Parses flags as Go's `flag` package does: `-name` or `--name`, `=value` or the next word; stops at the first word
 * without a dash.
 */
export function flagsOf({ command, args }: PlainRecord): Map<string, string> {
  const words = [...(Array.isArray(command) ? command.slice(1) : []), ...(Array.isArray(args) ? args : [])].map(
    valueText,
  );
  const flags = new Map<string, string>();
  while (words.length > 0) {
    const [, name, value] = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(words.shift()!) ?? [];
    if (name === undefined) break;
    flags.set(name, value ?? (SWITCHES.includes(name) ? 'true' : (words.shift() ?? '')));
  }
  return flags;
}

/** Feature gates by the chart's keys, as texts. An undefined gate has Karpenter's default. */
function gatesIn(text: unknown, owner: FeatureGateRule['owner']): PlainRecord {
  const values = new Map(
    valueText(text)
      .split(',')
      .map((pair) => pair.split('=').map((part) => part.trim()))
      .map(([name, value]) => [name, value]),
  );
  const gates = Object.values(FEATURE_GATES).filter((gate) => gate.owner === owner);
  return Object.fromEntries(gates.map(({ name, setting }) => [setting, text === VALUE_FROM ? text : values.get(name)]));
}
