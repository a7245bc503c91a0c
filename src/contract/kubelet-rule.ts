/**
 * Rules for `spec.kubelet` of an EC2NodeClass. The API server takes any map there: all of this is Karpenter's own check,
 * and a class that fails it launches no node.
 *
 * Source: pkg/apis/v1/kubeletconfiguration_validation.go of Karpenter for AWS 1.15.1.
 */
import { parseGoDuration, Quantity } from '../model';
import { FieldPath, FieldProblem } from './field-problem';
import { asRecord, withConsequence } from './value-rule';

export const EVICTION_SIGNALS: readonly string[] = [
  'memory.available', 'nodefs.available', 'nodefs.inodesFree', 'imagefs.available', 'imagefs.inodesFree', 'pid.available',
];
export const RESERVABLE_RESOURCES: readonly string[] = ['cpu', 'memory', 'ephemeral-storage', 'pid'];

/** Kubelet settings that Karpenter itself understands; AMI families other than AL2023 and Custom take no others. */
export const MANAGED_KUBELET_FIELDS: readonly string[] = [
  'clusterDNS', 'maxPods', 'podsPerCore', 'systemReserved', 'kubeReserved', 'evictionHard', 'evictionSoft', 'evictionSoftGracePeriod',
  'evictionMaxPodGracePeriod', 'imageGCHighThresholdPercent', 'imageGCLowThresholdPercent', 'cpuCFSQuota',
];

type ValueCheck = (path: FieldPath, value: string) => FieldProblem[];

const COUNTS = ['podsPerCore', 'evictionMaxPodGracePeriod', 'maxPods'];
const PERCENTAGES = ['imageGCHighThresholdPercent', 'imageGCLowThresholdPercent'];

export function checkKubelet(path: FieldPath, raw: unknown): FieldProblem[] {
  const kubelet = asRecord(raw);
  if (!kubelet) return [withConsequence('rejected', path, 'must be a map of kubelet settings', raw, 'write for example { maxPods: 110 }')];
  return [
    ...COUNTS.flatMap((field) => checkNumber([...path, field], kubelet[field], Number.MAX_SAFE_INTEGER, field === 'maxPods')),
    ...PERCENTAGES.flatMap((field) => checkNumber([...path, field], kubelet[field], 100, false)),
    ...checkImageThresholds(path, kubelet),
    ...['kubeReserved', 'systemReserved'].flatMap((field) => checkReserved([...path, field], kubelet[field])),
    ...['evictionHard', 'evictionSoft', 'evictionMinimumReclaim'].flatMap((field) => checkSignals([...path, field], kubelet[field], checkThreshold)),
    ...checkSignals([...path, 'evictionSoftGracePeriod'], kubelet.evictionSoftGracePeriod, checkGracePeriod),
    ...checkSoftPairs(path, kubelet),
    ...(kubelet.registerWithTaints === undefined ? [] :
      [notReady([...path, 'registerWithTaints'], 'must not be set, because Karpenter sets it', kubelet.registerWithTaints, 'use taints of the NodePool')]),
  ];
}

/** A text for `maxPods` is an expression that is evaluated for each instance type. */
function checkNumber(path: FieldPath, value: unknown, max: number, expressionAllowed: boolean): FieldProblem[] {
  if (value === undefined || value === null || (expressionAllowed && typeof value === 'string')) return [];
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max) return [];
  const range = max === 100 ? 'an integer from 0 to 100' : 'an integer of 0 or more';
  return [notReady(path, `must be ${range}`, value, `write ${range}`)];
}

function checkImageThresholds(path: FieldPath, kubelet: Readonly<Record<string, unknown>>): FieldProblem[] {
  const { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low } = kubelet;
  if (typeof high !== 'number' || typeof low !== 'number' || high > low) return [];
  return [notReady([...path, 'imageGCHighThresholdPercent'], `must be above imageGCLowThresholdPercent (${low})`, high, `write more than ${low}`)];
}

/** A text that is no quantity is an expression here, so only its sign can be wrong. */
function checkReserved(path: FieldPath, raw: unknown): FieldProblem[] {
  return checkMap(path, raw, RESERVABLE_RESOURCES, (at, value) => value.startsWith('-') ?
    [notReady(at, 'must not be negative', value, 'write a quantity such as 100m or 1Gi')] : []);
}

function checkSignals(path: FieldPath, raw: unknown, checkValue: ValueCheck): FieldProblem[] {
  return checkMap(path, raw, EVICTION_SIGNALS, checkValue);
}

function checkMap(path: FieldPath, raw: unknown, keys: readonly string[], checkValue: ValueCheck): FieldProblem[] {
  if (raw === undefined || raw === null) return [];
  const map = asRecord(raw);
  if (!map) return [notReady(path, 'must be a map', raw, `write a map with keys among ${keys.join(', ')}`)];
  return Object.entries(map).flatMap(([key, value]) => {
    const at = [...path, key];
    if (typeof value !== 'string') return [notReady(at, 'must be a string', value, 'put the value in quotes')];
    return [...(keys.includes(key) ? [] : [notReady(at, `must have a key among ${keys.join(', ')}`, key, 'check the spelling')]), ...checkValue(at, value)];
  });
}

function checkThreshold(path: FieldPath, value: string): FieldProblem[] {
  const remedy = 'write a percentage such as 5%, or a quantity such as 500Mi';
  if (value.endsWith('%')) {
    const percent = /^\d{1,3}(\.\d{1,9})?%$/.test(value) ? Number(value.slice(0, -1)) : NaN;
    return percent >= 0 && percent <= 100 ? [] : [notReady(path, 'must be a percentage from 0% to 100%, or a quantity', value, remedy)];
  }
  const quantity = Quantity.tryParse(value);
  return quantity && quantity.nanos >= 0n ? [] : [notReady(path, 'must be a percentage or a quantity that is not negative', value, remedy)];
}

function checkGracePeriod(path: FieldPath, value: string): FieldProblem[] {
  const duration = parseGoDuration(value);
  return duration !== undefined && duration >= 0 ? [] : [notReady(path, 'must be a duration that is not negative', value, 'write for example 30s or 2m')];
}

function checkSoftPairs(path: FieldPath, kubelet: Readonly<Record<string, unknown>>): FieldProblem[] {
  const pair = ['evictionSoft', 'evictionSoftGracePeriod'];
  return pair.flatMap((field, i) => {
    const other = pair[1 - i];
    const others = asRecord(kubelet[other]) ?? {};
    return Object.keys(asRecord(kubelet[field]) ?? {}).filter((signal) => !Object.hasOwn(others, signal))
      .map((signal) => notReady([...path, field, signal], `must have the same signal in ${other}`, undefined, `add ${signal} to ${other}`));
  });
}

function notReady(path: FieldPath, problem: string, got: unknown, remedy: string): FieldProblem {
  return withConsequence('not-ready', path, problem, got, remedy);
}
