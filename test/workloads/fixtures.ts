import { ApiObject, Chart, Testing } from 'cdk8s';
import * as workloads from '../../src/workloads';

export const newChart = (): Chart => new Chart(Testing.app(), 'chart');

/** The only object of a kind in the app of the chart. */
export function written(chart: Chart, kind: string): any {
  const matches = Testing.synth(chart).filter((object: { kind: string }) => object.kind === kind);
  expect(matches).toHaveLength(1);
  return matches[0];
}

export function kindsOf(chart: Chart): string[] {
  return Testing.synth(chart).map(({ kind }: { kind: string }) => kind);
}

export interface Fields {
  readonly spec?: object;
  readonly pod?: object;
  readonly container?: object;
  readonly template?: object;
  readonly metadata?: object;
  readonly labels?: Record<string, string>;
}

const GROUPS: Readonly<Record<string, string>> = { Job: 'batch/v1', CronJob: 'batch/v1' };

/** A minimal manifest of a workload. */
export function workload(
  kind: string,
  { spec, pod, container, template, metadata, labels = { app: 'web' } }: Fields = {},
): any {
  const podTemplate = {
    metadata: { labels, ...template },
    spec: { containers: [{ name: 'main', image: 'nginx', ports: [{ containerPort: 80 }], ...container }], ...pod },
  };
  const job = { ...spec, template: podTemplate };
  const specs: Record<string, object> = { Job: job, CronJob: { schedule: '@daily', jobTemplate: { spec: job } } };
  return {
    apiVersion: GROUPS[kind] ?? 'apps/v1',
    kind,
    metadata: { name: 'web', ...metadata },
    spec: specs[kind] ?? { ...job, selector: { matchLabels: labels } },
  };
}

/** The manifest as a chart with `Resilience` renders it. */
export function resilient(manifest: any, props: workloads.ResilienceProps = {}): any {
  const chart = newChart();
  new ApiObject(chart, 'it', manifest);
  chart.with(new workloads.Resilience(props));
  return written(chart, manifest.kind);
}

export function podOf(manifest: any): any {
  return (manifest.kind === 'CronJob' ? manifest.spec.jobTemplate : manifest).spec.template.spec;
}

export function notesOf(manifest: any): Record<string, string> {
  const annotations = Object.entries<string>(manifest.metadata.annotations ?? {});
  return Object.fromEntries(
    annotations.map(([key, value]) => [key.replace('resilience.karpenter-constructs.dev/', ''), value]),
  );
}
