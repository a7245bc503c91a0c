/** What a repository says about Karpenter somewhere else than in the root that is judged. */
import { basename } from 'path';
import { CHART_NAME, isChart } from './chart';
import { controllersDeployedBy } from './deployment';
import { exactRelease, gitOpsControllers, installedRelease } from './gitops';
import { withHelmfileRelease } from './helmfile';
import { Installation, isOneRelease, servingInstallation, withFact, withOtherReleases } from './several-releases';
import { asRecord, devicePluginsIn, isBeforeV1, isKnownKarpenterVersion, clusterProgramsIn } from '../../contract';
import { valueText } from '../../model';
import { eksctlClusters } from '../cluster/node-groups';
import { ManifestObject, Root, SourceFile } from '../manifest';
import { PlainRecord, recordsOf, stringOrUndefined } from '../manifest/records';
import { namesKarpenter } from '../manifest/source/karpenter-trace';
import { withRegionElsewhere } from '../manifest/source/region-elsewhere';
import { HELMFILE } from '../manifest/source/roots/charts/helmfile-releases';
import { withCompanions } from '../manifest/source/roots/companions';
import { ARCHIVE, environmentOfRoot, pathsOf } from '../manifest/source/roots/environments';
import { documentsIn, editedObjectsIn } from '../manifest/source/roots/root-objects';
import { isUnknownRelease, TERRAFORM_RELEASE } from '../manifest/source/terraform/helm-release-block';
import { mayBeTerraformJson, plannedKarpenterVersions } from '../manifest/source/terraform/planned-manifests';
import { withKubernetesVersion } from '../manifest/source/terraform/repository-kubernetes';
import { withTerraformRegion } from '../manifest/source/terraform/repository-region';
import { withTerraformResources } from '../manifest/source/terraform/repository-resources';

/**
 * Tells each root the region that other roots, Karpenter's chart or Terraform's AWS provider name, the node groups of
 * other files, and the release of Karpenter that the repository installs: in the environment of the root, otherwise in
 * none, otherwise anywhere. Of several releases it is the newest one that serves the objects, if that is not so for the
 * newest release of all. What a root installs itself overrides this. If no file names
 * Karpenter, the roots know that instead.
 *
 * @param files all files of the repository
 */
export function withKarpenterOfRepository<R extends Root & { readonly skipped?: string }>(
  given: readonly R[],
  files: readonly SourceFile[],
): R[] {
  const complete = withCompanions(given);
  const located = withNodeGroups(withKubernetesVersion(withRegions(complete, files), files), files);
  const roots = withClusterPrograms(withDevicePlugins(withTerraformResources(located, files), files), files);
  const all = [...new Set([...files, ...roots.flatMap(({ sources }) => sources)])];
  const installations = installationsIn(all);
  if (installations.length === 0)
    return all.some(isAboutKarpenter) ? withUnknownRelease(roots, all) : roots.map(withoutKarpenter);
  const pathOf = pathsOf([...roots, ...installations.map(({ root }) => root)]);
  const told = roots.map((root) => {
    const isOwn = (source: SourceFile) => installations.some(isIn(source));
    if (root.skipped !== undefined) return root;
    const candidates = candidatesFor(root, installations, pathOf);
    const own = root.sources.some(isOwn);
    if (own && root.kind !== 'chart') return root;
    const choice = own ? undefined : servingInstallation(root, candidates);
    if (choice === undefined) return withOtherReleases(root, candidates);
    const { version, root: place } = choice;
    const which = isOneRelease(candidates) ? '' : `, the newest in the repository that serves its objects`;
    const notes = [...root.notes, `with Karpenter ${version} of ${pathOf(place)}${which}`];
    return withFact({ ...root, notes }, { karpenterVersion: version });
  });
  const isByHelmfile = installations.every(({ root }) => HELMFILE.test(root.name));
  return isByHelmfile ? withHelmfileRelease(told, files, pathOf) : told;
}

function withRegions<R extends Root & { readonly skipped?: string }>(
  roots: readonly R[],
  files: readonly SourceFile[],
): R[] {
  return withTerraformRegion(withRegionElsewhere(roots, files), files);
}

/** Tells the roots which node groups other files create: these may run pods that no NodePool accepts. */
function withNodeGroups<R extends Root & { readonly skipped?: string }>(
  roots: readonly R[],
  files: readonly SourceFile[],
): R[] {
  const groupsByFile = files.map(
    (file) =>
      [
        file,
        [
          ...(file.trace?.nodeGroups ?? []),
          ...eksctlClusters(editedObjectsIn(file).map(manifestOf)).flatMap(({ nodeGroups }) =>
            nodeGroups.map(({ name, labels, taints }) => ({ name, labels, taints })),
          ),
        ],
      ] as const,
  );
  if (groupsByFile.every(([, groups]) => groups.length === 0)) return [...roots];
  return roots.map((root) => {
    const own = new Set(root.sources.map(({ path }) => path));
    const isElsewhere = ({ path, trace }: SourceFile) => trace !== undefined || !own.has(path);
    const nodeGroups = groupsByFile.flatMap(([file, groups]) => (isElsewhere(file) ? groups : []));
    return root.skipped === undefined && nodeGroups.length > 0 ? withFact(root, { nodeGroups }) : root;
  });
}

/** Tells the roots which device plugins any file of the repository installs: these run on nodes of the same cluster. */
function withDevicePlugins<R extends Root>(roots: readonly R[], files: readonly SourceFile[]): R[] {
  if (roots.length < 2 && files.every(({ trace }) => trace === undefined)) return [...roots];
  const plugins = files.flatMap(({ text, trace }) => trace?.devicePlugins ?? devicePluginsIn(text));
  const devicePlugins = [...new Set(plugins)].sort();
  return devicePlugins.length === 0 ? [...roots] : roots.map((root) => withFact(root, { devicePlugins }));
}

/** Tells the roots which CSI drivers any file of the repository installs. */
function withClusterPrograms<R extends Root>(roots: readonly R[], files: readonly SourceFile[]): R[] {
  const drivers = files.flatMap(({ text, trace }) => trace?.clusterPrograms ?? clusterProgramsIn(text));
  const clusterPrograms = [...new Set(drivers)].sort();
  return clusterPrograms.length === 0 ? [...roots] : roots.map((root) => withFact(root, { clusterPrograms }));
}

/** A named file is judged, whatever it is about: the NodePools may be elsewhere. Folders may be around the input. */
function isAboutKarpenter({ path, text, isFound = false, trace }: SourceFile): boolean {
  return (
    !isFound ||
    (trace !== undefined && trace.isSilent !== true) ||
    namesKarpenter(basename(path)) ||
    namesKarpenter(text)
  );
}

/** Tells the roots that Terraform installs a release whose version is in no file. */
function withUnknownRelease<R extends Root>(roots: readonly R[], files: readonly SourceFile[]): R[] {
  const isUnknown = files.some((file) => editedObjectsIn(file).some(isUnknownRelease));
  return roots.map((root) => (isUnknown ? withFact(root, { isReleaseUnknown: true }) : root));
}

function withoutKarpenter<R extends Root>(root: R): R {
  return withFact(root, { isWithoutKarpenter: true });
}

/** What Terraform or a script says beside manifests is in no root. Neither is the chart of a shared plan. */
function isIn(source: SourceFile): (installation: Installation) => boolean {
  const { path } = source;
  if (source.edit && (mayBeTerraformJson(source) || isTerraformWithoutRelease(source))) return () => false;
  return ({ root: { name, sources } }) => name === path && sources.every(({ trace }) => trace === undefined);
}

/** Whether the root gets only other objects of a Terraform file, such as its NodePools. */
function isTerraformWithoutRelease(source: SourceFile): boolean {
  const isKarpenter = ({ kind, chart }: PlainRecord) =>
    kind === TERRAFORM_RELEASE.kind && /(?:^|\/)karpenter(?:-crd)?$/.test(valueText(chart));
  return source.path.endsWith('.tf') && !editedObjectsIn(source).some(isKarpenter);
}

function candidatesFor(
  root: Root,
  installations: readonly Installation[],
  pathOf: (root: Root) => string,
): readonly Installation[] {
  const own = environmentOfRoot(root, pathOf);
  const of = (environment: string | undefined) =>
    installations.filter((installation) => environmentOfRoot(installation.root, pathOf) === environment);
  const inUse = installations.filter((installation) => environmentOfRoot(installation.root, pathOf) !== ARCHIVE);
  return [of(own), of(undefined), inUse].find((some) => some.length > 0) ?? [];
}

/** Releases that are commented out count only if there is no other. */
function installationsIn(files: readonly SourceFile[]): Installation[] {
  const written = writtenInstallations(files);
  return written.length > 0 ? written : files.flatMap((file) => installationOf(file, file.trace?.commentedVersion));
}

function installationOf(file: SourceFile, version: string | undefined): Installation[] {
  return version !== undefined && (isKnownKarpenterVersion(version) || isBeforeV1(version))
    ? [{ version, root: { name: file.path, kind: 'files', sources: [file], notes: [] } }]
    : [];
}

function writtenInstallations(files: readonly SourceFile[]): Installation[] {
  const objectsByFile = files.map((file) => [file, editedObjectsIn(file).map(manifestOf)] as const);
  // A HelmRelease may refer to a chart of another file.
  const charts = objectsByFile.flatMap(([, objects]) => objects.filter(({ kind }) => CHART_KINDS.includes(kind)));
  const isVariableUsed = files.some(({ trace }) => trace?.usesVersion === true);
  return objectsByFile.flatMap(([file, objects]) =>
    [
      file.trace?.isDefault && !isVariableUsed ? undefined : file.trace?.version,
      ...(mayBeTerraformJson(file) ? documentsIn(file) : []).flatMap((document) =>
        plannedKarpenterVersions(asRecord(document) ?? {}),
      ),
      ...gitOpsVersions(objects, charts),
      ...controllersDeployedBy(objects).map(({ version }) => version),
      ...eksctlClusters(objects).map(({ karpenterVersion }) => exactRelease(karpenterVersion)),
      ...otherReleases(file.path, objects),
    ].flatMap((version) => installationOf(file, version)),
  );
}

const CHART_KINDS = ['HelmChart', 'OCIRepository'];
const RELEASE_KINDS = ['HelmRelease', 'Application', 'ApplicationSet', TERRAFORM_RELEASE.kind];
const CHART_FILE = /(^|\/)Chart\.yaml$/;
const KUSTOMIZATION = /(^|\/)(kustomization\.ya?ml|[Kk]ustomization)$/;

function gitOpsVersions(
  objects: readonly ManifestObject[],
  charts: readonly ManifestObject[],
): Array<string | undefined> {
  const releases = objects.filter(({ kind }) => RELEASE_KINDS.includes(kind));
  return releases.length === 0
    ? []
    : gitOpsControllers([...releases.map(applicationOf), ...charts]).map(({ version }) => version);
}

/** The Application that an ApplicationSet makes, with the placeholders of its generators. */
function applicationOf(object: ManifestObject): ManifestObject {
  const template = asRecord(object.raw.spec?.template);
  return object.kind === 'ApplicationSet' && template
    ? { ...object, kind: 'Application', raw: { ...object.raw, spec: asRecord(template.spec) } }
    : object;
}

/** The releases of umbrella charts, of helmfiles, and of charts that kustomize renders. */
function otherReleases(path: string, objects: readonly ManifestObject[]): Array<string | undefined> {
  const entries = objects.flatMap(({ raw }) => {
    if (CHART_FILE.test(path)) return recordsOf(raw.dependencies);
    if (HELMFILE.test(path)) return recordsOf(raw.releases).map((one) => ({ ...one, name: one.chart }));
    return KUSTOMIZATION.test(path) ? recordsOf(raw.helmCharts) : [];
  });
  return entries
    .filter(({ name }) => typeof name === 'string' && isChart({ chart: name, repository: '' }, CHART_NAME))
    .map(({ version }) => installedRelease(stringOrUndefined(version)));
}

function manifestOf(raw: PlainRecord): ManifestObject {
  const { name, namespace } = asRecord(raw.metadata) ?? {};
  return {
    apiVersion: stringOrUndefined(raw.apiVersion) ?? '',
    kind: stringOrUndefined(raw.kind) ?? '',
    namespace: stringOrUndefined(namespace),
    name: stringOrUndefined(name) ?? '',
    raw,
    locate: (path) => ({ file: '', line: 1, column: 1, path: path.join('.') }),
  };
}
