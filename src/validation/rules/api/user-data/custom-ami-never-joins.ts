import { userDataOf, whyUserDataUnknown } from './known-user-data';
import { amiFamilyOfName, joinsWithoutTaint, setField, unsafeFix } from '../../../../contract';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { recordsOf } from '../../../manifest/records';
import { defineRule, Judgement, unknown } from '../../define-rule';
import { nodeClasses } from '../../subjects';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#custom-1 */
export const customAmiNeverJoins = defineRule({
  id: 'KARP-151',
  name: 'custom-ami-never-joins',
  severity: 'error',
  summary:
    'A node class with amiFamily Custom has no user data, or user data that joins the cluster without the taint that Karpenter expects: its nodes never register.',
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
        'its user data joins the cluster, but the kubelet does not register with the taint karpenter.sh/unregistered:NoExecute: Karpenter never registers these nodes, and replaces each after 15 minutes',
      remedy: 'add karpenter.sh/unregistered=:NoExecute to the taints that the kubelet registers with',
      evidence: { amiFamily: 'Custom' },
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
      evidence: { ...evidence, family },
      fix: unsafeFix(setField(path, family)),
    };
  }
  return {
    path,
    message:
      'is Custom, for which Karpenter writes no user data, and the class has none: its nodes join only if the AMI itself knows the cluster',
    remedy: 'write userData that joins the cluster, or the amiFamily that the AMI is built from, such as AL2023',
    evidence,
    severity: 'warning',
  };
}
