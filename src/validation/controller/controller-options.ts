import { valueAt } from './controller';
import { Controller } from './model';
import { FEATURE_GATES, FeatureGates, isKnownKarpenterVersion } from '../../contract';
import { CheckOptions } from '../options';

/** What of the verdict's options the controller itself says. Values that cannot be used, or are known only at deployment, say nothing. */
export function optionsOfController({ values, version, fromChart }: Controller): CheckOptions {
  // Of a Deployment the variables are read, not what the chart would have made of them.
  if (!fromChart) return version !== undefined && isKnownKarpenterVersion(version) ? { karpenterVersion: version } : {};
  const setting = (...steps: string[]) => valueAt(values, 'settings', ...steps);
  const all: CheckOptions = {
    karpenterVersion: version !== undefined && isKnownKarpenterVersion(version) ? version : undefined,
    vmMemoryOverheadPercent: numberOf(setting('vmMemoryOverheadPercent'), (n) => n >= 0 && n < 1),
    reservedENIs: numberOf(setting('reservedENIs'), (n) => Number.isInteger(n) && n >= 0),
    preferencePolicy: wordOf(setting('preferencePolicy'), ['Respect', 'Ignore']),
    minValuesPolicy: wordOf(setting('minValuesPolicy'), ['Strict', 'BestEffort']),
    featureGates: gatesOf(setting),
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

/** In the chart a gate that is not named is as Karpenter has it. */
function gatesOf(setting: (...steps: string[]) => unknown): FeatureGates {
  const gates = Object.values(FEATURE_GATES).map((gate) => {
    const value = setting(gate.owner === 'core' ? 'featureGates' : 'awsFeatureGates', gate.setting);
    return [gate.name, typeof value === 'boolean' ? value : gate.enabledByDefault] as const;
  });
  return Object.fromEntries(gates) as FeatureGates;
}
