import { asRecord, FieldProblem, rejected } from '../../../contract';
import { isCount } from '../field-reader';
import { logFieldProblems } from '../karpenter/custom-resource';
import { ManifestObject } from '../model';
import { ProblemLog } from '../problem-log';

const MAX_PATH = ['spec', 'maxReplicas'];

/** Logs replica limits of a HorizontalPodAutoscaler that the API server rejects. */
export function logAutoscalerProblems(object: ManifestObject, log: ProblemLog): void {
  if (object.kind !== 'HorizontalPodAutoscaler' || !object.apiVersion.startsWith('autoscaling/')) return;
  const problem = limitProblem(asRecord(object.raw.spec) ?? {});
  if (problem) logFieldProblems(object, [problem], log);
}

function limitProblem({ minReplicas = 1, maxReplicas }: Readonly<Record<string, unknown>>): FieldProblem | undefined {
  if (maxReplicas === undefined || maxReplicas === null)
    return rejected(
      MAX_PATH,
      'must be set, because the API server has no default',
      maxReplicas,
      'write the most replicas that the workload may have',
    );
  if (!isCount(maxReplicas)) return undefined;
  if (maxReplicas < 1) return rejected(MAX_PATH, 'must be at least 1', maxReplicas, 'write 1 or more');
  if (!isCount(minReplicas) || maxReplicas >= minReplicas) return undefined;
  return rejected(
    MAX_PATH,
    `must be at least minReplicas (${minReplicas})`,
    maxReplicas,
    `write ${minReplicas} or more, or lower minReplicas`,
  );
}
