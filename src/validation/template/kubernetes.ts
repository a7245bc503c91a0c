import { eksResource, resourcesOfType } from './eks';
import { parseChartValues, parseEmbeddedJson } from './embedded-json';
import { plainText } from './token';
import { asRecord, formatFieldPath } from '../../contract';
import { AppliedManifest, HelmRelease, TemplateResource } from '../manifest/aws-model';
import { FieldPath, SourceLocation } from '../manifest/object';
import { ProblemLog } from '../manifest/problem-log';
import { ObjectPosition, objectsOf } from '../manifest/source/kubernetes-objects';

const MANIFEST = 'Custom::AWSCDK-EKS-KubernetesResource';
const CHART = 'Custom::AWSCDK-EKS-HelmChart';
const MANIFEST_PATH = ['Properties', 'Manifest'];

/** The manifests that the resources apply; a manifest that is known only at deployment has no objects. */
export function readAppliedManifests(resources: readonly TemplateResource[], log: ProblemLog): AppliedManifest[] {
  return resourcesOfType(resources, MANIFEST).map((resource) => {
    const value = parseEmbeddedJson(resource.properties.Manifest);
    const items = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return {
      ...eksResource(resource),
      objects: items.flatMap((item) => objectsOf(new EmbeddedPlace(resource, log), item, log)),
    };
  });
}

/** Whether the resource applies a manifest that is known only at deployment. */
export function isUnreadable({ type, properties }: TemplateResource): boolean {
  return type === MANIFEST && parseEmbeddedJson(properties.Manifest) === undefined;
}

export function readHelmReleases(resources: readonly TemplateResource[]): HelmRelease[] {
  return resourcesOfType(resources, CHART).map((resource) => {
    const { Release, Chart, Repository, Version, Namespace, Values } = resource.properties;
    return {
      ...eksResource(resource),
      release: plainText(Release ?? ''),
      chart: plainText(Chart ?? ''),
      repository: plainText(Repository ?? ''),
      ...(typeof Version === 'string' ? { version: Version } : {}),
      namespace: plainText(Namespace ?? 'default'),
      values: Values === undefined ? {} : asRecord(parseChartValues(Values)),
    };
  });
}

/** The location of fields in an embedded manifest: findings point at the whole JSON text and name the field. */
class EmbeddedPlace implements ObjectPosition {
  public constructor(
    private readonly resource: TemplateResource,
    private readonly log: ProblemLog,
  ) {}

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
