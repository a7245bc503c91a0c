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
  /** Its chart, and the values that switch the taint off with `false`. */
  readonly chart: { readonly name: string; readonly values: ReadonlyArray<readonly string[]> };
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
    chart: {
      name: 'cilium',
      values: [
        ['operator', 'enabled'],
        ['operator', 'setNodeTaints'],
        ['operator', 'removeNodeTaints'],
      ],
    },
  },
];

/** A startup taint that an agent removes as soon as it is ready on the node. */
export interface AgentStartupTaint {
  readonly key: string;
  readonly agent: string;
  /** Names of its DaemonSet. */
  readonly daemonSets: readonly string[];
}

/**
 * The taints that agents remove from new nodes. No pod is meant to tolerate such a taint, except those of the agent.
 *
 * Sources: https://docs.cilium.io/en/stable/installation/taints/;
 * https://github.com/kubernetes-sigs/aws-ebs-csi-driver/blob/v1.40.0/docs/install.md#configure-node-startup-taint;
 * https://github.com/kubernetes-sigs/aws-efs-csi-driver/blob/v2.1.0/docs/README.md#configure-node-startup-taint;
 * https://github.com/kubernetes-sigs/aws-fsx-csi-driver/blob/v1.3.0/docs/install.md;
 * https://github.com/awslabs/mountpoint-s3-csi-driver/issues/621;
 * https://istio.io/latest/docs/setup/additional-setup/cni/#race-condition--mitigation
 */
export const AGENT_STARTUP_TAINTS: readonly AgentStartupTaint[] = [
  { key: 'node.cilium.io/agent-not-ready', agent: 'Cilium', daemonSets: ['cilium'] },
  { key: 'ebs.csi.aws.com/agent-not-ready', agent: 'the EBS CSI driver', daemonSets: ['ebs-csi-node'] },
  { key: 'efs.csi.aws.com/agent-not-ready', agent: 'the EFS CSI driver', daemonSets: ['efs-csi-node'] },
  { key: 'fsx.csi.aws.com/agent-not-ready', agent: 'the FSx CSI driver', daemonSets: ['fsx-csi-node'] },
  { key: 's3.csi.aws.com/agent-not-ready', agent: 'the S3 CSI driver', daemonSets: ['s3-csi-node'] },
  { key: 'cni.istio.io/not-ready', agent: 'Istio CNI', daemonSets: ['istio-cni-node'] },
];

/** Charts whose values decide about Karpenter's nodes, wherever in the repository they are installed. */
export const CHARTS_OF_NODES: readonly string[] = [
  'karpenter',
  'karpenter-crd',
  'aws-vpc-cni',
  'cilium',
  'aws-node-termination-handler',
  'eks-pod-identity-agent',
  'aws-ebs-csi-driver',
  'aws-efs-csi-driver',
  'aws-fsx-csi-driver',
  'aws-mountpoint-s3-csi-driver',
  'nvidia-device-plugin',
  'gpu-operator',
  'descheduler',
  'cluster-autoscaler',
  'aws-load-balancer-controller',
];
