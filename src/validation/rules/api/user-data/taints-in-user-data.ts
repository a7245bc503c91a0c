import { amiFamilyOfClass, asRecord, HiddenTaint, taintsIn } from '../../../../contract';
import { listText } from '../../../../model';
import { ManifestModel, ManifestObject } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { SubjectFinding } from '../../define-rule';

/** Taints in the user data of a class that a NodePool of the class does not have. */
export function taintFindings(
  { raw, name }: ManifestObject,
  family: string,
  userData: string,
  model: ManifestModel,
): SubjectFinding[] {
  const pools = model.nodePools.filter(({ spec }) => spec?.nodeClass === name).map(({ object }) => object);
  const hidden = taintsIn(family, userData).filter(
    ({ taint }) => pools.length === 0 || pools.some((pool) => !taintsOf(pool).includes(taint)),
  );
  return [true, false].flatMap((isRegistered) => {
    const some = hidden.filter((taint) => taint.isRegistered === isRegistered);
    return some.length === 0 ? [] : [findingOf(some, amiFamilyOfClass(raw?.spec ?? {}) ?? '', pools)];
  });
}

function taintsOf({ raw }: ManifestObject): string[] {
  const spec = asRecord(asRecord(raw?.spec?.template)?.spec);
  return [...recordsOf(spec?.taints), ...recordsOf(spec?.startupTaints)].map(({ key, value, effect }) =>
    value === undefined || value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`,
  );
}

function findingOf(hidden: readonly HiddenTaint[], family: string, pools: readonly ManifestObject[]): SubjectFinding {
  const [{ written, isRegistered }] = hidden;
  const taints = listText(hidden.map(({ taint }) => taint));
  const names = pools.length === 0 ? 'the NodePool' : `NodePool ${listText(pools.map(({ name }) => name))}`;
  const instead = `write ${taints} in spec.template.spec.taints of ${names}, with tolerations in its pods, and remove ${written} from the user data; or only remove it, if nodes need no taint`;
  const noun = hidden.length === 1 ? 'the taint' : 'the taints';
  return {
    path: ['spec', 'userData'],
    message: isRegistered
      ? `the user data gives nodes ${noun} ${taints} by ${written}, which Karpenter does not read: pods that it plans there stay Pending on the new node if they do not tolerate it, and Karpenter launches further nodes`
      : `the user data has ${noun} ${taints} in ${written}, which Karpenter replaces by the taints of the NodePool: nodes do not have ${hidden.length === 1 ? 'it' : 'them'}, and keep no pod away`,
    remedy: instead,
    evidence: { amiFamily: family, setting: written, taints: hidden.map(({ taint }) => taint) },
  };
}
