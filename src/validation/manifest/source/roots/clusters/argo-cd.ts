import { basename } from 'path';
import { DefinedObject, DeployedPath, DeployedPaths } from './deployed-path';
import { RepositoryFolders } from './repository-folders';
import { asRecord } from '../../../../../contract';
import { valueText } from '../../../../../model';
import { PlainRecord, recordsOf, stringOrUndefined } from '../../../records';
import { defaultNamespaceEdit, inlineEdits } from '../kustomization-edits';

const GROUP = 'argoproj.io/';
/** The cluster in which Argo CD itself runs. */
const OWN_CLUSTER = 'in-cluster';
const OWN_SERVER = 'https://kubernetes.default.svc';

/** An ApplicationSet that makes more is not followed. Argo CD itself reconciles some thousands per controller. */
const MOST_APPLICATIONS = 2000;

/** The values of one application that an ApplicationSet makes. */
type Parameters = Readonly<Record<string, string>>;

/** An Application, or one that an ApplicationSet makes. */
interface Application {
  readonly name?: string;
  readonly spec: PlainRecord;
}

/** What the Applications and ApplicationSets of the input deploy, and where. */
export function argoPaths(
  objects: readonly DefinedObject[],
  folders: RepositoryFolders,
): DeployedPaths & { readonly tooMany: number } {
  let tooMany = 0;
  const applications = objects.flatMap(({ file, object }) => {
    const made = applicationsOf(object, file.path, folders);
    if (made !== 'too many') return made.map((application) => ({ file, application }));
    tooMany++;
    return [];
  });
  const found = applications.map(({ file, application }) => pathsOf(application, file.path, folders));
  return {
    paths: found.flatMap(({ paths }) => paths),
    elsewhere: found.reduce((sum, { elsewhere }) => sum + elsewhere, tooMany),
    tooMany,
  };
}

/** The applications that an object is or makes. */
function applicationsOf(
  { apiVersion, kind, spec, metadata }: PlainRecord,
  file: string,
  folders: RepositoryFolders,
): Application[] | 'too many' {
  if (!valueText(apiVersion).startsWith(GROUP)) return [];
  if (kind === 'Application') return [applicationOf(metadata, spec)];
  if (kind !== 'ApplicationSet') return [];
  const { generators, template } = asRecord(spec) ?? {};
  const { spec: templateSpec, metadata: templateMetadata } = asRecord(template) ?? {};
  if (!asRecord(templateSpec)) return [];
  const rows = recordsOf(generators).flatMap((generator) => parametersOf(generator, file, folders));
  if (rows.length > MOST_APPLICATIONS) return 'too many';
  return rows.map((parameters) =>
    applicationOf(filled(templateMetadata, parameters), filled(templateSpec, parameters)),
  );
}

function applicationOf(metadata: unknown, spec: unknown): Application {
  const name = stringOrUndefined(asRecord(metadata)?.name);
  return { spec: asRecord(spec) ?? {}, ...(name === undefined ? {} : { name }) };
}

/** A generator whose values are not in the input makes one application, whose placeholders stay. */
function parametersOf(generator: PlainRecord, file: string, folders: RepositoryFolders): Parameters[] {
  const { list, git, matrix } = generator;
  const elements = asRecord(list)?.elements;
  if (elements !== undefined) return recordsOf(elements).map((element) => flat(element, ''));
  const directories = asRecord(git)?.directories;
  if (directories !== undefined)
    return folders.isOwn(asRecord(git)?.repoURL) ? directoryParameters(directories, file, folders) : [{}];
  if (matrix !== undefined) {
    const parts = recordsOf(asRecord(matrix)?.generators).map((part) => parametersOf(part, file, folders));
    const count = parts.reduce((product, part) => product * part.length, 1);
    if (count > MOST_APPLICATIONS) return Array<Parameters>(MOST_APPLICATIONS + 1).fill({});
    return parts.reduce<Parameters[]>(
      (rows, part) => rows.flatMap((row) => part.map((more) => ({ ...row, ...more }))),
      [{}],
    );
  }
  return [{}];
}

function directoryParameters(directories: unknown, file: string, folders: RepositoryFolders): Parameters[] {
  const matches = (isExcluded: boolean) =>
    recordsOf(directories)
      .filter(({ exclude }) => (exclude === true) === isExcluded)
      .flatMap(({ path }) => (typeof path === 'string' ? folders.match(file, path) : []));
  const excluded = new Set(matches(true));
  return [...new Set(matches(false))]
    .filter((folder) => !excluded.has(folder))
    .map((folder) => {
      const name = basename(folder);
      return { path: folder, 'path.path': folder, 'path.basename': name, 'path.basenameNormalized': name };
    });
}

/** The values of an element by their path: `values.region` for a nested one. */
function flat(element: PlainRecord, prefix: string): Parameters {
  return Object.fromEntries(
    Object.entries(element).flatMap(([key, value]): Array<[string, string]> => {
      const inner = asRecord(value);
      return inner ? Object.entries(flat(inner, `${prefix}${key}.`)) : [[`${prefix}${key}`, valueText(value)]];
    }),
  );
}

/** Replaces placeholders: `{{name}}`, and `{{ .name }}` of Go templates. */
function filled(value: unknown, parameters: Parameters): unknown {
  if (typeof value === 'string') {
    return value.replace(/\{\{-?\s{0,9}\.?([\w.-]{1,200}?)\s{0,9}-?\}\}/g, (whole, name: string) =>
      Object.hasOwn(parameters, name) ? parameters[name] : whole,
    );
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, parameters));
  const record = asRecord(value);
  return record
    ? Object.fromEntries(Object.entries(record).map(([key, inner]) => [key, filled(inner, parameters)]))
    : value;
}

function pathsOf({ name, spec }: Application, file: string, folders: RepositoryFolders): DeployedPaths {
  const { source, sources, destination } = spec;
  const entries = sources === undefined ? recordsOf([source]) : recordsOf(sources);
  const { namespace } = asRecord(destination) ?? {};
  const ownReferences = entries
    .filter(({ ref, repoURL }) => typeof ref === 'string' && folders.isOwn(repoURL))
    .map(({ ref }) => valueText(ref));
  const found = entries.map((entry): readonly DeployedPath[] | undefined => {
    const { repoURL, path, chart, ref, directory, kustomize, helm } = entry;
    if (path === undefined && ref !== undefined) return [];
    if (chart !== undefined || typeof path !== 'string' || !folders.isOwn(repoURL)) return undefined;
    const edits = [...inlineEdits(asRecord(kustomize) ?? {}), ...defaultNamespaceEdit(namespace)];
    const variant = JSON.stringify([namespace, kustomize]);
    const matched = foldersOf(path, file, folders).map(
      (folder): DeployedPath => ({
        folder,
        edits,
        variant,
        cluster: clusterOf(asRecord(destination) ?? {}, path, folder),
        isRecursive: asRecord(directory)?.recurse === true,
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
  });
  return {
    paths: found.flatMap((paths) => paths ?? []),
    elsewhere: found.filter((paths) => paths === undefined).length,
  };
}

function foldersOf(path: string, file: string, folders: RepositoryFolders): string[] {
  if (path.includes('{{')) return folders.match(file, path);
  const folder = folders.find(file, path);
  return folder === undefined ? folders.match(file, path) : [folder];
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
