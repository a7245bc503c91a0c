/**
 * Labels and taints in user data, with which nodes register. Karpenter plans with those of the NodePool only.
 *
 * Sources: pkg/providers/amifamily/bootstrap of Karpenter for AWS 1.15.1: bottlerocket.go merges node-labels and
 * replaces node-taints; nodeadm.go writes registerWithTaints in the last NodeConfig, which wins over those before it.
 * Flags of the kubelet win over its configuration.
 */
import { asRecord } from '../field-problem';
import { nodeConfigsOf, tomlKeys } from './kubelet-settings';
import { parsedConfig } from './node-config';

const LABELS = 'settings.kubernetes.node-labels.';
const TAINTS = 'settings.kubernetes.node-taints.';
const TAINT_FLAG = /--register-with-taints[=\s]+["']?([^\s"',]+(?:,[^\s"',]+)*)/g;
const LABEL_FLAG = /--node-labels[=\s]+["']?([^\s"',]+(?:,[^\s"',]+)*)/g;

export interface HiddenTaint {
  /** As in `kubectl taint`, such as `dedicated=gpu:NoSchedule`. */
  readonly taint: string;
  /** The setting that has it. */
  readonly written: string;
  /** Whether nodes register with it; otherwise, Karpenter replaces the setting. */
  readonly isRegistered: boolean;
}

/** The taints in user data of families whose format has a place for them. */
export function taintsIn(family: string, userData: string): HiddenTaint[] {
  return readTaints(family, userData).filter(
    ({ taint }) => /^[\w./=-]+:(?:NoSchedule|NoExecute|PreferNoSchedule)$/.test(taint) && !isKarpenters(taint),
  );
}

function readTaints(family: string, userData: string): HiddenTaint[] {
  if (family === 'Bottlerocket')
    return tomlKeys(userData)
      .filter(({ key }) => key.startsWith(TAINTS))
      .flatMap(({ key, value }) => quotedIn(value).map((text) => tomlTaint(key.slice(TAINTS.length), text)));
  if (family === 'Custom') return flagTaints(uncommented(userData));
  if (family !== 'AL2023') return [];
  return nodeConfigsOf(userData).flatMap((part) => {
    const kubelet = asRecord(asRecord(parsedConfig(part)?.spec)?.kubelet);
    const { flags } = kubelet ?? {};
    const listed = asRecord(kubelet?.config)?.registerWithTaints;
    return [
      ...flagTaints(Array.isArray(flags) ? flags.join('\n') : ''),
      ...(Array.isArray(listed) ? listed : []).map((item) => {
        const { key, value = '', effect } = asRecord(item) ?? {};
        return {
          taint: `${key}${value === '' ? '' : `=${value}`}:${effect}`,
          written: 'registerWithTaints',
          isRegistered: false,
        };
      }),
    ];
  });
}

function tomlTaint(key: string, text: string): HiddenTaint {
  const taint = text.startsWith(':') ? `${key}${text}` : `${key}=${text}`;
  return { taint, written: 'settings.kubernetes.node-taints', isRegistered: false };
}

function flagTaints(text: string): HiddenTaint[] {
  return [...text.matchAll(TAINT_FLAG)].flatMap(([, list]) =>
    list.split(',').map((taint) => ({
      taint: taint.replace('=:', ':'),
      written: '--register-with-taints',
      isRegistered: true,
    })),
  );
}

function isKarpenters(taint: string): boolean {
  return taint.startsWith('karpenter.sh/');
}

/** The labels in user data, with which nodes register whatever Karpenter plans. */
export function nodeLabelsIn(family: string, userData: string): ReadonlyMap<string, string> {
  const written: string[][] =
    family === 'Bottlerocket'
      ? tomlKeys(userData)
          .filter(({ key }) => key.startsWith(LABELS))
          .map(({ key, value }) => [key.slice(LABELS.length), quotedIn(value)[0] ?? ''])
      : [...uncommented(userData).matchAll(LABEL_FLAG)].flatMap(([, list]) =>
          list.split(',').map((label) => label.split('=')),
        );
  const isLiteral = (text: string | undefined) => text !== undefined && /^[\w./-]*$/.test(text);
  return new Map(written.flatMap(([key, value]) => (isLiteral(key) && isLiteral(value) ? [[key, value]] : [])));
}

function quotedIn(value: string): string[] {
  return [...value.replace(/\s#.*$/, '').matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, one, other]) => one ?? other);
}

function uncommented(text: string): string {
  return text.replaceAll(/^\s*#.*$/gm, '');
}
