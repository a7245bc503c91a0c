/** Words by which publishers name the architecture of an AMI, between the separators of its name. */
const WORDS: Readonly<Record<string, string>> = { x86_64: 'amd64', amd64: 'amd64', arm64: 'arm64', aarch64: 'arm64' };
const WORD = /(?<![a-z0-9])(x86_64|amd64|arm64|aarch64)(?![a-z0-9])/gi;
/** The names of the AMIs of Amazon EKS for Amazon Linux 2 on amd64 have no architecture. */
const EKS_AL2_AMD64 = /^amazon-eks-(gpu-)?node-1\.\d/;

/**
 * The architectures of the AMIs that `amiSelectorTerms` select by name or SSM parameter. Undefined if a term selects
 * AMIs in another way, or by a name that does not have the architecture.
 */
export function architecturesOfAmis(terms: ReadonlyArray<Readonly<Record<string, unknown>>>): string[] | undefined {
  const architectures = terms.map(({ name, ssmParameter }) => architectureOf(name ?? ssmParameter));
  return architectures.includes(undefined) ? undefined : [...new Set(architectures as string[])];
}

function architectureOf(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const named = new Set([...name.matchAll(WORD)].map(([word]) => WORDS[word.toLowerCase()]));
  if (named.size > 1) return undefined;
  const [architecture] = named;
  return architecture ?? (EKS_AL2_AMD64.test(name) ? 'amd64' : undefined);
}

/** AMIs of Amazon, which exist for both architectures, except for some variants. */
const OF_BOTH =
  /^(amazon-eks-(arm64-)?node-|bottlerocket-aws-k8s-|.*\/(amazon-linux-2023|aws-k8s-[^/]+)\/)(?!.*neuron)/;

/**
 * The name, or the SSM parameter, of the same AMI of Amazon for the other architecture. Undefined if other publishers
 * have the AMI, because theirs may be for one architecture only.
 */
export function amiOfOtherArchitecture(name: string): string | undefined {
  if (!OF_BOTH.test(name)) return undefined;
  if (name.startsWith('amazon-eks-arm64-node-')) return name.replace('arm64-', '');
  if (EKS_AL2_AMD64.test(name)) return name.replace('eks-node', 'eks-arm64-node');
  const arm64 = name.startsWith('bottlerocket-') ? 'aarch64' : 'arm64';
  return name.replace(WORD, (word) => (WORDS[word.toLowerCase()] === 'amd64' ? arm64 : 'x86_64'));
}
