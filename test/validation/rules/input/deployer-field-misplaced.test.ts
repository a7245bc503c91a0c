import { readManifests } from '../../../../src/validation';
import { gitOpsControllers } from '../../../../src/validation/controller';
import { deployerFieldMisplaced } from '../../../../src/validation/rules/input/deployer-field-misplaced';
import { judge, manifest } from '../judge';

const rule = deployerFieldMisplaced;
const VALUES = { settings: { clusterName: 'prod' }, serviceAccount: { name: 'karpenter' } };
const CHART = { spec: { chart: 'karpenter', version: '1.8.1' } };
const release = (spec: object) => manifest('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'karpenter', spec);
const application = (helm: object, source: object = {}) =>
  manifest('argoproj.io/v1alpha1', 'Application', 'karpenter', {
    source: { chart: 'karpenter', repoURL: 'public.ecr.aws/karpenter', targetRevision: '1.8.1', helm, ...source },
    destination: { namespace: 'kube-system' },
  });
const config = (fields: object) =>
  JSON.stringify({ apiVersion: 'eksctl.io/v1alpha5', kind: 'ClusterConfig', metadata: { name: 'prod' }, ...fields });

describe('KARP-014 deployer-field-misplaced', () => {
  test.each<[string, string, unknown]>([
    ['values below the chart', release({ chart: { ...CHART, values: VALUES } }), 'move values to spec.values'],
    [
      'values below its version',
      release({ chart: { spec: { ...CHART.spec, values: VALUES } } }),
      'move values to spec.values',
    ],
    ['values below upgrade', release({ chart: CHART, upgrade: { values: VALUES } }), 'move values to spec.values'],
    [
      'values that are not indented',
      release({ chart: CHART, upgrade: { crds: 'CreateReplace', ...VALUES } }),
      'move settings and serviceAccount into spec.values',
    ],
    ['a misspelt field', release({ chart: CHART, value: VALUES }), 'write values'],
    [
      'a field of another action',
      release({ chart: CHART, values: VALUES, createNamespace: true }),
      'move createNamespace to spec.install.createNamespace',
    ],
    ['a misspelt object of Argo CD', application({ valueObject: VALUES }), 'write valuesObject'],
    [
      'values of Argo CD beside helm',
      application({}, { valuesObject: VALUES }),
      'move valuesObject to spec.source.helm.valuesObject',
    ],
    [
      'fields of a source that are not indented',
      manifest('argoproj.io/v1alpha1', 'Application', 'a', {
        source: { repoURL: 'a' },
        path: 'b',
        targetRevision: 'c',
      }),
      'move path and targetRevision into spec.source',
    ],
    ['a misspelt field of eksctl', config({ managedNodeGroup: [] }), 'write managedNodeGroups'],
    [
      'a misspelt field of Karpenter in eksctl',
      config({ karpenter: { version: '1.8.1', createServiceAcount: true } }),
      'write createServiceAccount',
    ],
  ])('reports %s once, with an edit', (_, document, remedy) => {
    const { findings } = judge(rule, [document]);
    expect(findings.map((finding) => finding.remedy)).toEqual([remedy]);
    expect(findings[0].fix?.edits.length).toBeGreaterThan(0);
  });

  test('passes known fields, single unknown ones, and unknown ones beside values', () => {
    const documents = [
      release({ chart: CHART, values: VALUES, upgrade: { crds: 'Skip', fromTheFuture: true, other: 1 } }),
      release({ chart: CHART, newestField: {} }),
      application({ valuesObject: VALUES, skipCrds: true }),
      config({ iam: { withOIDC: true }, karpenter: { version: '1.8.1' } }),
    ];
    expect(documents.flatMap((document) => judge(rule, [document]).findings)).toEqual([]);
  });

  test('lets other rules judge the values that were meant', () => {
    const clusterNames = [
      release({ chart: { ...CHART, values: VALUES } }),
      release({ chart: CHART, install: VALUES }),
      application({ valueObject: VALUES }),
    ].map((text) => gitOpsControllers(readManifests([{ path: 'a.yaml', text }]).objects)[0].values.settings);
    expect(clusterNames).toMatchObject([VALUES.settings, VALUES.settings, VALUES.settings]);
  });
});
