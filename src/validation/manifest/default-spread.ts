import { ManifestObject } from './model';
import { recordsOf } from './records';
import { asRecord, SchedulerConfig } from '../../contract';
import { LabelSelector, selects } from '../../model';
import { TopologySpread } from '../../scheduling';

/** What of a pod tells which pods it is spread with. */
export interface SpreadSubject {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Of the ReplicaSet or StatefulSet that made it. @default - neither of them did */
  readonly controllerSelector?: LabelSelector;
}

/**
 * The spread that Karpenter gives pods that have none of their own, where `--scheduler-config` says so: among the pods that the
 * Services of the pod and its controller select.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/defaultconstraints.go
 */
export class DefaultSpread {
  /** Selectors by namespace, in the order in which later ones win over earlier ones. */
  private readonly services = new Map<string, Array<Readonly<Record<string, string>>>>();

  public constructor(objects: readonly ManifestObject[], private readonly config: SchedulerConfig | undefined) {
    const found = objects.filter(({ apiVersion, kind }) => config !== undefined && apiVersion === 'v1' && kind === 'Service');
    const byName = [...found].sort((left, right) => left.name < right.name ? -1 : 1);
    for (const { namespace = 'default', raw } of byName) {
      const selector = asRecord(asRecord(raw.spec)?.selector);
      if (selector) this.services.set(namespace, [...this.services.get(namespace) ?? [], textsIn(selector)]);
    }
  }

  public get configured(): boolean {
    return this.config !== undefined && this.config.defaultConstraints.length > 0;
  }

  public of(pod: SpreadSubject): TopologySpread[] {
    if (!this.config || !this.configured) return [];
    const labelSelector = this.selectorOf(pod);
    return labelSelector === undefined ? [] : this.config.defaultConstraints.map((constraint) => ({ ...constraint, labelSelector }));
  }

  /** Undefined where nothing selects the pod: an empty selector would select every pod of the namespace. */
  private selectorOf({ namespace, labels, controllerSelector }: SpreadSubject): LabelSelector | undefined {
    const matching = (this.services.get(namespace) ?? []).filter((matchLabels) => selects({ matchLabels }, labels));
    const matchLabels: Record<string, string> = Object.assign({}, ...matching);
    const matchExpressions = [
      ...Object.entries(controllerSelector?.matchLabels ?? {}).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
      ...controllerSelector?.matchExpressions ?? [],
    ];
    const empty = Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
    return empty ? undefined : { matchLabels, matchExpressions };
  }
}

/** The selector of a ReplicaSet or StatefulSet, or of the ReplicaSet that a Deployment makes; other workloads have none that counts here. */
export function controllerSelectorOf(kind: string, raw: unknown, labels: Readonly<Record<string, string>>): LabelSelector | undefined {
  if (kind !== 'Deployment' && kind !== 'ReplicaSet' && kind !== 'StatefulSet') return undefined;
  const selector = asRecord(asRecord(asRecord(raw)?.spec)?.selector);
  const written = recordsOf(selector?.matchExpressions)
    .map(({ key, operator, values }) => ({ key: String(key), operator: String(operator), values: listOf(values) }));
  const hash: Record<string, string> = kind === 'Deployment' ? { 'pod-template-hash': labels['pod-template-hash'] } : {};
  return { matchLabels: { ...textsIn(asRecord(selector?.matchLabels) ?? {}), ...hash }, matchExpressions: written };
}

function textsIn(record: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
