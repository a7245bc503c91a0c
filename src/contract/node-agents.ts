import { Taint } from '../model';

/** An agent that taints each new node until it is ready there. */
export interface TaintingAgent {
  readonly name: string;
  /** Names of its DaemonSet. */
  readonly daemonSets: readonly string[];
  /** The taint as its documentation has it for NodePools. */
  readonly taint: Taint;
  /** The setting of a ConfigMap that switches the taint on. The chart leaves the key out to switch it off. */
  readonly setting: { readonly configMap: string; readonly key: string };
}

/**
 * Agents that taint nodes with the default values of their charts. The EBS CSI driver and Istio CNI only remove a
 * taint that a NodePool has, so a NodePool without it is complete.
 *
 * Sources: https://docs.cilium.io/en/stable/installation/taints/; the option set-cilium-node-taints of
 * cilium-operator, which is off by default, and on in the chart's cilium-config; https://karpenter.sh/docs/faq/.
 */
export const TAINTING_AGENTS: readonly TaintingAgent[] = [
  {
    name: 'Cilium',
    daemonSets: ['cilium'],
    taint: { key: 'node.cilium.io/agent-not-ready', value: 'true', effect: 'NoExecute' },
    setting: { configMap: 'cilium-config', key: 'set-cilium-node-taints' },
  },
];
