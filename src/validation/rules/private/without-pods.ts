import { Autoscalers } from '../../manifest/autoscalers';
import { ManifestModel, WorkloadManifest } from '../../manifest/model';
import { oncePer } from '../../once-per';
import { Severity } from '../rule';

/** How to put a mistake in pods that a workload is to have: while it is scaled to nothing, no pod suffers from it yet. */
export interface Weight {
  /** @default - the rule's severity */
  readonly severity?: Severity;
  /** To end the message with. */
  readonly note: string;
}

export function weightOf(model: ManifestModel, { kind, namespace, name, replicas }: WorkloadManifest): Weight {
  const isIdle = replicas === 0 && autoscalersIn(model).kedaOf(kind, namespace, name) === undefined;
  return isIdle ? { severity: 'warning', note: '; it is scaled to 0, and has no pods yet' } : { note: '' };
}

const autoscalersIn = oncePer((model: ManifestModel) => new Autoscalers(model.objects));
