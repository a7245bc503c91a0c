/** Karpenter's chart as a helmfile of the repository installs it. */
import { CHART_NAME, isChart } from './chart';
import { textOrEmpty } from './gitops';
import { asRecord } from '../../contract';
import { Root, SourceFile } from '../manifest';
import { mergedValues, withHelmParameter } from '../manifest/helm-values';
import { PlainRecord } from '../manifest/records';
import { filesByPath } from '../manifest/source/roots/charts/chart-release';
import { HelmfileRelease, writtenHelmfileReleases } from '../manifest/source/roots/charts/helmfile-releases';
import { environmentOf, environmentOfRoot } from '../manifest/source/roots/environments';
import { parseDocuments } from '../manifest/source/roots/kustomization';
import { editedObjectsIn, isOfKind } from '../manifest/source/roots/root-objects';
import { HELMFILE_RELEASE } from '../manifest/source/terraform/helm-release-block';

/**
 * Adds the release of Karpenter that a helmfile writes to the roots with NodePools, if it is the only one of their
 * environment.
 */
export function withHelmfileRelease<R extends Root & { readonly skipped?: string }>(
  roots: readonly R[],
  files: readonly SourceFile[],
  pathOf: (root: Root) => string,
): R[] {
  const releases = writtenHelmfileReleases(files, filesByPath(files)).filter(({ chart }) =>
    isChart({ chart, repository: '' }, CHART_NAME),
  );
  if (releases.length === 0) return [...roots];
  return roots.map((root) => {
    if (root.skipped !== undefined || !hasPools(root)) return root;
    const own = environmentOfRoot(root, pathOf);
    const same = releases.filter(({ environment }) => own !== undefined && environmentOf(environment ?? '') === own);
    const [release, ...others] = same.length > 0 ? same : releases;
    return others.length > 0 ? root : { ...root, sources: [...root.sources, sourceOf(release)] };
  });
}

function hasPools({ sources }: Root): boolean {
  return sources.some((source) =>
    editedObjectsIn(source).some((object) => isOfKind(object, ['NodePool', 'Provisioner'])),
  );
}

/** The release as an object in the line where it begins. */
function sourceOf({
  file,
  line,
  name = CHART_NAME,
  namespace,
  chart,
  version,
  collected,
  parameters,
}: HelmfileRelease): SourceFile {
  const texts = collected.values.map(({ text }) => asRecord(parseDocuments(text)[0] ?? {}));
  const values = parameters.reduce<PlainRecord>(
    (all, { key, value, isText }) => withHelmParameter(all, key, value, isText),
    texts.reduce<PlainRecord>((all, one) => mergedValues(all, one ?? {}), {}),
  );
  const object = {
    ...HELMFILE_RELEASE,
    metadata: { name },
    release: name,
    chart: textOrEmpty(chart),
    repository: '',
    version: version?.replace(/^v/, ''),
    namespace: namespace ?? 'default',
    values,
    isComplete: collected.missing.length === 0 && texts.every((one) => one !== undefined),
  };
  return {
    path: file.path,
    text: `${'\n'.repeat(line - 1)}${JSON.stringify(object)}\n`,
    written: file.text,
    isGenerated: true,
  };
}
