import { userDataOf, whyUserDataUnknown } from './known-user-data';
import { amiFamilyOfName, joinsWithoutTaint, setField, unsafeFix } from '../../../../contract';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { recordsOf } from '../../../manifest/records';
import { defineRule, Judgement, unknown } from '../../define-rule';
import { nodeClasses } from '../../subjects';
import { isStandIn } from '../selector-id-impossible';

/**
 * A node without the taint registers nevertheless: Reconcile in pkg/controllers/nodeclaim/lifecycle/registration.go of
 * Karpenter 1.15.0 only logs that the taint is missing. Releases before 1.3 refused such nodes.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#custom-1
 */
export const customAmiNeverJoins = defineRule({
  id: 'KARP-151',
  name: 'custom-ami-never-joins',
  severity: 'error',
  summary:
    'A node class with amiFamily Custom has no user data, or its user data joins the cluster without the taint that keeps pods away from unregistered nodes.',
  subjects: nodeClasses({
    where: ({ object }) => object.raw?.spec?.amiFamily === 'Custom',
    unknown: ({ object }) => whyUserDataUnknown(object.raw),
  }),
  judge({ object }): Judgement {
    const { userData } = userDataOf(object.raw);
    if (userData.trim() === '') return withoutUserData(object.raw?.spec?.amiSelectorTerms);
    if (!joinsWithoutTaint(userData)) return undefined;
    const why = whyUnresolved(userData);
    if (why !== undefined) return unknown(why);
    return {
      path: ['spec', 'userData'],
      message:
        'its user data joins the cluster, but the kubelet does not register with the taint karpenter.sh/unregistered:NoExecute: pods can start on a node before Karpenter has written the labels and taints of its NodePool there',
      remedy: 'add karpenter.sh/unregistered=:NoExecute to the taints that the kubelet registers with',
      evidence: { amiFamily: 'Custom' },
      severity: 'warning',
    };
  },
});

function withoutUserData(terms: unknown): Judgement {
  const families = new Set(
    recordsOf(terms).map(({ name }) => (typeof name === 'string' ? amiFamilyOfName(name) : undefined)),
  );
  const [family] = families;
  const path = ['spec', 'amiFamily'];
  const evidence = { amiFamily: 'Custom', userData: null };
  if (families.size === 1 && family !== undefined) {
    return {
      path,
      message: `is Custom, for which Karpenter writes no user data, and the class has none: these ${family} nodes start without knowing their cluster, never join, and Karpenter replaces each after 15 minutes`,
      remedy: `write amiFamily: ${family}, so that Karpenter writes the user data`,
      evidence: { ...evidence, family, consequence: 'never-joins' },
      fix: unsafeFix(setField(path, family)),
    };
  }
  return {
    path,
    message:
      'is Custom, for which Karpenter writes no user data, and the class has none: its nodes join only if the AMI itself knows the cluster',
    remedy: 'write userData that joins the cluster, or the amiFamily that the AMI is built from, such as AL2023',
    evidence,
    severity: recordsOf(terms).some(({ id }) => isStandIn(id)) ? 'info' : 'warning',
  };
}
