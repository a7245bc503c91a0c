import { controllerSelectorOf } from './default-spread';
import { FieldReader, isToken } from './field-reader';
import { WorkloadKind } from './model';
import { PlainRecord } from './records';
import { asRecord } from '../../contract';
import { selects } from '../../model';

/** Of whatever renders the manifest. */
const PLACEHOLDER = /\$\{|\{\{/;

const HASH = { 'pod-template-hash': 'x' };

/**
 * The selector of a controller has to select the pods of its template: the API server refuses it otherwise.
 *
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#selector
 */
export function checkOwnSelector(reader: FieldReader, kind: WorkloadKind, raw: PlainRecord, podLabels: Readonly<Record<string, string>>): void {
  const written = asRecord(asRecord(raw.spec)?.selector);
  // Those of DaemonSets are read as any other; what is added for a Deployment is there on its pods as well.
  const selector = controllerSelectorOf(kind === 'DaemonSet' ? 'ReplicaSet' : kind, raw, HASH);
  const text = JSON.stringify([written, podLabels]);
  if (!written || !selector || isToken(text) || PLACEHOLDER.test(text) || selects(selector, { ...podLabels, ...HASH })) return;
  reader.reject(['spec', 'selector'], `must select the pods of its own template, whose labels are ${JSON.stringify(podLabels)}`, written, 'write the same labels in both');
}
