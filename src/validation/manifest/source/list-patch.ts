import { basename, dirname } from 'path';
import { SourceText } from './source-text';
import { asRecord, formatFieldPath } from '../../../contract';
import { valueText } from '../../../model';
import { DeploymentProblem, UnmatchedPatch } from '../../vocabulary/source-file';
import { BlockedDeployment, FieldPath, ListPatch, PatchWithoutTarget, ReplacedList } from '../model';
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
  const source = new SourceText(file);
  const { documents } = readDocuments(source);
  const text = JSON.stringify(by);
  const document = documents.find(({ value }) => by === undefined || JSON.stringify(value) === text) ?? documents[0];
  const locate = (field: FieldPath) => ({
    file: source.path,
    ...source.position(document?.offsetOf([...path, ...field]) ?? 0),
    path: formatFieldPath([...path, ...field]),
  });
  const { apiVersion = 'kustomize.config.k8s.io/v1beta1', kind = 'Kustomization', metadata } = by ?? {};
  const name = by === undefined ? basename(dirname(file.path)) : valueText(asRecord(metadata)?.name);
  return { object: { apiVersion: valueText(apiVersion), kind: valueText(kind), name, raw: {}, locate }, patch };
}

/** The object that deploys nothing. Places are those of its document. */
export function deploymentProblemOf(problem: DeploymentProblem): BlockedDeployment {
  const { file, object: raw } = problem;
  const source = new SourceText(file);
  const text = JSON.stringify(raw);
  const { documents } = readDocuments(source);
  const document = documents.find(({ value }) => JSON.stringify(value) === text) ?? documents[0];
  const locate = (path: FieldPath) => ({
    file: source.path,
    ...source.position(document?.offsetOf(path) ?? 0),
    path: formatFieldPath(path),
  });
  const { name, namespace } = asRecord(raw.metadata) ?? {};
  return {
    object: {
      apiVersion: valueText(raw.apiVersion ?? ''),
      kind: valueText(raw.kind ?? ''),
      name: valueText(name ?? ''),
      ...(typeof namespace === 'string' ? { namespace } : {}),
      raw,
      locate,
    },
    problem,
  };
}

/** With a target, the name in the patch may be any. */
function isPatchOf(value: unknown, { path, after }: ReplacedList): boolean {
  const written = path.reduce<unknown>((inner, step) => asRecord(inner)?.[step], value);
  return JSON.stringify(written) === JSON.stringify(after);
}
