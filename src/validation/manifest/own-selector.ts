import { controllerSelectorOf } from './default-spread';
import { FieldReader, isToken } from './field-reader';
import { WorkloadManifest } from './model';
import { ProblemLog } from './problem-log';
import { asRecord } from '../../contract';
import { selects } from '../../model';

/** Of whatever renders the manifest. */
const PLACEHOLDER = /\$\{|\{\{/;

const PATH = ['spec', 'selector'];
const HASH = { 'pod-template-hash': 'x' };

/**
 * The workload, or without its pods where the API server would refuse its selector: that has to be there, and to select the pods of its own
 * template.
 *
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#selector
 */
export function withOwnSelector(workload: WorkloadManifest, log: ProblemLog): WorkloadManifest {
  const { object, kind, podLabels, shape } = workload;
  // Those of DaemonSets are read as any other; what is added for a Deployment is there on its pods as well.
  const selector = controllerSelectorOf(kind === 'DaemonSet' ? 'ReplicaSet' : kind, object.raw, HASH);
  const written = asRecord(object.raw.spec)?.selector;
  const text = JSON.stringify([written, podLabels]);
  if (!selector || !shape || isToken(text) || PLACEHOLDER.test(text)) return workload;
  const { matchLabels, matchExpressions } = asRecord(written) ?? {};
  const reader = new FieldReader(object, log);
  if (isEmpty(matchLabels) && isEmpty(matchExpressions)) {
    reader.reject(PATH, 'must select the pods of its own template', written, `write matchLabels with labels that the template has${shownLabels(podLabels)}`);
  } else if (!selects(selector, { ...podLabels, ...HASH })) {
    reader.reject(PATH, `must select the pods of its own template${shownLabels(podLabels)}`, written, 'write the same labels in both');
  }
  return reader.broken ? { ...workload, shape: undefined } : workload;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || Object.keys(value).length === 0;
}

function shownLabels(labels: Readonly<Record<string, string>>): string {
  return Object.keys(labels).length === 0 ? ', which has none' : `: ${JSON.stringify(labels)}`;
}
