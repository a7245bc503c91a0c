import { MadeApplication, madeApplications } from './application-set';
import { DefinedObject, DeployedPath, DeployedPaths } from './deployed-path';
import { filePattern } from './glob';
import { argoInlineFields } from './inline-kustomization';
import { RepositoryFolders } from './repository-folders';
import { asRecord, FieldPath } from '../../../../../contract';
import { valueText } from '../../../../../model';
import { PlainRecord, recordsOf, stringOrUndefined } from '../../../records';
import { defaultNamespaceEdit } from '../kustomization-edits';

const GROUP = 'argoproj.io/';
/** The cluster in which Argo CD itself runs. */
const OWN_CLUSTER = 'in-cluster';
const OWN_SERVER = 'https://kubernetes.default.svc';

/** An Application, or one that an ApplicationSet makes. */
export interface Application {
  readonly name?: string;
  readonly spec: PlainRecord;
  readonly definition: DefinedObject;
}

export interface ArgoPaths extends DeployedPaths {
  readonly tooMany: number;
  readonly applications: readonly Application[];
}

/** What the Applications and ApplicationSets of the input deploy, and where. */
export function argoPaths(objects: readonly DefinedObject[], folders: RepositoryFolders): ArgoPaths {
  let tooMany = 0;
  const applications = objects.flatMap((definition) => {
    const made = applicationsOf(definition, folders);
    if (made !== 'too many') return made.map(({ metadata, spec }) => applicationOf(metadata, spec, definition));
    tooMany++;
    return [];
  });
  const found = applications.map((application) => pathsOf(application, folders));
  return {
    paths: found.flatMap(({ paths }) => paths),
    elsewhere: found.reduce((sum, { elsewhere }) => sum + elsewhere, tooMany),
    written: found.flatMap(({ written }) => written),
    tooMany,
    applications,
  };
}

/** The field with the spec of an Application: in an ApplicationSet, the one of its template. */
export function specPathOf({ definition }: Application): FieldPath {
  return definition.object.kind === 'Application' ? ['spec'] : ['spec', 'template', 'spec'];
}

/** The applications that an object is or makes. */
function applicationsOf(
  { object: { apiVersion, kind, spec, metadata }, file }: DefinedObject,
  folders: RepositoryFolders,
): MadeApplication[] | 'too many' {
  if (!valueText(apiVersion).startsWith(GROUP)) return [];
  if (kind === 'Application') return [{ metadata, spec }];
  return kind === 'ApplicationSet' ? madeApplications(asRecord(spec) ?? {}, file.path, folders) : [];
}

function applicationOf(metadata: unknown, spec: unknown, definition: DefinedObject): Application {
  const name = stringOrUndefined(asRecord(metadata)?.name);
  return { definition, spec: asRecord(spec) ?? {}, ...(name === undefined ? {} : { name }) };
}

function pathsOf(application: Application, folders: RepositoryFolders): DeployedPaths {
  const { source, sources } = application.spec;
  const entries = sources === undefined ? recordsOf([source]) : recordsOf(sources);
  const ownReferences = entries
    .filter(({ ref, repoURL }) => typeof ref === 'string' && folders.isOwn(repoURL))
    .map(({ ref }) => valueText(ref));
  const found = entries.map((entry) => pathsOfSource(entry, application, ownReferences, folders));
  return {
    paths: found.flatMap((paths) => paths ?? []),
    elsewhere: found.filter((paths) => paths === undefined).length,
    written: entries.map(({ repoURL, targetRevision, path, chart, directory, kustomize, helm, plugin }, index) => ({
      definition: application.definition,
      url: repoURL,
      revision: targetRevision,
      path: chart === undefined ? path : undefined,
      isFlat:
        [undefined, false].includes(asRecord(directory)?.recurse as undefined) &&
        [kustomize, helm, plugin].every((tool) => tool === undefined),
      field: [...specPathOf(application), ...(sources === undefined ? ['source'] : ['sources', index]), 'path'],
    })),
  };
}

/** Undefined if the source is elsewhere. */
function pathsOfSource(
  { repoURL, path, chart, ref, directory, kustomize, helm }: PlainRecord,
  { name, spec, definition }: Application,
  ownReferences: readonly string[],
  folders: RepositoryFolders,
): readonly DeployedPath[] | undefined {
  const destination = asRecord(spec.destination) ?? {};
  const { namespace } = destination;
  const file = definition.file.path;
  if (path === undefined && ref !== undefined) return [];
  if (chart !== undefined || typeof path !== 'string' || !folders.isOwn(repoURL)) return undefined;
  const inline = argoInlineFields(asRecord(kustomize) ?? {});
  const { recurse, include, exclude } = asRecord(directory) ?? {};
  const label = name === undefined || name.includes('{{') ? {} : { name };
  const matched = foldersOf(path, file, folders).map(
    (folder): DeployedPath => ({
      folder,
      ...(inline === undefined ? {} : { inline }),
      edits: defaultNamespaceEdit(namespace),
      variant: JSON.stringify([namespace, inline]),
      by: { definition, ...label },
      cluster: clusterOf(destination, path, folder),
      isRecursive: recurse === true,
      isIncluded: inclusion(include, exclude),
      application: {
        file,
        helm: asRecord(helm) ?? {},
        ownReferences,
        ...(name === undefined ? {} : { name }),
        ...(typeof namespace === 'string' ? { namespace } : {}),
      },
    }),
  );
  // A destination with a value that is not in the input may be any cluster.
  const known = matched.filter(({ cluster }) => !cluster.includes('{{'));
  return known.length === 0 ? undefined : known;
}

/** Which files of a folder are deployed, by their path in it. A pattern that is not understood leaves out nothing. */
function inclusion(include: unknown, exclude: unknown): DeployedPath['isIncluded'] {
  const [included, excluded] = [include, exclude].map((pattern) =>
    typeof pattern === 'string' && pattern !== '' ? filePattern(pattern) : undefined,
  );
  return (path) => included?.(path) !== false && excluded?.(path) !== true;
}

function foldersOf(path: string, file: string, folders: RepositoryFolders): string[] {
  const folder = path.includes('{{') ? undefined : folders.find(file, path);
  return folder === undefined ? folders.match(file, path).map(({ found }) => found) : [folder];
}

/** Placeholders that the path and the destination share are filled in from the folder that the path has matched. */
function clusterOf({ server, name }: PlainRecord, path: string, folder: string): string {
  const text = valueText(name ?? server ?? OWN_CLUSTER);
  if (text === OWN_SERVER) return OWN_CLUSTER;
  if (!text.includes('{{')) return text.replace(/\/$/, '');
  const [steps, names] = [path.split('/').reverse(), folder.split('/').reverse()];
  return text.replace(/\{\{[^{}]*\}\}/g, (placeholder) => {
    const index = steps.indexOf(placeholder);
    return index < 0 ? placeholder : names[index];
  });
}
