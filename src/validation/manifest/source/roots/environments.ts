import { Root } from './root';

/** Words of paths that name an environment, and the name that they are compared by. */
const ENVIRONMENTS: Readonly<Record<string, string>> = {
  dev: 'dev',
  develop: 'dev',
  development: 'dev',
  test: 'test',
  testing: 'test',
  tst: 'test',
  qa: 'qa',
  uat: 'uat',
  int: 'integration',
  integration: 'integration',
  stage: 'staging',
  staging: 'staging',
  stg: 'staging',
  preprod: 'preprod',
  preproduction: 'preprod',
  nonprod: 'nonprod',
  nonproduction: 'nonprod',
  prod: 'prod',
  prd: 'prod',
  production: 'prod',
  live: 'prod',
  sandbox: 'sandbox',
  sbx: 'sandbox',
  demo: 'demo',
};

/** The environment of manifests that nobody deploys any more. */
export const ARCHIVE = 'archive';

/** Words of paths whose manifests nobody deploys any more. They are planned with each other, whatever environment. */
const ARCHIVES = new Set([
  'archive',
  'archived',
  'archives',
  'backup',
  'backups',
  'bak',
  'deprecated',
  'obsolete',
  'old',
]);

/** Words of paths that name another provider or a workstation, where Karpenter for AWS launches nothing. */
const OTHER_PROVIDERS = new Set([
  'aks',
  'azure',
  'digitalocean',
  'gcp',
  'gke',
  'hetzner',
  'k3d',
  'k3s',
  'linode',
  'lke',
  'minikube',
  'oke',
  'openshift',
  'vultr',
]);

/** The provider other than AWS that a path names. */
export function otherProviderOf(path: string): string | undefined {
  return wordsOf(path).find((word) => OTHER_PROVIDERS.has(word));
}

/** The environment that a path names, such as `prod` for `overlays/production`; the last one if it names several. */
export function environmentOf(path: string): string | undefined {
  const words = wordsOf(path);
  if (words.some((word) => ARCHIVES.has(word))) return ARCHIVE;
  return words.flatMap((word) => (Object.hasOwn(ENVIRONMENTS, word) ? [ENVIRONMENTS[word]] : [])).pop();
}

/** The environment of a root, by what deploys it or by its path. */
export function environmentOfRoot(root: Root, pathOf: (root: Root) => string): string | undefined {
  return root.environment ?? environmentOf(pathOf(root));
}

/** The words of a path in lower case. `non-prod` and `pre-prod` are one word, because they are other environments. */
export function wordsOf(path: string): string[] {
  return path
    .toLowerCase()
    .replace(/\b(pre|non)[-_](?=prod)/g, '$1')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** The path of each root below the folder that all of them are in: folders around the input name no environment. */
export function pathsOf(roots: readonly Root[]): (root: Root) => string {
  const folder = ({ kind, name }: Root) => (kind === 'cluster' ? name.replace(/^cluster /, '') : name).split('/');
  const steps = roots.filter(({ kind }) => kind !== 'cluster').map(folder);
  const [first = []] = steps;
  const differing = first.findIndex((step, index) => steps.some((other) => other[index] !== step));
  const common = first.slice(0, differing < 0 ? first.length - 1 : differing);
  return (root) => {
    const own = folder(root);
    return (common.every((step, index) => own[index] === step) ? own.slice(common.length) : own).join('/');
  };
}
