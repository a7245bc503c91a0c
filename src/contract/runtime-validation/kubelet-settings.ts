/**
 * Checks the values of `spec.kubelet` of an EC2NodeClass beyond their types.
 *
 * Source: validateKubeletSemantics in pkg/apis/v1/kubeletconfiguration_validation.go of Karpenter for AWS 1.15.1.
 */
import { parseGoDuration, Quantity } from '../../model';
import { asRecord, FieldPath, FieldProblem, notReady } from '../field-problem';

const EVICTION_SIGNALS: readonly string[] = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
];
const RESERVABLE_RESOURCES: readonly string[] = ['cpu', 'memory', 'ephemeral-storage', 'pid'];

type ValueCheck = (path: FieldPath, value: string) => FieldProblem[];

const COUNTS = ['podsPerCore', 'evictionMaxPodGracePeriod', 'maxPods'];
const PERCENTAGES = ['imageGCHighThresholdPercent', 'imageGCLowThresholdPercent'];

/** Values of a wrong type are ignored here, because the check against the kubelet's schema reports them. */
export function checkKubeletSettings(path: FieldPath, kubelet: Readonly<Record<string, unknown>>): FieldProblem[] {
  return [
    ...COUNTS.flatMap((field) => checkNumber([...path, field], kubelet[field], Infinity)),
    ...PERCENTAGES.flatMap((field) => checkNumber([...path, field], kubelet[field], 100)),
    ...checkImageThresholds(path, kubelet),
    ...['kubeReserved', 'systemReserved'].flatMap((field) => checkReserved([...path, field], kubelet[field])),
    ...['evictionHard', 'evictionSoft', 'evictionMinimumReclaim'].flatMap((field) =>
      checkSignals([...path, field], kubelet[field], checkThreshold),
    ),
    ...checkSignals([...path, 'evictionSoftGracePeriod'], kubelet.evictionSoftGracePeriod, checkGracePeriod),
    ...checkSoftPairs(path, kubelet),
    ...(kubelet.registerWithTaints === undefined
      ? []
      : [
          notReady(
            [...path, 'registerWithTaints'],
            'must not be set, because Karpenter sets it',
            kubelet.registerWithTaints,
            'use the taints of the NodePool',
          ),
        ]),
  ];
}

function checkNumber(path: FieldPath, value: unknown, max: number): FieldProblem[] {
  if (typeof value !== 'number' || (value >= 0 && value <= max)) return [];
  const range = max === 100 ? 'an integer from 0 to 100' : 'an integer of 0 or more';
  return [notReady(path, `must be ${range}`, value, `write ${range}`)];
}

function checkImageThresholds(path: FieldPath, kubelet: Readonly<Record<string, unknown>>): FieldProblem[] {
  const { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low } = kubelet;
  if (typeof high !== 'number' || typeof low !== 'number' || high > low) return [];
  return [
    notReady(
      [...path, 'imageGCHighThresholdPercent'],
      `must be above imageGCLowThresholdPercent (${low})`,
      high,
      `write more than ${low}`,
    ),
  ];
}

/** A string that is not a quantity is an expression, whose sign is checked for each instance type. */
function checkReserved(path: FieldPath, raw: unknown): FieldProblem[] {
  return checkMap(path, raw, RESERVABLE_RESOURCES, (entryPath, value) =>
    value.startsWith('-')
      ? [notReady(entryPath, 'must not be negative', value, 'write a quantity such as 100m or 1Gi')]
      : [],
  );
}

function checkSignals(path: FieldPath, raw: unknown, checkValue: ValueCheck): FieldProblem[] {
  return checkMap(path, raw, EVICTION_SIGNALS, checkValue);
}

function checkMap(path: FieldPath, raw: unknown, keys: readonly string[], checkValue: ValueCheck): FieldProblem[] {
  const entries = Object.entries(asRecord(raw) ?? {});
  // Karpenter reports a map with other values than strings, and then skips it.
  if (entries.some(([, value]) => typeof value !== 'string')) return [];
  return entries.flatMap(([key, value]) => {
    const entryPath = [...path, key];
    return [
      ...(keys.includes(key)
        ? []
        : [notReady(entryPath, `must be one of ${keys.join(', ')}`, key, 'check the spelling')]),
      ...checkValue(entryPath, value as string),
    ];
  });
}

function checkThreshold(path: FieldPath, value: string): FieldProblem[] {
  const remedy = 'write a percentage such as 5%, or a quantity such as 500Mi';
  if (value.endsWith('%')) {
    const percent = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?%$/i.test(value) ? Number(value.slice(0, -1)) : NaN;
    return percent >= 0 && percent <= 100
      ? []
      : [notReady(path, 'must be a percentage from 0% to 100%, or a quantity', value, remedy)];
  }
  const quantity = kubeletQuantity(value);
  return quantity && quantity.nanos >= 0n
    ? []
    : [notReady(path, 'must be a percentage or a quantity that is not negative', value, remedy)];
}

/** The API server would trim spaces around a quantity, but it does not parse these. Karpenter does not trim spaces. */
export function kubeletQuantity(value: unknown): Quantity | undefined {
  return typeof value === 'string' && value !== value.trim() ? undefined : Quantity.tryParse(value);
}

function checkGracePeriod(path: FieldPath, value: string): FieldProblem[] {
  const duration = parseGoDuration(value);
  return duration !== undefined && duration >= 0
    ? []
    : [notReady(path, 'must be a duration that is not negative', value, 'write for example 30s or 2m')];
}

function checkSoftPairs(path: FieldPath, kubelet: Readonly<Record<string, unknown>>): FieldProblem[] {
  const pair = ['evictionSoft', 'evictionSoftGracePeriod'];
  return pair.flatMap((field, i) => {
    const counterpart = pair[1 - i];
    const counterpartSignals = asRecord(kubelet[counterpart]) ?? {};
    return Object.keys(asRecord(kubelet[field]) ?? {})
      .filter((signal) => !Object.hasOwn(counterpartSignals, signal))
      .map((signal) =>
        notReady(
          [...path, field, signal],
          `must have the same signal in ${counterpart}`,
          undefined,
          `add ${signal} to ${counterpart}`,
        ),
      );
  });
}
