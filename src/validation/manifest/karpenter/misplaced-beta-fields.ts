import { asRecord, FieldPath, formatFieldPath, rejected, removeField, safeFix, setFirstField } from '../../../contract';
import { ManifestObject } from '../model';
import { ProblemLog } from '../problem-log';

const BETA_NODE_POOL = 'karpenter.sh/v1beta1 NodePool';
/** Fields of the spec that neither the template nor its spec has in any release. */
const OF_SPEC = ['disruption', 'limits', 'weight'];
const TEMPLATES: readonly FieldPath[] = [
  ['spec', 'template'],
  ['spec', 'template', 'spec'],
];

/**
 * Logs fields of a v1beta1 NodePool that are indented too far. The conversion to v1 leaves them out, so that nothing
 * else reports them. The API server refuses or drops them.
 *
 * Source: karpenter.sh_nodepools.yaml in pkg/apis/crds of the Go module sigs.k8s.io/karpenter at v0.37.0.
 */
export function logMisplacedBetaFields(object: ManifestObject, log: ProblemLog): void {
  if (`${object.apiVersion} ${object.kind}` !== BETA_NODE_POOL) return;
  const spec = asRecord(object.raw.spec) ?? {};
  for (const template of TEMPLATES) {
    const fields = template.slice(1).reduce<unknown>((value, step) => asRecord(value)?.[step], spec);
    for (const name of OF_SPEC) {
      const value = asRecord(fields)?.[name];
      if (value === undefined) continue;
      const [from, to] = [
        [...template, name],
        ['spec', name],
      ];
      const fix = Object.hasOwn(spec, name) ? undefined : safeFix(setFirstField(to, value), removeField(from));
      const problem = 'is no field of the API, and is dropped by clients that do not refuse it';
      log.addFieldProblem(object, {
        ...rejected(from, problem, value, `move it to ${formatFieldPath(to)}`, fix),
        apiServer: `unknown field "${formatFieldPath(from)}"`,
      });
    }
  }
}
