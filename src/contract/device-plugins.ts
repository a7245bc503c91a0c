/** A program that tells the kubelet of an extended resource, so that pods can request it. */
export interface DevicePlugin {
  readonly name: string;
  readonly resources: readonly string[];
  /** Parts of names of its images, charts and DaemonSets, in lower case. */
  readonly marks: readonly string[];
  /** The AMI families whose AMIs for such instance types have it. */
  readonly builtInto: readonly string[];
  readonly url: string;
}

/** A program that labels nodes by their hardware. */
export interface LabelAgent {
  readonly name: string;
  /** The beginning of the labels that it sets. */
  readonly prefix: string;
  /** Parts of names of its images, charts, DaemonSets and values, in lower case. */
  readonly marks: readonly string[];
}

/** The names of the plugins and agents whose images, charts or DaemonSets a text names. */
export function devicePluginsIn(text: string): string[] {
  const lowerCase = text.toLowerCase();
  return [...DEVICE_PLUGINS, ...LABEL_AGENTS]
    .filter(({ marks }) => marks.some((mark) => lowerCase.includes(mark)))
    .map(({ name }) => name);
}

/**
 * The agents whose labels device plugins require.
 *
 * Sources: https://kubernetes-sigs.github.io/node-feature-discovery/stable/usage/features.html;
 * https://github.com/NVIDIA/k8s-device-plugin/blob/v0.17.1/docs/gpu-feature-discovery/README.md, whose chart has the
 * value `gfd`, and installs Node Feature Discovery with it.
 */
export const LABEL_AGENTS: readonly LabelAgent[] = [
  {
    name: 'Node Feature Discovery',
    prefix: 'feature.node.kubernetes.io/',
    marks: [
      'node-feature-discovery',
      'nfd-worker',
      'nfd-master',
      'gpu-operator',
      'gpu-feature-discovery',
      '"gfd"',
      'gfd.enabled',
    ],
  },
  {
    name: 'GPU Feature Discovery',
    prefix: 'nvidia.com/',
    marks: ['gpu-feature-discovery', 'gpu-operator', '"gfd"', 'gfd.enabled'],
  },
];

/**
 * Sources: https://docs.aws.amazon.com/eks/latest/userguide/ml-eks-optimized-ami.html (the AL2023 AMIs have drivers and
 * no plugin; Bottlerocket's NVIDIA variants have both), https://karpenter.sh/docs/concepts/scheduling/#acceleratorsgpu-resources.
 */
export const DEVICE_PLUGINS: readonly DevicePlugin[] = [
  {
    name: 'NVIDIA device plugin',
    resources: ['nvidia.com/gpu'],
    marks: [
      'nvidia-device-plugin',
      'nvidia/k8s-device-plugin',
      'gpu-operator',
      'nvidia-gpu-device-plugin',
      'nvidia.com/v1',
    ],
    builtInto: ['Bottlerocket'],
    url: 'https://github.com/NVIDIA/k8s-device-plugin',
  },
  {
    name: 'Neuron device plugin',
    resources: ['aws.amazon.com/neuron', 'aws.amazon.com/neuroncore'],
    marks: ['neuron-device-plugin', 'neuron-helm-chart'],
    builtInto: [],
    url: 'https://awsdocs-neuron.readthedocs-hosted.com/en/latest/containers/kubernetes-getting-started.html',
  },
  {
    name: 'EFA device plugin',
    resources: ['vpc.amazonaws.com/efa'],
    marks: ['efa-k8s-device-plugin', 'efa-device-plugin'],
    builtInto: [],
    url: 'https://docs.aws.amazon.com/eks/latest/userguide/node-efa.html',
  },
  {
    name: 'AMD GPU device plugin',
    resources: ['amd.com/gpu'],
    marks: ['amdgpu', 'amd-gpu', 'rocm/k8s-device-plugin'],
    builtInto: [],
    url: 'https://github.com/ROCm/k8s-device-plugin',
  },
];
