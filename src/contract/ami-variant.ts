/** An AMI of Amazon EKS that lacks the driver of a device. */
export interface VariantWithoutDriver {
  /** How AWS names the variant. */
  readonly variant: string;
  /** The same AMI with the driver; a name of Amazon EKS, or an SSM parameter. */
  readonly instead: string;
}

interface Variant {
  readonly pattern: RegExp;
  readonly variant: string;
  /** How the name begins with the driver, by resource; `$1` and others are groups of the pattern. */
  readonly replacements: Readonly<Record<string, string>>;
}

const GPU = 'nvidia.com/gpu';
const NEURON = ['aws.amazon.com/neuron', 'aws.amazon.com/neuroncore'];
const neuron = (name: string) => Object.fromEntries(NEURON.map((resource) => [resource, name]));
/**
 * Sources: https://docs.aws.amazon.com/eks/latest/userguide/ml-eks-optimized-ami.html,
 * https://docs.aws.amazon.com/eks/latest/userguide/retrieve-ami-id.html,
 * https://bottlerocket.dev/en/os/latest/#/concepts/variants/ (the variants of aws-k8s without `nvidia` have no driver).
 */
const VARIANTS: readonly Variant[] = [
  {
    pattern: /^(amazon-eks-node-al2023-[^-]+-)standard(?=-)/,
    variant: 'standard',
    replacements: { [GPU]: '$1nvidia', ...neuron('$1neuron') },
  },
  { pattern: /^(amazon-eks-node-al2023-[^-]+-)neuron(?=-)/, variant: 'neuron', replacements: { [GPU]: '$1nvidia' } },
  { pattern: /^(amazon-eks-node-al2023-[^-]+-)nvidia(?=-)/, variant: 'nvidia', replacements: neuron('$1neuron') },
  {
    pattern: /^(.*\/amazon-linux-2023\/[^/]+\/)standard(?=\/)/,
    variant: 'standard',
    replacements: { [GPU]: '$1nvidia', ...neuron('$1neuron') },
  },
  {
    pattern: /^amazon-eks-node(?=-1\.\d)/,
    variant: 'standard',
    replacements: { [GPU]: 'amazon-eks-gpu-node', ...neuron('amazon-eks-gpu-node') },
  },
  {
    pattern: /^(bottlerocket-aws-k8s-1\.\d+)(?=-(x86_64|aarch64)-)/,
    variant: 'aws-k8s',
    replacements: { [GPU]: '$1-nvidia' },
  },
  {
    pattern: /^(\/aws\/service\/bottlerocket\/aws-k8s-1\.\d+)(?=\/)/,
    variant: 'aws-k8s',
    replacements: { [GPU]: '$1-nvidia' },
  },
];

/** Undefined if the name is not one of Amazon EKS or Bottlerocket, or if the AMI has the driver. */
export function variantWithoutDriver(name: string, resource: string): VariantWithoutDriver | undefined {
  const found = VARIANTS.find(
    ({ pattern, replacements }) => pattern.test(name) && Object.hasOwn(replacements, resource),
  );
  return found && { variant: found.variant, instead: name.replace(found.pattern, found.replacements[resource]) };
}
