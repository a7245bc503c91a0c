const SHORT_NAMES: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  memory: 'Memory',
  pods: 'Pods',
  'ephemeral-storage': 'Storage',
};

/** `CPU`, `Memory`, `GPU`; other resources without their domain. */
export function resourceName(resource: string): string {
  return SHORT_NAMES[resource] ?? (isGpu(resource) ? 'GPU' : resource.slice(resource.lastIndexOf('/') + 1));
}

/** The resource in a sentence: `CPU`, `memory`, `pods`. */
export function resourceWord(resource: string): string {
  const name = resourceName(resource);
  return /^[A-Z][a-z]/.test(name) ? name.toLowerCase() : name;
}

export function isGpu(resource: string): boolean {
  return resource.endsWith('/gpu');
}
