import { asRecord, SchedulerConfig } from '../../../contract';
import { LabelSelector, selects, valueText } from '../../../model';
import { TopologySpread } from '../../../scheduling';
import { ManifestObject } from '../model';
import { recordsOf, stringMapOf, stringsOf } from '../records';

/** The properties of a pod that decide which pods it is spread with by default. */
export interface SpreadPod {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The selector of the pod's ReplicaSet or StatefulSet. @default - the pod has another controller or none */
  readonly controllerSelector?: LabelSelector;
}

/**
 * The default topology spread of `--scheduler-config`. Karpenter applies it to pods without spread constraints, and
 * spreads them among the pods that their Services and their controller select.
 *
 * @see
 * https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/defaultconstraints.go
 */
export class DefaultSpread {
  /** Selectors of Services by namespace. Later selectors override labels of earlier ones. */
  private readonly selectorsByNamespace = new Map<string, Array<Readonly<Record<string, string>>>>();

  public constructor(
    objects: readonly ManifestObject[],
    private readonly config: SchedulerConfig | undefined,
  ) {
    const services = objects.filter(
      ({ apiVersion, kind }) => config !== undefined && apiVersion === 'v1' && kind === 'Service',
    );
    const byName = [...services].sort((left, right) => (left.name < right.name ? -1 : 1));
    for (const { namespace = 'default', raw } of byName) {
      const selector = asRecord(raw.spec?.selector);
      if (selector)
        this.selectorsByNamespace.set(namespace, [
          ...(this.selectorsByNamespace.get(namespace) ?? []),
          stringMapOf(selector),
        ]);
    }
  }

  public get configured(): boolean {
    return this.config !== undefined && this.config.defaultConstraints.length > 0;
  }

  public constraintsFor(pod: SpreadPod): TopologySpread[] {
    if (!this.config || !this.configured) return [];
    const labelSelector = this.selectorOf(pod);
    return labelSelector === undefined
      ? []
      : this.config.defaultConstraints.map((constraint) => ({ ...constraint, labelSelector }));
  }

  /** Undefined if nothing selects the pod: an empty selector would select every pod of the namespace. */
  private selectorOf({ namespace, labels, controllerSelector }: SpreadPod): LabelSelector | undefined {
    const matching = (this.selectorsByNamespace.get(namespace) ?? []).filter((matchLabels) =>
      selects({ matchLabels }, labels),
    );
    const matchLabels: Record<string, string> = Object.assign({}, ...matching);
    const matchExpressions = [
      ...Object.entries(controllerSelector?.matchLabels ?? {}).map(([key, value]) => ({
        key,
        operator: 'In',
        values: [value],
      })),
      ...(controllerSelector?.matchExpressions ?? []),
    ];
    const isEmpty = Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
    return isEmpty ? undefined : { matchLabels, matchExpressions };
  }
}

/**
 * The selector of a ReplicaSet, a StatefulSet, or the ReplicaSet of a Deployment. Karpenter ignores the selectors of
 * other workloads.
 */
export function controllerSelectorOf(
  kind: string,
  raw: unknown,
  labels: Readonly<Record<string, string>>,
): LabelSelector | undefined {
  if (kind !== 'Deployment' && kind !== 'ReplicaSet' && kind !== 'StatefulSet') return undefined;
  const selector = asRecord(asRecord(asRecord(raw)?.spec)?.selector);
  const matchExpressions = recordsOf(selector?.matchExpressions).map(({ key, operator, values }) => ({
    key: valueText(key),
    operator: valueText(operator),
    values: stringsOf(values),
  }));
  const hash: Record<string, string> =
    kind === 'Deployment' ? { 'pod-template-hash': labels['pod-template-hash'] } : {};
  return { matchLabels: { ...stringMapOf(selector?.matchLabels), ...hash }, matchExpressions };
}
