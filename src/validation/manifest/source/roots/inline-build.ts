import { Built, KustomizeBuild } from './kustomize/build';
import { FileAccess } from './kustomize/build-files';
import { BuiltFiles } from './kustomize/built-files';
import { InlineBuild } from './kustomize/inline-fields';
import { KUSTOMIZATION_NAMES } from './kustomize/kustomization-file';
import { KustomizeRefusal, NotFollowed } from './kustomize/refusal';
import { asRecord } from '../../../../contract';
import { valueText } from '../../../../model';
import { SourceFile } from '../../model';
import { PlainRecord } from '../../records';
import { readDocuments } from '../../yaml/documents';
import { findUnreadable, SourceText } from '../source-text';

/** An inline build, with the object that writes its fields. */
export interface DeployedBuild extends InlineBuild {
  readonly by: { readonly file: SourceFile; readonly object: PlainRecord };
}

const FOLDER = 'inline';

/**
 * Builds files with the fields, as if a kustomization had these files as its resources. Files that kustomize would not
 * build are as they are, with a note.
 */
export function looseBuild(
  files: readonly SourceFile[],
  build: DeployedBuild,
  access: FileAccess = {},
): { readonly sources: readonly SourceFile[]; readonly notes: readonly string[] } {
  const objects = files.filter(hasOnlyObjects);
  const others = files.filter((file) => !objects.includes(file));
  try {
    const { sources } = new BuiltFiles(buildOfFiles(objects, build, access), build.by);
    // A found file may have parts that are no manifests.
    return { sources: [...sources.map((source) => ({ ...source, isFound: true })), ...others], notes: [] };
  } catch (error) {
    if (!(error instanceof KustomizeRefusal) && !(error instanceof NotFollowed)) throw error;
    const reason = error instanceof KustomizeRefusal ? `kustomize refuses them: ${error.message}` : error.message;
    return { sources: files, notes: [`without the changes of ${deployerOf(build.by)}: ${reason}`] };
  }
}

function buildOfFiles(files: readonly SourceFile[], build: InlineBuild, access: FileAccess): Built {
  const named = files.map((file, index) => [`${index}.yaml`, file] as const);
  const kustomization = {
    path: `${FOLDER}/${KUSTOMIZATION_NAMES[0]}`,
    text: JSON.stringify({ resources: named.map(([name]) => name) }),
  };
  const inFolder = new Map([
    [kustomization.path, kustomization],
    ...named.map(([name, file]) => [`${FOLDER}/${name}`, file] as const),
  ]);
  return new KustomizeBuild(inFolder, access).build(FOLDER, build);
}

/** Whether all documents of a file are objects of Kubernetes, so that Flux deploys it. */
function hasOnlyObjects(file: SourceFile): boolean {
  const documents = findUnreadable(file) ? [] : readDocuments(new SourceText(file)).documents;
  return (
    documents.length > 0 &&
    documents.every(({ value }) => {
      const { apiVersion, kind } = asRecord(value) ?? {};
      return typeof apiVersion === 'string' && typeof kind === 'string';
    })
  );
}

/** The kind and the name of the object that writes the fields. */
export function deployerOf({ object: { kind, metadata } }: DeployedBuild['by']): string {
  return `${valueText(kind)} ${valueText(asRecord(metadata)?.name)}`;
}

/** The file of the deploying object, unreadable for a reason of kustomize. */
export function refusedDeployer(by: DeployedBuild['by'], folder: string, reason: string): SourceFile {
  const { file, object } = by;
  const what = asRecord(object.spec)?.patches === undefined ? 'its changes' : 'its patches';
  return {
    path: file.path,
    text: file.text,
    isFound: false,
    unreadable: {
      message: `${deployerOf(by)} cannot deploy ${folder}: kustomize refuses ${what}: ${reason}`,
      remedy: 'correct them until kustomize builds the folder with them',
      offset: offsetIn(file, object),
      isRefused: true,
    },
  };
}

function offsetIn(file: SourceFile, object: PlainRecord): number {
  if (findUnreadable(file)) return 0;
  const text = JSON.stringify(object);
  const document = readDocuments(new SourceText(file)).documents.find(({ value }) => JSON.stringify(value) === text);
  return document?.offsetOf(['spec']) ?? 0;
}
