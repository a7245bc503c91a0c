import { classesWithUserData, userDataOf } from './known-user-data';
import { callsBootstrapScript, needsBootstrapScript } from '../../../../contract';
import { defineRule, Judgement } from '../../define-rule';

const SCRIPT = '/etc/eks/bootstrap.sh';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#al2 */
export const bootstrapScriptCalledAgain = defineRule({
  id: 'KARP-152',
  name: 'bootstrap-script-called-again',
  severity: 'error',
  summary:
    'User data calls the bootstrap script of Amazon Linux 2, which only fails on AL2023, and which Karpenter itself calls on AL2.',
  subjects: classesWithUserData((family) => family === 'AL2' || family === 'AL2023'),
  judge({ object }): Judgement {
    const { family, userData } = userDataOf(object.raw);
    const path = ['spec', 'userData'];
    const evidence = { amiFamily: family, script: SCRIPT };
    if (family === 'AL2023') {
      if (!needsBootstrapScript(userData)) return undefined;
      return {
        path,
        message: `the user data uses ${SCRIPT}, which on AL2023 only prints an error and fails: nodeadm replaced it, and these settings are not applied`,
        remedy: `remove ${SCRIPT} from the user data, because Karpenter joins the cluster by itself; write kubelet settings in spec.kubelet, such as maxPods`,
        evidence,
      };
    }
    if (!callsBootstrapScript(userData)) return undefined;
    return {
      path,
      message: `the user data calls ${SCRIPT}, which Karpenter calls again after it: the kubelet first joins without Karpenter's labels and taints`,
      remedy: `remove the call of ${SCRIPT}; write kubelet settings in spec.kubelet`,
      evidence,
      severity: 'warning',
    };
  },
});
