import { Taint } from '../model';

/** An agent that taints each new node until it is ready there. */
export interface TaintingAgent {
  readonly name: string;
  /** Names of its DaemonSet. */
  readonly daemonSets: readonly string[];
  /** The taint as its documentation has it for NodePools. */
  readonly taint: Taint;
  /** The setting that switches the taint off, in a ConfigMap. */
  readonly setting: { readonly configMap: string; readonly key: string };
}

/**
 * Agents that taint nodes without being asked to. The EBS CSI driver and Istio CNI only remove a taint that a NodePool
 * has, so a NodePool without it is complete.
 *
 * Sources: https://docs.cilium.io/en/stable/installation/taints/ and the option set-cilium-node-taints of
 * cilium-operator; https://karpenter.sh/docs/faq/.
 */
export const TAINTING_AGENTS: readonly TaintingAgent[] = [
  {
    name: 'Cilium',
    daemonSets: ['cilium'],
    taint: { key: 'node.cilium.io/agent-not-ready', value: 'true', effect: 'NoExecute' },
    setting: { configMap: 'cilium-config', key: 'set-cilium-node-taints' },
  },
];
