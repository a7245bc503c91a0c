import { AppliedManifest, HelmRelease, TemplateResource } from './aws-model';
import { ofCluster, ofType } from './eks';
import { parseChartValues, parseEmbeddedJson } from './embedded-json';
import { plainText } from './token';
import { asRecord, formatFieldPath } from '../../contract';
import { FieldPath, SourceLocation } from '../manifest/object';
import { ObjectPlace, objectsOf } from '../manifest/objects';
import { ProblemLog } from '../manifest/problem-log';

const MANIFEST = 'Custom::AWSCDK-EKS-KubernetesResource';
const CHART = 'Custom::AWSCDK-EKS-HelmChart';
const MANIFEST_PATH = ['Properties', 'Manifest'];

/** What the resources apply to clusters; those that cannot be read before the deployment have no objects. */
export function readAppliedManifests(resources: readonly TemplateResource[], log: ProblemLog): AppliedManifest[] {
  return ofType(resources, MANIFEST).map((resource) => {
    const value = parseEmbeddedJson(resource.properties.Manifest);
    const items = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return { ...ofCluster(resource), objects: items.flatMap((item) => objectsOf(new EmbeddedPlace(resource, log), item, log)) };
  });
}

/** Whether nobody can know before the deployment what this resource applies. */
export function isUnreadable({ type, properties }: TemplateResource): boolean {
  return type === MANIFEST && parseEmbeddedJson(properties.Manifest) === undefined;
}

export function readHelmReleases(resources: readonly TemplateResource[]): HelmRelease[] {
  return ofType(resources, CHART).map((resource) => {
    const { Release, Chart, Repository, Version, Namespace, Values } = resource.properties;
    return {
      ...ofCluster(resource),
      release: plainText(Release ?? ''),
      chart: plainText(Chart ?? ''),
      repository: plainText(Repository ?? ''),
      ...typeof Version === 'string' ? { version: Version } : {},
      namespace: plainText(Namespace ?? 'default'),
      values: Values === undefined ? {} : asRecord(parseChartValues(Values)),
    };
  });
}

/** All of an embedded manifest stands in one text: a finding points there, and names the field. */
class EmbeddedPlace implements ObjectPlace {
  public constructor(private readonly resource: TemplateResource, private readonly log: ProblemLog) {}

  public inside(): EmbeddedPlace {
    return this;
  }

  public locate(path: FieldPath): SourceLocation {
    return { ...this.resource.object.locate(MANIFEST_PATH), path: formatFieldPath(path) };
  }

  public report(path: FieldPath, message: string, remedy: string, severity: 'error' | 'info' = 'error'): void {
    this.log.addUnreadableAt(this.locate(path), { message, remedy }, severity);
  }
}
