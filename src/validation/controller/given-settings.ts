import { flagsOf } from './container-settings';
import { chartValue } from './find-controllers';
import { Controller } from './model';
import { asRecord } from '../../contract';
import { FieldPath } from '../manifest/model';
import { recordsOf } from '../manifest/records';

/** A setting of Karpenter as the input writes it. */
export interface GivenSetting {
  /** The key of the chart's values. */
  readonly key: string;
  /** As the input calls it: `settings.batchIdleDuration`, `BATCH_IDLE_DURATION`, `--batch-idle-duration`. */
  readonly name: string;
  readonly value: unknown;
  readonly path: FieldPath;
  /** Whether it is a flag, which Karpenter does not replace by its default. */
  readonly isFlag: boolean;
}

/** An environment variable of Karpenter's container with a literal value. */
export interface GivenVariable {
  readonly name: string;
  readonly value: unknown;
  readonly path: FieldPath;
}

const LOG_LEVEL = 'logLevel';

/** The settings with these keys. A flag wins over an environment variable, and this over a value of the chart. */
export function givenSettings(controller: Controller, keys: readonly string[]): GivenSetting[] {
  const variables = givenVariables(controller);
  return keys.flatMap((key): GivenSetting[] => {
    const name = variableOf(key);
    const flag = givenFlag(controller, key);
    if (flag !== undefined) return [flag];
    const variable = variables.filter((one) => one.name === name).at(-1);
    if (variable !== undefined) return [{ ...variable, key, isFlag: false }];
    if (!controller.fromChart) return [];
    const steps = key === LOG_LEVEL ? [key] : ['settings', key];
    const value = chartValue(controller.values, ...steps);
    return value === undefined
      ? []
      : [{ key, name: steps.join('.'), value, path: controller.pathOf(...steps), isFlag: false }];
  });
}

/** The variables in the container of a Deployment, or in `controller.env` of the chart's values. */
export function givenVariables(controller: Controller): GivenVariable[] {
  const { object, fromChart, values, pathOf } = controller;
  const path = fromChart ? pathOf('controller', 'env') : pathOf('settings');
  const env = fromChart ? chartValue(values, 'controller', 'env') : fieldAt(object.raw, path);
  return recordsOf(env).flatMap(({ name, value, valueFrom }, index) =>
    typeof name === 'string' && valueFrom === undefined ? [{ name, value, path: [...path, index, 'value'] }] : [],
  );
}

function givenFlag({ object, fromChart, pathOf }: Controller, key: string): GivenSetting | undefined {
  if (fromChart) return undefined;
  const path = pathOf('settings').slice(0, -1);
  const flag = variableOf(key).toLowerCase().replaceAll('_', '-');
  const value = flagsOf(asRecord(fieldAt(object.raw, path)) ?? {}).get(flag);
  return value === undefined ? undefined : { key, name: `--${flag}`, value, path: [...path, 'args'], isFlag: true };
}

/** The environment variable of a key of the chart, such as `RESERVED_ENIS` of `reservedENIs`. */
function variableOf(key: string): string {
  return key.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
}

function fieldAt(raw: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>(
    (value, step) => (Array.isArray(value) ? value[Number(step)] : asRecord(value)?.[step]),
    raw,
  );
}
