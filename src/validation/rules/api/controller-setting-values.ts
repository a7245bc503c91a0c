import { FEATURE_GATES, safeFix, setField } from '../../../contract';
import { parseGoBool, parseGoDuration } from '../../../model';
import { chartValue, Controller } from '../../controller';
import { findUnresolved } from '../../manifest/find-unresolved';
import { fail, Outcome } from '../rule';

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
 * return the default if the text cannot be parsed, and pkg/operator/options of Karpenter for AWS 1.15.1.
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
/** The gates that the chart passes on as they are written. */
const GATES = Object.values(FEATURE_GATES).flatMap(({ owner, setting }) => (owner === 'core' ? [setting] : []));
/** A longer batch window without a unit may be meant in milliseconds. */
const MAX_SECONDS = 60;

/** Values that Karpenter cannot parse: it takes the default of a setting, and ends at a feature gate. */
export function checkSettingValues(controller: Controller): Outcome[] {
  if (controller.version?.startsWith('0.')) return [];
  return [
    ...Object.keys(PARSED).flatMap((key) => checkValue(controller, key)),
    ...GATES.flatMap((key) => checkGate(controller, key)),
  ];
}

function checkValue({ object, values, pathOf }: Controller, key: string): Outcome[] {
  const text = scalarText(chartValue(values, 'settings', key));
  const [kind, fallback] = PARSED[key];
  if (text === undefined || kind.accepts(text)) return [];
  const path = pathOf('settings', key);
  const meant = meantValue(text, kind);
  return [
    fail({
      object,
      path,
      // The default has the same effect as the value that was meant.
      severity: meant === fallback ? 'info' : 'warning',
      message: `settings.${key} is ${text}, which is no ${kind.noun}: Karpenter ignores it and takes its default, ${fallback}`,
      remedy: meant === undefined ? `write a ${kind.noun}, such as ${kind.example}` : `write ${meant}`,
      evidence: { given: text, default: fallback },
      fix: meant === undefined ? undefined : safeFix(setField(path, meant)),
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
