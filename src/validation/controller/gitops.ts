/** Karpenter's chart as Flux, Argo CD or a Terraform file installs it. */
import { CHART_NAME, effectiveValues, isChart, podLabelsOfChart } from './chart';
import { valuesObjectOf, valuesOfHelmRelease } from './misplaced-fields';
import { Controller, GitOpsRelease } from './model';
import { asRecord, newestReleaseIn } from '../../contract';
import { parseYaml } from '../../model';
import { withHelmParameter } from '../manifest/helm-values';
import { FieldPath, ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf } from '../manifest/records';
import { HELMFILE_RELEASE, TERRAFORM_RELEASE } from '../manifest/source/terraform/helm-release-block';

const EXACT_VERSION = /^v?\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** The controllers that HelmReleases of Flux and Applications of Argo CD install. */
export function gitOpsControllers(objects: readonly ManifestObject[]): Controller[] {
  return gitOpsReleases(objects, CHART_NAME).map(controllerOf);
}

/** The Flux and Argo CD releases of the chart with this name. */
export function gitOpsReleases(objects: readonly ManifestObject[], chart: string): GitOpsRelease[] {
  const releases = objects.flatMap((object) => [
    ...fluxReleases(object, objects),
    ...argoReleases(object),
    ...writtenReleases(object),
  ]);
  return releases.filter((release) => isChart(release, chart));
}

/** The chart's version; undefined if it is a range or not set. */
export function exactVersion({ version }: GitOpsRelease): string | undefined {
  return exactRelease(version);
}

/** The release without a leading `v`; undefined for a range, a placeholder or nothing. */
export function exactRelease(version: string | undefined): string | undefined {
  return version !== undefined && EXACT_VERSION.test(version) ? version.replace(/^v/, '') : undefined;
}

/** The release that a version or a range of versions installs; undefined for a placeholder or nothing. */
export function installedRelease(version: string | undefined): string | undefined {
  return exactRelease(version) ?? (version === undefined ? undefined : newestReleaseIn(version));
}

/** The range of versions, if a release has no exact one. */
function rangeOf({ version }: GitOpsRelease): { readonly versionRange?: string } {
  return exactRelease(version) === undefined && installedRelease(version) !== undefined
    ? { versionRange: version }
    : {};
}

function controllerOf(release: GitOpsRelease): Controller {
  const { object, name, namespace, versionPath, values, complete } = release;
  return {
    object,
    gitOpsRelease: release,
    namespace,
    releaseName: name,
    podLabels: podLabelsOfChart(values, name),
    version: installedRelease(release.version),
    ...rangeOf(release),
    values: effectiveValues(values),
    fromChart: true,
    complete,
    pathOf: (...steps) => (steps[0] === 'version' ? versionPath : release.pathOf(...steps)),
  };
}

/** The release of a `helm_release` in a Terraform file, or of a helmfile. */
function writtenReleases(object: ManifestObject): GitOpsRelease[] {
  const { release, chart, repository, version, namespace, values, isComplete, skip_crds: skipCrds } = object.raw;
  const isWritten = [TERRAFORM_RELEASE, HELMFILE_RELEASE].some(
    ({ apiVersion, kind }) => object.apiVersion === apiVersion && object.kind === kind,
  );
  if (!isWritten) return [];
  return [
    {
      object,
      chart: textOrEmpty(chart),
      repository: textOrEmpty(repository),
      version: textOrEmpty(version) || undefined,
      versionPath: ['version'],
      name: textOrEmpty(release),
      namespace: textOrEmpty(namespace) || 'default',
      values: asRecord(values) ?? {},
      complete: isComplete === true,
      valuesPath: ['values'],
      pathOf: (...steps) => ['values', ...steps],
      // Helm installs CRDs, and never upgrades them.
      updatesCrds: false,
      ...(skipCrds === true ? { skipsCrds: { setting: 'skip_crds = true', path: ['skip_crds'] } } : {}),
      crdsPath: ['version'],
    },
  ];
}

/** The value if it is a string, else an empty string. */
export function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
const HELM_GROUP = 'helm.toolkit.fluxcd.io/';
const SOURCE_GROUP = 'source.toolkit.fluxcd.io/';

/**
 * Sources whose chart is a folder of files. It may be an umbrella chart, so its version says nothing about Karpenter.
 */
const FILE_SOURCES = ['GitRepository', 'Bucket'];

/**
 * The release of a HelmRelease. Its chart is in the object itself, or in the HelmChart or OCIRepository that it
 * references.
 *
 * @see https://fluxcd.io/flux/components/helm/helmreleases/
 */
export function fluxReleases(object: ManifestObject, objects: readonly ManifestObject[]): GitOpsRelease[] {
  const spec = asRecord(object.raw.spec);
  if (object.kind !== 'HelmRelease' || !object.apiVersion.startsWith(HELM_GROUP) || !spec) return [];
  const source = asRecord(asRecord(spec.chart)?.spec) ?? referredChart(object, asRecord(spec.chartRef), objects);
  if (!source || FILE_SOURCES.includes(textOrEmpty(asRecord(source.sourceRef)?.kind))) return [];
  const target = textOrEmpty(spec.targetNamespace);
  const ref = asRecord(source.ref);
  const { values, path } = valuesOfHelmRelease(object);
  return [
    {
      object,
      chart: textOrEmpty(source.chart),
      repository: textOrEmpty(source.url),
      version: textOrEmpty(source.version) || textOrEmpty(ref?.tag) || textOrEmpty(ref?.semver) || undefined,
      versionPath: spec.chart === undefined ? ['spec', 'chartRef'] : ['spec', 'chart', 'spec', 'version'],
      name: textOrEmpty(spec.releaseName) || [target, object.name].filter((part) => part !== '').join('-'),
      namespace: target || (object.namespace ?? 'default'),
      values,
      complete: recordsOf(spec.valuesFrom).length === 0 && !hasOtherDefaults(source),
      valuesPath: path,
      pathOf: (...steps) => [...path, ...steps],
      // Flux's default for upgrades is Skip.
      updatesCrds: asRecord(spec.upgrade)?.crds === 'CreateReplace',
      ...(asRecord(spec.install)?.crds === 'Skip'
        ? { skipsCrds: { setting: 'install.crds: Skip', path: ['spec', 'install', 'crds'] } }
        : {}),
      crdsPath: ['spec', 'upgrade', 'crds'],
    },
  ];
}

/** Whether values files of the chart replace its default values. */
function hasOtherDefaults({ valuesFiles }: PlainRecord): boolean {
  return Array.isArray(valuesFiles) && valuesFiles.some((file) => file !== 'values.yaml');
}

function referredChart(
  release: ManifestObject,
  ref: PlainRecord | undefined,
  objects: readonly ManifestObject[],
): PlainRecord | undefined {
  if (!ref) return undefined;
  const namespace = textOrEmpty(ref.namespace) || release.namespace;
  const chart = objects.find(
    ({ kind, apiVersion, name, ...object }) =>
      kind === ref.kind &&
      apiVersion.startsWith(SOURCE_GROUP) &&
      name === ref.name &&
      (object.namespace ?? 'default') === (namespace ?? 'default'),
  );
  return asRecord(chart?.raw.spec);
}

/**
 * The releases of an Application, which has one `source` or several `sources`.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/helm/
 */
export function argoReleases(object: ManifestObject): GitOpsRelease[] {
  const spec = asRecord(object.raw.spec);
  if (object.kind !== 'Application' || !object.apiVersion.startsWith('argoproj.io/') || !spec) return [];
  const source = asRecord(spec.source);
  const sources: ReadonlyArray<readonly [PlainRecord, FieldPath]> = source
    ? [[source, ['spec', 'source']]]
    : recordsOf(spec.sources).map((item, index) => [item, ['spec', 'sources', index]] as const);
  return sources
    .filter(([item]) => isChartSource(item))
    .map(([item, path]) => releaseOf(object, asRecord(spec.destination), item, path));
}

/** Whether the source is a chart repository. A source without a chart is a folder, possibly with an umbrella chart. */
function isChartSource({ chart, repoURL }: PlainRecord): boolean {
  return textOrEmpty(chart) !== '' || textOrEmpty(repoURL).startsWith('oci://');
}

function releaseOf(
  object: ManifestObject,
  destination: PlainRecord | undefined,
  source: PlainRecord,
  path: FieldPath,
): GitOpsRelease {
  const helm = asRecord(source.helm) ?? {};
  const inlineValues = parsedValues(helm.values);
  const parameters = recordsOf(helm.parameters);
  const hasOtherFiles = [helm.valueFiles, helm.fileParameters].some((list) => Array.isArray(list) && list.length > 0);
  const { values: valuesObject, key } = valuesObjectOf(helm);
  const hasObject = valuesObject !== undefined;
  const valuesPath = [...path, 'helm', hasObject ? key : 'values'];
  return {
    object,
    chart: textOrEmpty(source.chart),
    repository: textOrEmpty(source.repoURL),
    version: textOrEmpty(source.targetRevision) || undefined,
    versionPath: [...path, 'targetRevision'],
    name: textOrEmpty(helm.releaseName) || object.name,
    namespace: textOrEmpty(destination?.namespace) || 'default',
    values: parameters.reduce(withParameter, valuesObject ?? inlineValues ?? {}),
    complete: !hasOtherFiles && (hasObject || inlineValues !== undefined),
    valuesPath,
    pathOf: (...steps) => {
      // The last of several parameters counts.
      const index = parameters.map(({ name }) => name).lastIndexOf(steps.join('.'));
      return index < 0 ? [...valuesPath, ...steps] : [...path, 'helm', 'parameters', index, 'value'];
    },
    updatesCrds: helm.skipCrds !== true,
    ...(helm.skipCrds === true
      ? { skipsCrds: { setting: 'skipCrds: true', path: [...path, 'helm', 'skipCrds'] } }
      : {}),
    crdsPath: [...path, 'helm', 'skipCrds'],
  };
}

/** Values in YAML text; undefined if the text has no values. */
function parsedValues(values: unknown): PlainRecord | undefined {
  if (values === undefined || values === '') return {};
  try {
    return asRecord(parseYaml(textOrEmpty(values)));
  } catch {
    return undefined;
  }
}

function withParameter(values: PlainRecord, { name, value, forceString }: PlainRecord): PlainRecord {
  return withHelmParameter(values, textOrEmpty(name), textOrEmpty(value), forceString === true);
}
