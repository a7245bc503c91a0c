/** The releases of any chart, in whatever form the input installs it. */
import { isChart } from './chart';
import { gitOpsReleases } from './gitops';
import { FieldPath, ManifestModel, ManifestObject } from '../manifest/model';
import { PlainRecord } from '../manifest/records';
import { HelmRelease } from '../template';

/** A Helm release of a template, of Flux, of Argo CD, of a Terraform file or of a helmfile. */
export interface InstalledChart {
  readonly object: ManifestObject;
  /** The chart resource of a template. */
  readonly helmRelease?: HelmRelease;
  /** The name of the Helm release. */
  readonly release: string;
  readonly namespace: string;
  readonly version?: string;
  /** Undefined if other files or the deployment add values. */
  readonly values?: PlainRecord;
  /** The field of the object that sets a value. */
  pathOf(...steps: readonly string[]): FieldPath;
}

const VALUES_OF_RESOURCE: FieldPath = ['Properties', 'Values'];

/** @param releases the chart resources to search. @default - those of the cluster */
export function installedCharts(
  { objects, aws }: Pick<ManifestModel, 'objects' | 'aws'>,
  chart: string,
  releases: readonly HelmRelease[] = aws.helmReleases,
): InstalledChart[] {
  return [
    ...releases
      .filter((release) => isChart(release, chart))
      .map((helmRelease) => ({
        object: helmRelease.resource.object,
        helmRelease,
        release: helmRelease.release,
        namespace: helmRelease.namespace,
        version: helmRelease.version,
        values: helmRelease.values,
        pathOf: () => VALUES_OF_RESOURCE,
      })),
    ...gitOpsReleases(objects, chart).map(({ object, name, namespace, version, values, complete, pathOf }) => ({
      object,
      release: name,
      namespace,
      version,
      values: complete ? values : undefined,
      pathOf,
    })),
  ];
}
