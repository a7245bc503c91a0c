import { FieldProblem } from '../field-problem';
import { asRecord } from '../value-rule';
import { checkCapacityBuffer } from './capacity-buffer';
import { checkReadable } from './decode';
import { checkNodeClass } from './node-class';
import { checkNodeOverlay } from './node-overlay';
import { checkNodePool } from './node-pool';
import { RuntimeOptions } from './options';

export { SCALABLE_GROUP } from './capacity-buffer';
export { checkKubeletOfFamily } from './kubelet';
export { kubeletExpressions } from './kubelet-expressions';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What Karpenter has against an object that the API server has stored. NodeClaims it makes itself, and checks none.
 *
 * @param object with the API's defaults filled in
 */
export function judgeAtRuntime(object: Fields, options: RuntimeOptions): FieldProblem[] {
  const kind = String(object.kind);
  return [...checkReadable(kind, object, options.version), ...judgeKind(kind, object, asRecord(object.spec) ?? {}, options)];
}

function judgeKind(kind: string, object: Fields, spec: Fields, options: RuntimeOptions): FieldProblem[] {
  switch (kind) {
    case 'NodePool': return checkNodePool(spec, options.version);
    case 'EC2NodeClass': return checkNodeClass(object, spec, options);
    case 'NodeOverlay': return checkNodeOverlay(spec, options.version);
    case 'CapacityBuffer': return checkCapacityBuffer(spec);
    default: return [];
  }
}
