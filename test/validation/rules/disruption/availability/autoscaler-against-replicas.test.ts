import { autoscalerAgainstReplicas } from '../../../../../src/validation/rules/disruption/availability/autoscaler-against-replicas';
import { autoscaler, deployment, judge, judgeFiles, manifest } from '../../judge';

const rule = autoscalerAgainstReplicas;

describe('KARP-435 autoscaler-against-replicas', () => {
  test('reports replicas in the manifest of a workload that is scaled', () => {
    const [finding] = judge(rule, [autoscaler({ minReplicas: 2 }), deployment('web', {}, { replicas: 3 })]).findings;
    expect(finding).toMatchObject({
      object: { kind: 'Deployment' },
      path: ['spec', 'replicas'],
      remedy: 'remove replicas from the manifest',
      evidence: { replicas: 3, minReplicas: 2, maxReplicas: 9, reconciler: null },
    });
  });

  describe('with GitOps', () => {
    const argo = (fields: object, spec: object = {}) =>
      manifest('argoproj.io/v1alpha1', 'Application', 'shop', {
        source: { path: 'apps/shop' },
        syncPolicy: { automated: fields },
        ...spec,
      });
    const flux = (spec: object) =>
      manifest('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', 'all', { path: './apps/', ...spec });
    const severityWith = (...documents: string[]) => {
      const text = [autoscaler({ minReplicas: 2 }), deployment('web', {}, { replicas: 3 })].join('\n---\n');
      const [{ severity, message }] = judgeFiles(rule, [
        { path: 'repo/apps/shop/web.yaml', text },
        { path: 'repo/gitops.yaml', text: documents.join('\n---\n') },
      ]).findings;
      return severity === undefined ? severity : message;
    };

    test('warns if Argo CD heals the workload, or Flux applies it', () => {
      expect(severityWith(argo({ selfHeal: true }))).toContain('Application shop goes back to 3 whenever');
      expect(severityWith(flux({}))).toContain('Kustomization all goes back to 3 whenever');
    });

    test('is a note if nothing is healed, if the field is ignored, and for other folders', () => {
      const ignored = [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }];
      const config = `apiVersion: v1
kind: ConfigMap
metadata: { name: argocd-cm }
data:
  resource.customizations.ignoreDifferences.apps_Deployment: "jqPathExpressions: ['.spec.replicas']"
`;
      expect(severityWith(argo({ prune: true }))).toBeUndefined();
      expect(severityWith(argo({ selfHeal: true }, { ignoreDifferences: ignored }))).toBeUndefined();
      expect(severityWith(argo({ selfHeal: true }), config)).toBeUndefined();
      expect(severityWith(argo({ selfHeal: true }, { source: { path: 'apps/sho' } }))).toBeUndefined();
      expect(severityWith(flux({ suspend: true }))).toBeUndefined();
    });
  });

  test.each([undefined, 0])('passes replicas: %s', (replicas) => {
    expect(judge(rule, [autoscaler(), deployment('web', {}, { replicas })]).states).toEqual([
      'pass HorizontalPodAutoscaler/web',
    ]);
  });

  test('does not apply without the target', () => {
    expect(judge(rule, [autoscaler()]).outcomes).toEqual([]);
  });
});
