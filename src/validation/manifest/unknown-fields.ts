import { isToken } from './field-reader';
import { API_VERSION_BY_KIND } from './judged-objects';
import { ManifestObject } from './model';
import { ProblemLog } from './problem-log';
import { joinUnindentedEntries } from './unindented-entries';
import { unknownKubernetesFields } from '../../contract';

/** Kinds whose objects change what happens to the pods of a workload, but have no pods. */
const RELATED_KINDS = [
  'HorizontalPodAutoscaler',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'StorageClass',
  'PriorityClass',
  'RuntimeClass',
  'LimitRange',
  'ResourceQuota',
];

/**
 * The objects whose fields are compared with those of the Kubernetes API.
 *
 * @param objects all objects of the input
 * @param judged those of the kinds that are judged, without duplicates, hooks and objects that a controller makes
 */
export function withKubernetesFields(
  objects: readonly ManifestObject[],
  judged: readonly ManifestObject[],
): ManifestObject[] {
  return [
    ...judged.filter(({ kind }) => API_VERSION_BY_KIND.has(kind)),
    ...objects.filter(({ kind }) => RELATED_KINDS.includes(kind)),
  ];
}

/** Logs fields that `kubectl apply` rejects as unknown. */
export function logUnknownFields(object: ManifestObject, log: ProblemLog): void {
  // Values do not matter here: `$(NAME)` in a command is no placeholder. A key may be one.
  const problems = unknownKubernetesFields(object.apiVersion, object.kind, object.raw);
  for (const problem of joinUnindentedEntries(problems, object.raw))
    if (!problem.path.some(isToken)) log.addFieldProblem(object, problem);
}
