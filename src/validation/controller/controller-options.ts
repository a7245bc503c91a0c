import { parse } from 'yaml';
import { valueAt } from './controller';
import { Controller } from './model';
import {
  compareKarpenterVersions, FEATURE_GATES, FeatureGateRule, FeatureGates, isKnownKarpenterVersion, isOpenByDefault, readSchedulerConfig,
  SCHEDULER_CONFIG_SINCE, SchedulerConfig,
} from '../../contract';
import { parseGoBool } from '../../model';
import { recordsOf } from '../manifest/records';
import { CheckOptions } from '../options';

type Setting = (...steps: string[]) => unknown;

/**
 * What of the verdict's options the controller itself says. Values that cannot be used, or are known only at deployment, say nothing.
 *
 * @param asVersion what it is judged as, where that is not the version that it says
 */
export function optionsOfController(controller: Controller, asVersion?: string): CheckOptions {
  const { values, version } = controller;
  const setting: Setting = (...steps) => valueAt(values, 'settings', ...steps);
  const karpenterVersion = version !== undefined && isKnownKarpenterVersion(version) ? version : undefined;
  const all: CheckOptions = {
    karpenterVersion,
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

/** The chart has numbers in quotes as well. */
function numberOf(value: unknown, isValid: (value: number) => boolean): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && isValid(number) ? number : undefined;
}

function wordOf<Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === value);
}

/** A gate that is not named is as Karpenter has it, unless there are values that are not seen. */
function gatesOf(setting: Setting, controller: Controller, version: string | undefined): FeatureGates {
  const gates = Object.values(FEATURE_GATES).flatMap((gate) => {
    const value = gateValue(gate, setting, controller);
    const open = value === undefined && controller.complete ? isOpenByDefault(gate, version) : parseGoBool(value);
    return open === undefined ? [] : [[gate.name, open] as const];
  });
  return Object.fromEntries(gates) as FeatureGates;
}

/** The chart turns every part of dynamic resource allocation on by one key. */
function gateValue({ name, setting: key, owner }: FeatureGateRule, setting: Setting, { fromChart }: Controller): unknown {
  const isOn = fromChart && name.startsWith('DRA') && parseGoBool(setting('enableDRA')) === true;
  return isOn || setting(owner === 'core' ? 'featureGates' : 'awsFeatureGates', key);
}

/** In the chart the claims of pods count where any part of dynamic resource allocation is on; Karpenter itself goes by the one flag. */
function ignoresDraRequests(setting: Setting, controller: Controller): boolean | undefined {
  const values = [setting('enableDRA'), ...[FEATURE_GATES.DRANVIDIAGPU, FEATURE_GATES.DRAEFA].map((gate) => gateValue(gate, setting, controller))];
  const counts = controller.fromChart && values.some(countsForChart);
  return counts ? false : parseGoBool(setting('ignoreDRARequests'));
}

/** Its templates take any text for true, also one that says false. */
function countsForChart(value: unknown): boolean {
  return typeof value === 'string' ? parseGoBool(value) !== undefined : value === true;
}

/** The chart has no key for it: there it is an environment variable. One that Karpenter would end on says nothing. */
function schedulerConfigOf(setting: Setting, { values, fromChart }: Controller, version: string | undefined): SchedulerConfig | undefined {
  if (version !== undefined && compareKarpenterVersions(version, SCHEDULER_CONFIG_SINCE) < 0) return undefined;
  const variables = recordsOf(valueAt(values, 'controller', 'env')).filter(({ name }) => name === 'SCHEDULER_CONFIG');
  const text = fromChart ? variables.pop()?.value : setting('schedulerConfig');
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    return readSchedulerConfig(parse(text)).config;
  } catch {
    return undefined;
  }
}
