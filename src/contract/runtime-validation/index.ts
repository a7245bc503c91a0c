import { asRecord, FieldProblem } from '../field-problem';
import { checkCapacityBuffer, checkNodeOverlay, checkNodePool } from './core-kinds';
import { checkDecodable } from './decoding';
import { checkNodeClass, RuntimeOptions } from './node-class';
import { valueText } from '../../model';

export { SCALABLE_GROUP } from './core-kinds';
export { checkKubelet, checkKubeletOfFamily } from './kubelet';
export { kubeletExpressions } from './kubelet';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What Karpenter's controllers reject in an object that the API server has stored. Karpenter creates NodeClaims itself
 * and does not validate them.
 *
 * @param object with the API's defaults filled in
 */
export function runtimeValidate(object: Fields, options: RuntimeOptions): FieldProblem[] {
  const kind = valueText(object.kind);
  return [
    ...checkDecodable(kind, object, options.version),
    ...validateKind(kind, object, asRecord(object.spec) ?? {}, options),
  ];
}

function validateKind(kind: string, object: Fields, spec: Fields, options: RuntimeOptions): FieldProblem[] {
  switch (kind) {
    case 'NodePool':
      return checkNodePool(spec, options.version);
    case 'EC2NodeClass':
      return checkNodeClass(object, spec, options);
    case 'NodeOverlay':
      return checkNodeOverlay(spec, options.version);
    case 'CapacityBuffer':
      return checkCapacityBuffer(spec);
    default:
      return [];
  }
}
