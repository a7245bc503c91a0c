import { check, Finding, rootsOf } from '../../../../src/validation';
import { deployment, nodeClass, nodePool, types } from '../judge';

export const POOL = [nodePool('default', { requirements: [types('m5.large')] }), nodeClass()].join('\n---\n');
export const WORKLOAD = deployment('web').replace('name: web', 'name: web\n  namespace: web');

const asYaml = (...objects: readonly object[]) =>
  objects.map((object) => JSON.stringify(object, undefined, 1)).join('\n---\n');

/** The findings on objects of Flux and Argo CD that deploy nothing. */
export function deploymentsOf(files: Readonly<Record<string, string>>): readonly Finding[] {
  const roots = rootsOf(Object.entries(files).map(([path, text]) => ({ path, text, isFound: true })));
  const findings = roots.flatMap(({ sources }) => check(sources).findings);
  return findings.filter(({ rule }) => ['KARP-012', 'KARP-013'].includes(rule));
}

export function fluxKustomization(name: string, spec: object): string {
  return asYaml({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace: 'flux-system' },
    spec: { sourceRef: { kind: 'GitRepository', name: 'flux-system' }, ...spec },
  });
}

/** The HelmRelease of Karpenter with its HelmRepository. */
export function release(repository: object, spec: object = {}): string {
  const metadata = { name: 'karpenter', namespace: 'flux-system' };
  const sourceRef = { kind: 'HelmRepository', name: 'karpenter' };
  return asYaml(
    { apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'HelmRepository', metadata, spec: repository },
    {
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata,
      spec: {
        chart: { spec: { chart: 'karpenter', version: '1.8.1', sourceRef } },
        upgrade: { crds: 'CreateReplace' },
        ...spec,
      },
    },
  );
}

const GIT = {
  apiVersion: 'source.toolkit.fluxcd.io/v1',
  kind: 'GitRepository',
  metadata: { name: 'flux-system', namespace: 'flux-system' },
  spec: { url: 'https://github.com/acme/platform' },
};

/** A cluster as `flux bootstrap` makes it, with Karpenter and a NodePool. */
export const FLUX: Readonly<Record<string, string>> = {
  'clusters/prod/flux-system/gotk-sync.yaml': `${asYaml(GIT)}\n---\n${fluxKustomization('flux-system', { path: './clusters/prod' })}`,
  'clusters/prod/controllers.yaml': fluxKustomization('controllers', { path: './controllers' }),
  'controllers/karpenter.yaml': release({ url: 'oci://public.ecr.aws/karpenter', type: 'oci' }),
  'nodes/pool.yaml': POOL,
  'apps/web.yaml': WORKLOAD,
};

/** Applications of one project, and what one of them deploys. */
export function argo(project: object, ...applications: readonly object[]): Readonly<Record<string, string>> {
  return {
    'argocd/project.yaml': asYaml({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'platform', namespace: 'argocd' },
      spec: project,
    }),
    'argocd/applications.yaml': asYaml(
      ...applications.map((spec, index) => ({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name: `app-${index}`, namespace: 'argocd' },
        spec: {
          project: 'platform',
          destination: { server: 'https://kubernetes.default.svc', namespace: 'kube-system' },
          ...spec,
        },
      })),
    ),
    'nodes/pool.yaml': POOL,
    'apps/web.yaml': WORKLOAD,
  };
}
