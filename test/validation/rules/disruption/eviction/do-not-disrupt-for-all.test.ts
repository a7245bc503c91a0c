import { check, rootsOf } from '../../../../../src/validation';
import { deployment, pdb, nodeClass, nodePool, types } from '../../judge';

const DO_NOT_DISRUPT = 'karpenter.sh/do-not-disrupt';
const POOL = [nodePool('default', { requirements: [types('m5.large')] }), nodeClass()].join('\n---\n');

/** The findings on protected pods of a kustomization with two workloads. */
function findingsOf(kustomization: object, more: Readonly<Record<string, string>> = {}) {
  const files = {
    'prod/pool.yaml': POOL,
    'prod/web.yaml': deployment('web'),
    'prod/api.yaml': [deployment('api'), pdb({ maxUnavailable: 1 })].join('\n---\n'),
    'prod/kustomization.yaml': JSON.stringify({ resources: ['pool.yaml', 'web.yaml', 'api.yaml'], ...kustomization }),
    ...more,
  };
  const roots = rootsOf(Object.entries(files).map(([path, text]) => ({ path, text, isFound: true })));
  const findings = roots.flatMap(({ sources }) => check(sources).findings);
  return findings.filter(({ rule }) => ['KARP-406', 'KARP-409', 'KARP-410', 'KARP-440'].includes(rule));
}

describe('KARP-440 do-not-disrupt-for-all', () => {
  test('reports commonAnnotations once, in place of what follows from them', () => {
    expect(findingsOf({ commonAnnotations: { owner: 'shop' } })).toEqual([]);
    expect(findingsOf({ commonAnnotations: { [DO_NOT_DISRUPT]: 'false' } })).toEqual([]);
    expect(findingsOf({ commonAnnotations: { [DO_NOT_DISRUPT]: 'true' } })).toMatchObject([
      {
        rule: 'KARP-440',
        location: { file: 'prod/kustomization.yaml' },
        message: expect.stringMatching(
          /2 workloads \(Deployment web and Deployment api\): .* neither consolidates nor replaces their nodes; .*KARP-409 × 5.* follow from it/,
        ),
        remedy: expect.stringContaining('remove it from commonAnnotations'),
      },
    ]);
  });

  test('reports a patch for all workloads of a kind, and not one for a single workload', () => {
    const patch = (target: object) => ({
      patches: [
        {
          target,
          patch: JSON.stringify([
            { op: 'add', path: '/spec/template/metadata/annotations', value: { [DO_NOT_DISRUPT]: 'true' } },
          ]),
        },
      ],
    });
    expect(findingsOf(patch({ kind: 'Deployment' }))).toMatchObject([
      { rule: 'KARP-440', location: { path: 'patches[0].patch' } },
    ]);
    const single = findingsOf(patch({ kind: 'Deployment', name: 'web' })).map(({ rule }) => rule);
    expect(single).toContain('KARP-409');
    expect(single).not.toContain('KARP-440');
  });

  test('reports an Application of Argo CD that has the annotations', () => {
    const application = JSON.stringify({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'prod' },
      spec: {
        source: { path: 'prod', kustomize: { commonAnnotations: { [DO_NOT_DISRUPT]: 'true' } } },
        destination: { server: 'https://kubernetes.default.svc' },
      },
    });
    expect(findingsOf({}, { 'argocd/prod.yaml': application })).toMatchObject([
      {
        rule: 'KARP-440',
        location: {
          file: 'argocd/prod.yaml',
          path: expect.stringContaining('spec.source.kustomize.commonAnnotations'),
        },
        subject: { kind: 'Application', name: 'prod' },
      },
    ]);
  });
});
