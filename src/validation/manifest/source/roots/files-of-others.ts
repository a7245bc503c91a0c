import { dirname } from 'path';
import { isOfKind, objectKey, objectsIn, POOL_KINDS } from './root-objects';
import { SourceFile } from '../../model';

/** Folders of what shows how something works, and nobody relies on. */
const SAMPLE_FOLDER =
  /(^|[/_-])(samples?|demos?|examples?|tutorials?|workshops?|quickstarts?|playground|getting-started)([-_][^/]*)?\//i;
/** Folders of what others have written: their releases, copies and rendered charts. */
const VENDOR_FOLDER = /(^|\/)(vendor(ed)?|third[-_]?party|rendered|generated|[a-z][a-z-]*-v?\d+\.\d+\.\d+)\//i;
/** A comment or a label that Helm writes: the file is rendered from a chart, and is not edited. */
const RENDERED = /^# Source: \S+\.\w+\r?$|^ +helm\.sh\/chart: \S/m;
/** The release of a program is one file with its CRDs. */
const CRD = /^kind: CustomResourceDefinition\b/m;
const WORKLOAD = /^kind: (?:Deployment|DaemonSet|StatefulSet)\b/m;
/** Folders and files of what is replaced, and kept beside its successor. */
const LEFT_OVER =
  /(^|[/._-])(old|bak|orig|archived?|archives|deprecated|obsolete|unused)([._-][^/]*)?(\/|\.ya?ml$|\.tf$|$)/i;
/** Files that Flux, operators and their releases generate for their own installation. */
const VENDOR_FILE = /(^|\/)(gotk-components|[\w-]*operator[\w-]*-crds|[a-z][a-z-]*-v?\d+\.\d+\.\d+)\.ya?ml$/i;

/**
 * Marks samples, the files of vendors, and folders for a workstation, so that advice for production is only a note:
 * nobody changes them for that. All findings of files that are left over are notes.
 *
 * @param around the folder of all files, whose name says nothing
 */
export function withOthersMarked(files: readonly SourceFile[], around: string): SourceFile[] {
  const pathOf = ({ path }: SourceFile) =>
    around !== '.' && path.startsWith(`${around}/`) ? path.slice(around.length + 1) : path;
  const local = localFolders(files, (file) => topFolder(pathOf(file)));
  return withCopiesMarked(files).map((file) => {
    const path = pathOf(file);
    const isOfOthers =
      local.has(topFolder(path)) ||
      [SAMPLE_FOLDER, VENDOR_FOLDER, VENDOR_FILE].some((pattern) => pattern.test(path)) ||
      isRelease(file);
    const marks = { ...(isOfOthers ? { isOfOthers } : {}), ...(LEFT_OVER.test(path) ? { isLeftOver: true } : {}) };
    return file.isFound && Object.keys(marks).length > 0 ? { ...file, ...marks } : file;
  });
}

/**
 * Marks manifests with NodePools that the Terraform files of the same folder define themselves, such as the example of
 * a module: only one of both is applied, and Terraform reads no manifest beside it.
 */
function withCopiesMarked(files: readonly SourceFile[]): SourceFile[] {
  const ofTerraform = new Map<string, Set<string>>();
  for (const file of files.filter(({ path }) => path.endsWith('.tf'))) {
    const folder = dirname(file.path);
    ofTerraform.set(folder, new Set([...(ofTerraform.get(folder) ?? []), ...poolKeys(file)]));
  }
  return files.map((file) => {
    const own = ofTerraform.get(dirname(file.path));
    if (own === undefined || file.path.endsWith('.tf') || !file.isFound) return file;
    const keys = poolKeys(file);
    return keys.length > 0 && keys.every((key) => own.has(key)) ? { ...file, isLeftOver: true } : file;
  });
}

function poolKeys(file: SourceFile): string[] {
  return objectsIn(file)
    .filter((object) => isOfKind(object, POOL_KINDS))
    .map(objectKey);
}

/** An image that somebody has built on a workstation: no registry has it under this name. */
const LOCAL_IMAGE = /^[ \t-]*image: ["']?[a-z0-9]+(?:[-_][a-z0-9]+)+(?::latest|:local|:dev)?["']?[ \t]*\r?$/m;
const LOCAL_PULL = /^[ \t-]*imagePullPolicy: ["']?(?:Never|IfNotPresent)\b/m;
const ECR_IMAGE = /^[ \t-]*image: ["']?[^\s"']*\.dkr\.ecr\./m;

/** The folders for a workstation, beside others whose images are in ECR: no node of EKS could pull their images. */
function localFolders(files: readonly SourceFile[], folderOf: (file: SourceFile) => string): ReadonlySet<string> {
  const foldersOf = (matches: (text: string) => boolean) =>
    new Set(files.filter(({ text, isFound }) => isFound && matches(text)).map(folderOf));
  const ecr = foldersOf((text) => ECR_IMAGE.test(text));
  if (ecr.size === 0) return new Set();
  const local = foldersOf((text) => LOCAL_IMAGE.test(text) && LOCAL_PULL.test(text));
  return new Set([...local].filter((folder) => folder !== '' && !ecr.has(folder)));
}

/** The first step of a path; empty for a file beside the folders. */
function topFolder(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
}

/** Whether the text is a release of somebody, or rendered from a chart. */
function isRelease({ text }: SourceFile): boolean {
  return RENDERED.test(text) || (CRD.test(text) && WORKLOAD.test(text));
}
