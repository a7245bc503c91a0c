import { basename, dirname } from 'path';
import { SourceText } from './source-text';
import { asRecord, formatFieldPath } from '../../../contract';
import { valueText } from '../../../model';
import { DeploymentProblem, ProtectedObject, UnmatchedPatch } from '../../vocabulary/source-file';
import {
  BlockedDeployment,
  FieldPath,
  ListPatch,
  ManifestObject,
  PatchWithoutTarget,
  ReplacedList,
  SourceFile,
  SpreadProtection,
} from '../model';
import { PlainRecord } from '../records';
import { readDocuments } from '../yaml/documents';

/** The patch as an object whose places are those of its file, or of the field of the kustomization that has it. */
export function listPatchOf(list: ReplacedList): ListPatch {
  const { file, inline, apiVersion, kind, name } = list;
  const source = new SourceText(file);
  const { documents } = readDocuments(source);
  const document = documents.find(({ value }) => inline !== undefined || isPatchOf(value, list)) ?? documents[0];
  const locate = (path: FieldPath) => ({
    file: source.path,
    ...source.position(document?.offsetOf(inline ?? path) ?? 0),
    path: formatFieldPath(path),
  });
  const raw = inline === undefined ? (asRecord(document?.value) ?? {}) : {};
  return { object: { apiVersion, kind, name, raw, locate }, list };
}

/** The kustomization with a patch that changes nothing. Places are those of the target in its file. */
export function unmatchedPatchOf(patch: UnmatchedPatch): PatchWithoutTarget {
  const { file, by, path } = patch;
  const object = writtenObject(file, by);
  return { object: { ...object, raw: {}, locate: (field) => object.locate([...path, ...field]) }, patch };
}

/** The object that deploys nothing. Places are those of its document. */
export function deploymentProblemOf(problem: DeploymentProblem): BlockedDeployment {
  return { object: writtenObject(problem.file, problem.object), problem };
}

/** The workloads by the place that protects them. */
export function spreadProtectionsOf(objects: readonly ProtectedObject[]): SpreadProtection[] {
  const byPlace = new Map<string, ProtectedObject[]>();
  for (const one of objects) {
    const key = JSON.stringify([one.file.path, one.path]);
    byPlace.set(key, [...(byPlace.get(key) ?? []), one]);
  }
  return [...byPlace.values()].map((workloads) => {
    const [{ file, by, path }] = workloads;
    return { object: writtenObject(file, by), path, workloads };
  });
}

/** The object of a document, with its places. A kustomization has the name of its folder. */
function writtenObject(file: SourceFile, by?: PlainRecord): ManifestObject {
  const source = new SourceText(file);
  const { documents } = readDocuments(source);
  const text = JSON.stringify(by);
  const document = documents.find(({ value }) => by === undefined || JSON.stringify(value) === text) ?? documents[0];
  const locate = (path: FieldPath) => ({
    file: source.path,
    ...source.position(document?.offsetOf(path) ?? 0),
    path: formatFieldPath(path),
  });
  const raw = by ?? {};
  if (basename(file.path) === 'Chart.yaml')
    return { apiVersion: valueText(raw.apiVersion), kind: 'Chart', name: valueText(raw.name), raw, locate };
  const { apiVersion = 'kustomize.config.k8s.io/v1beta1', kind = 'Kustomization' } = raw;
  const { name = basename(dirname(file.path)), namespace } = asRecord(raw.metadata) ?? {};
  return {
    apiVersion: valueText(apiVersion),
    kind: valueText(kind),
    name: valueText(name),
    ...(typeof namespace === 'string' ? { namespace } : {}),
    raw,
    locate,
  };
}

/** With a target, the name in the patch may be any. */
function isPatchOf(value: unknown, { path, after }: ReplacedList): boolean {
  const written = path.reduce<unknown>((inner, step) => asRecord(inner)?.[step], value);
  return JSON.stringify(written) === JSON.stringify(after);
}
