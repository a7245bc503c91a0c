const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const SHORT_NAMES: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  memory: 'Memory',
  pods: 'Pods',
  'ephemeral-storage': 'Storage',
};

/** An amount in base units with the unit of its resource: `7.5`, `65.9 GiB`, `3`. */
export function amountText(resource: string, amount: number): string {
  return isMeasuredInBytes(resource) ? bytesText(amount) : rounded(amount);
}

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

/** `48%`. Shares between 0 and 1 % are `<1%`. */
export function percentText(share: number): string {
  const percent = share * 100;
  return percent > 0 && percent < 1 ? '<1%' : `${Math.round(percent)}%`;
}

function isMeasuredInBytes(resource: string): boolean {
  return resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');
}

function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${rounded(bytes / 1024 ** power)} ${UNITS[power]}`;
}

function rounded(amount: number): string {
  const digits = amount >= 100 ? 0 : amount >= 10 ? 1 : 2;
  return Number(amount.toFixed(digits)).toLocaleString('en-US');
}
