import { asRecord, FEATURE_GATES, FeatureGateRule } from '../../contract';
import { PlainRecord, recordsOf } from '../manifest/records';

/**
 * Flags of the controller by the settings of the chart that make them, but for the scheduler's configuration, of which the chart knows
 * nothing. An environment variable has the name of its flag, in capitals.
 *
 * Sources: pkg/operator/options/options.go of sigs.k8s.io/karpenter v1.15.0 and of Karpenter for AWS 1.15.1, and templates/deployment.yaml
 * of its chart.
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
/** Maps of gates in the chart, each one flag. */
const GATES: Readonly<Record<string, string>> = { featureGates: 'feature-gates', awsFeatureGates: 'aws-feature-gates' };
/** Of this one the chart has no setting: its variable is read by itself. */
const SCHEDULER_CONFIG = 'schedulerConfig';
/** Flags that need no value to be on. */
const SWITCHES = [
  'enable-profiling', 'disable-controller-warmup', 'disable-leader-election', 'disable-cluster-state-observability', 'ignore-dra-requests',
  'legacy-node-repair', 'isolated-vpc', 'eks-control-plane', 'disable-dry-run', 'enable-zonal-shift',
];

/** Settings that the chart writes down whatever they are. */
const ALWAYS_WRITTEN = ['clusterName', 'ignoreDRARequests'];

/** Stands for what a ConfigMap, a Secret or the pod itself gives. */
export const FROM_ELSEWHERE = '${valueFrom}';

/** What a container tells Karpenter, as the chart's `settings` have it; empty where it says nothing, which leaves Karpenter's default. */
export function settingsOfContainer(container: PlainRecord): PlainRecord {
  const flags = flagsOf(container);
  const variables = variablesOf(container);
  const others = recordsOf(container.envFrom).length > 0 ? FROM_ELSEWHERE : '';
  const told = (flag: string) => {
    const value = flags.get(flag) ?? variables.get(flag.toUpperCase().replaceAll('-', '_')) ?? others;
    return typeof value === 'string' && value.includes('$(') ? FROM_ELSEWHERE : value;
  };
  return {
    ...Object.fromEntries(Object.entries(FLAGS).map(([setting, flag]) => [setting, told(flag)])),
    featureGates: gatesIn(told(GATES.featureGates), 'core'),
    awsFeatureGates: gatesIn(told(GATES.awsFeatureGates), 'aws'),
  };
}

/**
 * The settings that Karpenter gets of the chart's values. What `controller.env` has comes after the chart's own variables, and of one name
 * Kubernetes takes the last; `controller.envFrom` counts for those that the chart does not write.
 */
export function settingsOfChart(values: PlainRecord): PlainRecord {
  const settings = asRecord(values.settings) ?? {};
  const { env, envFrom } = asRecord(values.controller) ?? {};
  const variables = variablesOf({ env });
  const hasOthers = recordsOf(envFrom).length > 0;
  if (variables.size === 0 && !hasOthers) return settings;
  const told = settingsOfContainer({ env });
  const keys = Object.keys(told).filter((key) => key !== SCHEDULER_CONFIG && variables.has(variableOfSetting(key)));
  const unwritten = Object.keys(FLAGS).filter((key) => key !== SCHEDULER_CONFIG && hasOthers && !settings[key] && !ALWAYS_WRITTEN.includes(key));
  return {
    ...settings,
    ...Object.fromEntries(unwritten.map((key) => [key, FROM_ELSEWHERE])),
    ...Object.fromEntries(keys.map((key) => [key, told[key]])),
  };
}

/** The environment variable that tells Karpenter a setting, or all gates of a map. */
export function variableOfSetting(key: string): string {
  return (FLAGS[key] ?? GATES[key] ?? '').toUpperCase().replaceAll('-', '_');
}

function variablesOf({ env }: PlainRecord): Map<unknown, unknown> {
  return new Map(recordsOf(env).map(({ name, value, valueFrom }) => [name, valueFrom === undefined ? value ?? '' : FROM_ELSEWHERE]));
}

/** As Go reads them: with one dash or two, the value behind = or in the next word, and no further than the first word that is no flag. */
function flagsOf({ command, args }: PlainRecord): Map<string, string> {
  const words = [...Array.isArray(command) ? command.slice(1) : [], ...Array.isArray(args) ? args : []].map(String);
  const flags = new Map<string, string>();
  while (words.length > 0) {
    const [, name, value] = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(words.shift()!) ?? [];
    if (name === undefined) break;
    flags.set(name, value ?? (SWITCHES.includes(name) ? 'true' : words.shift() ?? ''));
  }
  return flags;
}

/** Gates by their keys in the chart, as texts; those that are not named are as Karpenter has them. */
function gatesIn(text: unknown, owner: FeatureGateRule['owner']): PlainRecord {
  const values = new Map(String(text).split(',').map((pair) => pair.split('=').map((part) => part.trim())).map(([name, value]) => [name, value]));
  const gates = Object.values(FEATURE_GATES).filter((gate) => gate.owner === owner);
  return Object.fromEntries(gates.map(({ name, setting }) => [setting, text === FROM_ELSEWHERE ? text : values.get(name)]));
}
