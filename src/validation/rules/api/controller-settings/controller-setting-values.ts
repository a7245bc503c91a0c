import { removedVariables } from './controller-variables';
import { compareKarpenterVersions, FEATURE_GATES, FieldFix, safeFix, setField } from '../../../../contract';
import { listText, nearestName, parseGoBool, parseGoDuration } from '../../../../model';
import { chartValue, Controller, GivenSetting, givenSettings } from '../../../controller';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { fail, Outcome } from '../../rule';

interface SettingKind {
  readonly noun: string;
  readonly example: string;
  accepts(text: string): boolean;
}

const DURATION: SettingKind = {
  noun: 'duration with a unit',
  example: '10s',
  accepts: (text) => parseGoDuration(text) !== undefined,
};
const INTERVAL: SettingKind = { ...DURATION, example: '5m' };
const INTEGER: SettingKind = {
  noun: 'whole number',
  example: '1',
  accepts: (text) => /^[+-]?\d+$/.test(text),
};
const FRACTION: SettingKind = {
  noun: 'number',
  example: '0.075',
  accepts: (text) => !Number.isNaN(Number(text)),
};
const SWITCH: SettingKind = {
  noun: 'boolean',
  example: 'true',
  accepts: (text) => parseGoBool(text) !== undefined,
};

/**
 * The kind and the default of each setting that Karpenter parses from an environment variable.
 *
 * Sources: `WithDefaultDuration` and its siblings in pkg/utils/env of sigs.k8s.io/karpenter v1.0.5 and v1.15.0, which
 * return the default if the text cannot be parsed, and pkg/operator/options of Karpenter for AWS 1.15.1. Go refuses
 * such a text as the value of a flag.
 */
const PARSED: Readonly<Record<string, readonly [kind: SettingKind, fallback: string]>> = {
  batchMaxDuration: [DURATION, '10s'],
  batchIdleDuration: [DURATION, '1s'],
  amiRefreshInterval: [INTERVAL, '1m'],
  subnetRefreshInterval: [INTERVAL, '1m'],
  securityGroupRefreshInterval: [INTERVAL, '1m'],
  vmMemoryOverheadPercent: [FRACTION, '0.075'],
  reservedENIs: [INTEGER, '0'],
  isolatedVPC: [SWITCH, 'false'],
  eksControlPlane: [SWITCH, 'false'],
  enableZonalShift: [SWITCH, 'false'],
  disableDryRun: [SWITCH, 'false'],
  disableClusterStateObservability: [SWITCH, 'false'],
  legacyNodeRepair: [SWITCH, 'false'],
};

/**
 * The words of settings, and the first release that is known to refuse others.
 *
 * Source: `Options.Parse` in pkg/operator/options of sigs.k8s.io/karpenter v1.0.5, v1.8.2 and v1.15.0.
 */
const WORDS: Readonly<Record<string, readonly [words: readonly string[], since: string]>> = {
  preferencePolicy: [['Respect', 'Ignore'], '1.8.0'],
  minValuesPolicy: [['Strict', 'BestEffort'], '1.8.0'],
  logLevel: [['debug', 'info', 'error'], '1.0.0'],
};
/** The gates that the chart passes on as they are written. */
const GATES = Object.values(FEATURE_GATES).flatMap(({ owner, setting }) => (owner === 'core' ? [setting] : []));
/** The flags with gates, whose values are lists such as `NodeRepair=true,NodeOverlay=false`. */
const GATE_LISTS = { featureGates: 'core', awsFeatureGates: 'aws' } as const;
/** A longer batch window without a unit may be meant in milliseconds. */
const MAX_SECONDS = 60;
const ENDS = 'Karpenter ends at its start';

/** Replicas that all act at the same time. */
function checkLeaderElection(controller: Controller): Outcome[] {
  const replicas = chartValue(controller.values, 'replicas');
  const [setting] = givenSettings(controller, ['disableLeaderElection']);
  if (setting === undefined || parseGoBool(setting.value) !== true || typeof replicas !== 'number' || replicas < 2)
    return [];
  return [
    fail({
      object: controller.object,
      path: setting.path,
      message: `${setting.name} is ${scalarText(setting.value) ?? 'true'} with ${replicas} replicas: all of them launch nodes for the same pending pods, and disrupt nodes`,
      remedy: `remove ${setting.name}`,
      evidence: { replicas },
    }),
  ];
}

/** Values that Karpenter cannot parse: it takes the default of a setting, and ends at a feature gate. */
export function checkSettingValues(controller: Controller): Outcome[] {
  if (controller.version?.startsWith('0.')) return [];
  return [
    ...givenSettings(controller, Object.keys(PARSED)).flatMap((setting) => checkValue(controller, setting)),
    ...givenSettings(controller, Object.keys(WORDS)).flatMap((setting) => checkWord(controller, setting)),
    ...givenSettings(controller, Object.keys(GATE_LISTS)).flatMap((setting) => checkGateList(controller, setting)),
    ...checkBatchWindow(controller),
    ...(controller.fromChart ? GATES.flatMap((key) => checkGate(controller, key)) : []),
    ...checkLeaderElection(controller),
    ...removedVariables(controller),
  ];
}

function checkValue({ object }: Controller, { key, name, value, path, isFlag }: GivenSetting): Outcome[] {
  const text = scalarText(value);
  const [kind, fallback] = PARSED[key];
  if (text === undefined || kind.accepts(text)) return [];
  const meant = meantValue(text, kind);
  return [
    fail({
      object,
      path,
      // The default has the same effect as the value that was meant.
      severity: isFlag ? 'error' : meant === fallback ? 'info' : 'warning',
      message: `${name} is ${text}, which is no ${kind.noun}: ${isFlag ? ENDS : `Karpenter ignores it and takes its default, ${fallback}`}`,
      remedy: meant === undefined ? `write a ${kind.noun}, such as ${kind.example}` : `write ${meant}`,
      evidence: { given: text, default: fallback },
      fix: meant === undefined || isFlag ? undefined : safeFix(setField(path, meant)),
    }),
  ];
}

/** Words that Karpenter compares as they are written, also in their case. */
function checkWord({ object, version }: Controller, { key, name, value, path, isFlag }: GivenSetting): Outcome[] {
  const text = scalarText(value);
  const [words, since] = WORDS[key];
  const isOlder = version !== undefined && compareKarpenterVersions(version, since) < 0;
  if (text === undefined || isOlder || words.includes(text)) return [];
  const meant = nearestName(text, words);
  return [
    fail({
      object,
      path,
      message: `${name} is ${text}, which Karpenter does not know: ${ENDS}`,
      remedy: `write ${meant ?? listText(words, 'or')}`,
      evidence: { given: text, words: [...words] },
      fix: meant === undefined || isFlag ? undefined : safeFix(setField(path, meant)),
    }),
  ];
}

/** Source: `MapStringBool` of k8s.io/component-base; Karpenter ignores gates that it does not know. */
function checkGateList({ object }: Controller, { key, name, value, path, isFlag }: GivenSetting): Outcome[] {
  const text = scalarText(value);
  if (text === undefined) return [];
  const owner = GATE_LISTS[key as keyof typeof GATE_LISTS];
  const known = Object.values(FEATURE_GATES).flatMap((gate) => (gate.owner === owner ? [gate.name as string] : []));
  const pairs = text.split(',').map((pair) => pair.trim());
  return pairs.flatMap((pair): Outcome[] => {
    const [gate, state] = pair.split('=').map((part) => part.trim());
    if (pair === '') return [];
    const finding = { object, path, evidence: { given: pair } };
    const edit = (to: string): { readonly fix?: FieldFix } =>
      isFlag ? {} : { fix: safeFix(setField(path, text.replace(pair, to))) };
    if (state === undefined || parseGoBool(state) === undefined) {
      const remedy = `write ${gate}=true or ${gate}=false`;
      return [fail({ ...finding, message: `${name} has ${pair}, which is no gate with a boolean: ${ENDS}`, remedy })];
    }
    const meant = known.includes(gate) ? undefined : nearestName(gate, known);
    if (meant === undefined) return [];
    return [
      fail({
        ...finding,
        message: `${name} has ${gate}, which Karpenter does not know and ignores: the gate ${meant} keeps its default`,
        remedy: `write ${meant}=${state}`,
        severity: 'warning',
        ...edit(`${meant}=${state}`),
      }),
    ];
  });
}

/**
 * A batch ends when no pod has come for the idle duration, and at the latest after the longest duration.
 *
 * Source: `Batcher.Wait` in pkg/controllers/provisioning/batcher.go of sigs.k8s.io/karpenter v1.15.0.
 */
function checkBatchWindow(controller: Controller): Outcome[] {
  const written = givenSettings(controller, ['batchIdleDuration', 'batchMaxDuration']);
  const idle = written.find(({ key }) => key === 'batchIdleDuration');
  const longest = written.find(({ key }) => key === 'batchMaxDuration');
  const secondsOf = (setting: GivenSetting | undefined, key: string) =>
    setting === undefined ? parseGoDuration(PARSED[key][1]) : parseGoDuration(scalarText(setting.value) ?? '');
  const [idleTime, longestTime] = [secondsOf(idle, 'batchIdleDuration'), secondsOf(longest, 'batchMaxDuration')];
  const given = idle ?? longest;
  if (idleTime === undefined || longestTime === undefined || given === undefined || idleTime <= longestTime) return [];
  const idleText = scalarText(idle?.value) ?? PARSED.batchIdleDuration[1];
  const longestText = scalarText(longest?.value) ?? PARSED.batchMaxDuration[1];
  return [
    fail({
      object: controller.object,
      path: given.path,
      severity: 'warning',
      message: `batches of pods end after ${idleText} without a new pod, but at the latest after ${longestText}, which is shorter: each pod waits the full ${longestText}`,
      remedy: `write a shorter idle duration, such as the default ${PARSED.batchIdleDuration[1]}, or a longer maximum than ${idleText}`,
      evidence: { idle: idleText, max: longestText },
    }),
  ];
}
/** Source: `MapStringBool` of k8s.io/component-base, whose error ends `Options.Parse` of Karpenter. */
function checkGate({ object, values, pathOf }: Controller, key: string): Outcome[] {
  const text = scalarText(chartValue(values, 'settings', 'featureGates', key));
  if (text === undefined || parseGoBool(text) !== undefined) return [];
  return [
    fail({
      object,
      path: pathOf('settings', 'featureGates', key),
      message: `settings.featureGates.${key} is ${text}, which is no boolean: Karpenter ends at its start`,
      remedy: 'write true or false',
      evidence: { given: text },
    }),
  ];
}

/** Undefined for values that the chart does not render, or that only a deployment knows. */
function scalarText(value: unknown): string | undefined {
  const isScalar = (typeof value === 'string' && value !== '') || typeof value === 'number';
  return !isScalar || value === 0 || findUnresolved(value) !== undefined ? undefined : String(value);
}

function meantValue(text: string, kind: SettingKind): string | undefined {
  if (kind !== DURATION) return undefined;
  const seconds = /^\d+$/.test(text) && Number(text) <= MAX_SECONDS ? `${text}s` : text.replaceAll(/\s/g, '');
  return kind.accepts(seconds) ? seconds : undefined;
}
