import { KUSTOMIZE_GROUP, WiredObject } from './wired-objects';
import { asRecord } from '../../../../../contract';
import { countText, listText, nearestName, valueText } from '../../../../../model';
import { SourceFile } from '../../../model';
import { PlainRecord } from '../../../records';
import { FluxDeployment } from '../clusters/flux';
import { editedObjectsIn, isOfKind, WORKLOAD_KINDS } from '../root-objects';

const KARPENTER = /^karpenter\.(?:sh|k8s\.aws)\//;
const CHART = /(?:^|\/)(karpenter(?:-crd)?)\/*$/;

export function isKarpenterObject({ apiVersion }: PlainRecord): boolean {
  return KARPENTER.test(valueText(apiVersion ?? ''));
}

/** The name of the chart of Karpenter that a HelmRelease installs. */
export function karpenterChart({ kind, spec: raw }: Pick<WiredObject, 'kind' | 'spec'>): string | undefined {
  if (kind !== 'HelmRelease') return undefined;
  const { chart } = asRecord(asRecord(raw.chart)?.spec) ?? {};
  const { name } = asRecord(raw.chartRef) ?? {};
  return CHART.exec(valueText(chart ?? name ?? ''))?.[1];
}

const CHARTS = ['karpenter', 'karpenter-crd'];

/** The chart of Karpenter's registry that a misspelt name means. */
export function meantChart(name: string): string | undefined {
  return CHARTS.includes(name) ? undefined : nearestName(name, CHARTS);
}

/** What a Kustomization deploys, as kustomizations and Flux leave it. */
export function carriedBy({ definition }: WiredObject, deployments: readonly FluxDeployment[]): PlainRecord[] {
  return deployments.filter((one) => one.definition === definition).flatMap(({ sources }) => objectsOf(sources));
}

function objectsOf(sources: readonly SourceFile[]): PlainRecord[] {
  return sources.filter(({ unreadable }) => unreadable === undefined).flatMap((source) => [...editedObjectsIn(source)]);
}

/** What is lost if Flux does not apply the object. */
export function carriedText(object: WiredObject, deployments: readonly FluxDeployment[]): string {
  if (object.group !== KUSTOMIZE_GROUP) return 'its chart is never installed';
  const carried = carriedBy(object, deployments);
  const ofKarpenter = carried.filter(isKarpenterObject);
  const workloads = carried.filter((one) => isOfKind(one, WORKLOAD_KINDS));
  const counts = [...countsOf(ofKarpenter), ...(workloads.length > 0 ? [countText(workloads.length, 'workload')] : [])];
  return counts.length === 0
    ? 'nothing of it is applied'
    : `${listText(counts)} of it ${isOne(counts) ? 'is' : 'are'} never applied`;
}

function isOne(counts: readonly string[]): boolean {
  return counts.length === 1 && counts[0].startsWith('1 ');
}

function countsOf(objects: readonly PlainRecord[]): string[] {
  const counts = new Map<string, number>();
  for (const { kind } of objects) counts.set(valueText(kind), (counts.get(valueText(kind)) ?? 0) + 1);
  return [...counts].map(([kind, count]) => countText(count, kind, kind.endsWith('s') ? `${kind}es` : `${kind}s`));
}
