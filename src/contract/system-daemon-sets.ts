/** A DaemonSet that an EKS add-on runs on each node. */
export interface SystemDaemonSet {
  readonly name: string;
  readonly namespace: 'kube-system';
  /** The name of the EKS add-on. */
  readonly addon: string;
  /** The release that the requests are from. @default - AWS does not publish the manifest */
  readonly version?: string;
  /** What the containers of a pod request together. */
  readonly requests: Readonly<Record<string, string>>;
  /** Whether EKS installs it in each new cluster. */
  readonly isDefault: boolean;
  /** Architectures of its nodes. @default - all */
  readonly architectures?: readonly string[];
}

const EC2_ARCHITECTURES = ['amd64', 'arm64'] as const;

/**
 * The DaemonSets of EKS add-ons with their default configuration. EKS Auto Mode and Fargate nodes do not run them.
 *
 * Sources:
 * - `config/master/aws-k8s-cni.yaml` of aws/amazon-vpc-cni-k8s: aws-node and aws-eks-nodeagent request 25m each. The
 *   init container requests 25m, which is less than both together;
 * - the DaemonSet of the EKS add-on kube-proxy;
 * - `charts/eks-pod-identity-agent` of aws/eks-pod-identity-agent: no requests;
 * - `charts/aws-ebs-csi-driver` of kubernetes-sigs/aws-ebs-csi-driver: each of three containers requests 10m and 40Mi.
 */
export const SYSTEM_DAEMON_SETS: readonly SystemDaemonSet[] = [
  {
    name: 'aws-node',
    namespace: 'kube-system',
    addon: 'vpc-cni',
    version: '1.23.1',
    requests: { cpu: '50m' },
    isDefault: true,
    architectures: EC2_ARCHITECTURES,
  },
  {
    name: 'kube-proxy',
    namespace: 'kube-system',
    addon: 'kube-proxy',
    requests: { cpu: '100m' },
    isDefault: true,
    architectures: EC2_ARCHITECTURES,
  },
  {
    name: 'eks-pod-identity-agent',
    namespace: 'kube-system',
    addon: 'eks-pod-identity-agent',
    version: '1.2.0',
    requests: {},
    isDefault: false,
    architectures: EC2_ARCHITECTURES,
  },
  {
    name: 'ebs-csi-node',
    namespace: 'kube-system',
    addon: 'aws-ebs-csi-driver',
    version: '1.64.0',
    requests: { cpu: '30m', memory: '120Mi' },
    isDefault: false,
  },
];

/** The label of nodes that EKS manages in another way than EC2 nodes of the cluster, and its values. */
export const COMPUTE_TYPE = {
  label: 'eks.amazonaws.com/compute-type',
  withoutAddons: ['fargate', 'hybrid', 'auto'],
} as const;

/** The provisioners and CSI drivers of EBS volumes: the driver also serves those of the removed in-tree plugin. */
export const EBS_PROVISIONERS: readonly string[] = ['ebs.csi.aws.com', 'kubernetes.io/aws-ebs'];
