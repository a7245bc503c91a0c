import { chartValue } from './find-controllers';
import { Controller } from './model';
import {
  compareKarpenterVersions,
  FEATURE_GATES,
  FeatureGateRule,
  FeatureGates,
  isBeforeV1,
  isKnownKarpenterVersion,
  isEnabledByDefault,
  readSchedulerConfig,
  SCHEDULER_CONFIG_SINCE,
  SchedulerConfig,
} from '../../contract';
import { parseGoBool, parseYaml } from '../../model';
import { CheckOptions } from '../check-options';
import { recordsOf } from '../manifest/records';

type Setting = (...steps: string[]) => unknown;

/**
 * The check options that the controller's version and settings determine. Values that are invalid or known only at
 * deployment are left out.
 *
 * @param asVersion the Karpenter version of the check, if it differs from the controller's
 */
export function optionsOfController(controller: Controller, asVersion?: string): CheckOptions {
  const { values, version } = controller;
  const setting: Setting = (...steps) => chartValue(values, 'settings', ...steps);
  const karpenterVersion = version !== undefined && isKnownKarpenterVersion(version) ? version : undefined;
  const all: CheckOptions = {
    karpenterVersion,
    servingVersion: asVersion === undefined && isBeforeV1(version) ? version : undefined,
    vmMemoryOverheadPercent: numberOf(setting('vmMemoryOverheadPercent'), (n) => n >= 0 && n < 1),
    reservedENIs: numberOf(setting('reservedENIs'), (n) => Number.isInteger(n) && n >= 0),
    preferencePolicy: wordOf(setting('preferencePolicy'), ['Respect', 'Ignore']),
    minValuesPolicy: wordOf(setting('minValuesPolicy'), ['Strict', 'BestEffort']),
    ignoreDraRequests: ignoresDraRequests(setting, controller),
    featureGates: gatesOf(setting, controller, asVersion ?? karpenterVersion),
    schedulerConfig: schedulerConfigOf(setting, controller, asVersion ?? karpenterVersion),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** A number, which may be in quotes in the chart's values. */
function numberOf(value: unknown, isValid: (value: number) => boolean): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && isValid(number) ? number : undefined;
}

function wordOf<Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === value);
}

/** The feature gates. A gate that is not set has Karpenter's default, unless some values are not known. */
function gatesOf(setting: Setting, controller: Controller, version: string | undefined): FeatureGates {
  const gates = Object.values(FEATURE_GATES).flatMap((gate) => {
    const value = gateValue(gate, setting, controller);
    const isOn = value === undefined && controller.complete ? isEnabledByDefault(gate, version) : parseGoBool(value);
    return isOn === undefined ? [] : [[gate.name, isOn] as const];
  });
  return Object.fromEntries(gates) as FeatureGates;
}

/** The value of a gate. The chart's `enableDRA` turns on all gates of dynamic resource allocation. */
function gateValue(
  { name, setting: key, owner }: FeatureGateRule,
  setting: Setting,
  { fromChart }: Controller,
): unknown {
  const isDraEnabled = fromChart && name.startsWith('DRA') && parseGoBool(setting('enableDRA')) === true;
  return isDraEnabled || setting(owner === 'core' ? 'featureGates' : 'awsFeatureGates', key);
}

/** The chart stops ignoring resource claims if any DRA gate is on; Karpenter itself uses only the flag. */
function ignoresDraRequests(setting: Setting, controller: Controller): boolean | undefined {
  const values = [
    setting('enableDRA'),
    ...[FEATURE_GATES.DRANVIDIAGPU, FEATURE_GATES.DRAEFA].map((gate) => gateValue(gate, setting, controller)),
  ];
  const usesDra = controller.fromChart && values.some(isTrueInChart);
  return usesDra ? false : parseGoBool(setting('ignoreDRARequests'));
}

/** Helm templates treat every non-empty string as true, even "false". */
function isTrueInChart(value: unknown): boolean {
  return typeof value === 'string' ? parseGoBool(value) !== undefined : value === true;
}

/**
 * The scheduler configuration, which a chart sets only by an environment variable. Undefined for one that Karpenter
 * would refuse at start.
 */
function schedulerConfigOf(
  setting: Setting,
  { values, fromChart }: Controller,
  version: string | undefined,
): SchedulerConfig | undefined {
  if (version !== undefined && compareKarpenterVersions(version, SCHEDULER_CONFIG_SINCE) < 0) return undefined;
  const variables = recordsOf(chartValue(values, 'controller', 'env')).filter(
    ({ name }) => name === 'SCHEDULER_CONFIG',
  );
  const text = fromChart ? variables.pop()?.value : setting('schedulerConfig');
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    return readSchedulerConfig(parseYaml(text)).config;
  } catch {
    return undefined;
  }
}
