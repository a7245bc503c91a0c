/**
 * Name of the EKS add-on, of its DaemonSet and of the label of its pods. Without it, EKS Pod Identity gives pods no
 * credentials.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/pod-id-agent-setup.html
 */
export const POD_IDENTITY_AGENT = 'eks-pod-identity-agent';
