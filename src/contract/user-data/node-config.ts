/**
 * NodeConfigs in user data of AL2023 that nodeadm cannot decode, and fields that it drops.
 *
 * Sources: nodeadm/internal/api/bridge/decode.go and nodeadm/api/v1alpha1/nodeconfig_types.go of
 * https://github.com/awslabs/amazon-eks-ami: one version is registered, and unknown fields are no error.
 */
import { detectUserDataFormat } from './format';
import { nodeConfigsOf } from './kubelet-settings';
import { nearestName, parseYaml } from '../../model';
import { asRecord } from '../field-problem';

const API_VERSION = 'node.eks.aws/v1alpha1';
const KIND = 'NodeConfig';
const SPEC_FIELDS = ['cluster', 'containerd', 'instance', 'kubelet', 'featureGates'];
const STRATEGIES = /^(?:raid0|raid10|mount|none)$/i;
/** Fields of `spec` that belong one level deeper, with their places. */
const MISPLACED: Readonly<Record<string, string>> = {
  config: 'kubelet.config',
  flags: 'kubelet.flags',
  localStorage: 'instance.localStorage',
};

export interface NodeConfigProblem {
  /** The field of the NodeConfig. */
  readonly field: string;
  /** The text of the user data, such as `apiVersion: node.eks.aws/v1beta1`. */
  readonly written: string;
  /** The text to write instead, if it is known. */
  readonly instead?: string;
  /** Whether nodeadm fails, so that the node does not join. Otherwise it drops the field. */
  readonly isFatal: boolean;
}

/** The problems of the NodeConfigs in user data of AL2023. */
export function nodeConfigProblems(userData: string): NodeConfigProblem[] {
  return partsOf(userData).flatMap((part) => {
    const config = parsedConfig(part);
    if (config === undefined) return [];
    const fatal = [problemOf(config, 'apiVersion', API_VERSION), problemOf(config, 'kind', KIND)].flat();
    const spec = asRecord(config.spec) ?? {};
    return fatal.length > 0 ? fatal : [...fieldProblems(spec), ...strategyProblem(spec)];
  });
}

/** Karpenter passes any YAML on as a NodeConfig, also one of a misspelt group. */
function partsOf(userData: string): string[] {
  const isOtherObject = detectUserDataFormat(userData) === undefined && /^apiVersion:/m.test(userData);
  return isOtherObject ? [userData] : nodeConfigsOf(userData);
}

/** The NodeConfig of one part; undefined if the part is no YAML object, or has several documents. */
export function parsedConfig(part: string): Record<string, unknown> | undefined {
  const headersEnd = /^Content-Type:/im.test(part) ? /\r?\n\s*\r?\n/.exec(part) : undefined;
  const body = headersEnd ? part.slice(headersEnd.index) : part;
  try {
    return asRecord(parseYaml(body));
  } catch {
    return undefined;
  }
}

/** A value with a placeholder is not judged. */
function problemOf(config: Record<string, unknown>, field: string, expected: string): NodeConfigProblem[] {
  const value = config[field];
  if (typeof value !== 'string' || value === expected || !/^[\w./-]+$/.test(value)) return [];
  return [{ field, written: `${field}: ${value}`, instead: `${field}: ${expected}`, isFatal: true }];
}

/**
 * nodeadm passes the strategy in lower case to the script setup-local-disks, which fails with any other.
 *
 * Sources: nodeadm/internal/system/local_disk.go and templates/shared/runtime/bin/setup-local-disks.
 */
function strategyProblem(spec: Record<string, unknown>): NodeConfigProblem[] {
  const strategy = asRecord(asRecord(spec.instance)?.localStorage)?.strategy;
  if (typeof strategy !== 'string' || !/^[\w-]+$/.test(strategy) || STRATEGIES.test(strategy)) return [];
  const field = 'spec.instance.localStorage.strategy';
  const instead = nearestName(strategy, ['RAID0', 'RAID10', 'Mount']);
  return [
    {
      field,
      written: `${field}: ${strategy}`,
      ...(instead === undefined ? {} : { instead: `${field}: ${instead}` }),
      isFatal: true,
    },
  ];
}

function fieldProblems(spec: Record<string, unknown>): NodeConfigProblem[] {
  return Object.keys(spec)
    .filter((key) => /^\w+$/.test(key) && !SPEC_FIELDS.includes(key))
    .map((key) => {
      const instead = Object.hasOwn(MISPLACED, key) ? MISPLACED[key] : nearestName(key, SPEC_FIELDS);
      return {
        field: `spec.${key}`,
        written: `spec.${key}`,
        ...(instead === undefined ? {} : { instead: `spec.${instead}` }),
        isFatal: false,
      };
    });
}
