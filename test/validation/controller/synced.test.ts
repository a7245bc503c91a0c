import { syncedControllers } from '../../../src/validation/controller';
import { check } from '../../../src/validation/engine';
import { readManifests } from '../../../src/validation/manifest';
import { CheckOptions } from '../../../src/validation/options';
import { CrdsNotManaged } from '../../../src/validation/rules/crds-not-managed';
import { SpotWithoutInterruptionQueue } from '../../../src/validation/rules/spot-without-interruption-queue';
import { readScene } from '../../../src/validation/scene';
import { judge, nodeClass, nodePool, oneOf } from '../rules/helper';

const SPOT = [nodeClass(), nodePool('spot', { requirements: [oneOf('karpenter.sh/capacity-type', 'spot')] })];
const SETTINGS = { settings: { clusterName: 'prod', interruptionQueue: 'prod-events' } };

function helmRelease(spec: object, chart: object = { spec: { chart: 'karpenter', version: '1.13.0', sourceRef: { kind: 'HelmRepository', name: 'karpenter' } } }): string {
  return JSON.stringify({ apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', metadata: { name: 'autoscaler', namespace: 'kube-system' }, spec: { chart, ...spec } });
}

function application(helm: object, source: object = { chart: 'karpenter', repoURL: 'public.ecr.aws/karpenter', targetRevision: '1.13.0' }): string {
  const spec = { destination: { namespace: 'kube-system' }, source: { ...source, helm } };
  return JSON.stringify({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'autoscaler', namespace: 'argocd' }, spec });
}

const controllersIn = (...documents: string[]) => syncedControllers(readManifests([{ path: 'test.yaml', text: documents.join('\n---\n') }]).objects);
const queueOf = (document: string) => (controllersIn(document)[0].values.settings as typeof SETTINGS.settings).interruptionQueue;

describe('Karpenter as a HelmRelease of Flux', () => {
  const rule = new SpotWithoutInterruptionQueue();

  test('is judged by its values, and what is wrong is told where they are', () => {
    expect(judge(rule, [...SPOT, helmRelease({ values: SETTINGS })]).states).toEqual(['pass HelmRelease/autoscaler']);
    const { states, findings } = judge(rule, [...SPOT, helmRelease({ values: { settings: { clusterName: 'prod' } } })]);
    expect(states).toEqual(['fail HelmRelease/autoscaler']);
    expect(findings[0].path).toEqual(['spec', 'values', 'settings', 'interruptionQueue']);
  });

  test('is not evaluated where it has values from elsewhere', () => {
    const release = helmRelease({ values: {}, valuesFrom: [{ kind: 'ConfigMap', name: 'values' }] });
    expect(judge(rule, [...SPOT, release]).states).toEqual(['not-evaluated HelmRelease/autoscaler']);
  });

  test('has its chart and version from the source that it names, too', () => {
    const source = { apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'OCIRepository', metadata: { name: 'karpenter', namespace: 'kube-system' } };
    const spec = { url: 'oci://public.ecr.aws/karpenter/karpenter', ref: { tag: '1.12.1' } };
    const release = JSON.parse(helmRelease({ chartRef: { kind: 'OCIRepository', name: 'karpenter' } })) as { spec: { chart?: object } };
    delete release.spec.chart;
    expect(controllersIn(JSON.stringify(release), JSON.stringify({ ...source, spec })).map(({ version }) => version)).toEqual(['1.12.1']);
    expect(controllersIn(JSON.stringify(release))).toEqual([]);
  });

  test('has the version that it says, and none where it says a range', () => {
    const versions = ['1.13.0', 'v1.13.0', '1.13.*', '>=1.0.0'].map((version) => controllersIn(helmRelease({}, { spec: { chart: 'karpenter', version } }))[0].version);
    expect(versions).toEqual(['1.13.0', '1.13.0', undefined, undefined]);
  });

  test('is installed under its name, or that of its target and its own, or the one that it says', () => {
    const names = [{}, { targetNamespace: 'karpenter' }, { releaseName: 'k' }].map((spec) => controllersIn(helmRelease(spec))[0]);
    expect(names.map(({ releaseName, namespace }) => `${namespace}/${releaseName}`)).toEqual(['kube-system/autoscaler', 'karpenter/karpenter-autoscaler', 'kube-system/k']);
  });

  test('is none where the chart is another one', () => {
    expect(controllersIn(helmRelease({}, { spec: { chart: 'karpenter-crd' } }))).toEqual([]);
    expect(controllersIn(helmRelease({}, { spec: { chart: 'external-dns' } }))).toEqual([]);
  });

  test('is not looked for in a chart of the repository\'s own', () => {
    expect(controllersIn(helmRelease({}, { spec: { chart: './charts/karpenter', sourceRef: { kind: 'GitRepository', name: 'platform' } } }))).toEqual([]);
  });

  test('is known in part where other files of the chart stand in for its values', () => {
    const complete = (valuesFiles: string[]) => controllersIn(helmRelease({}, { spec: { chart: 'karpenter', valuesFiles } }))[0].complete;
    expect([complete(['values.yaml']), complete(['values.yaml', 'values-prod.yaml'])]).toEqual([true, false]);
  });
});

describe('Karpenter as an Application of Argo CD', () => {
  test.each<[string, object]>([
    ['an object', { valuesObject: SETTINGS }],
    ['a text', { values: 'settings:\n  clusterName: prod\n  interruptionQueue: prod-events\n' }],
    ['parameters', { parameters: [{ name: 'settings.interruptionQueue', value: 'prod-events' }] }],
    ['parameters before a text', { values: 'settings: { interruptionQueue: other }', parameters: [{ name: 'settings.interruptionQueue', value: 'prod-events' }] }],
  ])('has its values from %s', (_, helm) => {
    const [{ values, complete, version, namespace, releaseName }] = controllersIn(application(helm));
    expect(values).toMatchObject({ replicas: 2, settings: { interruptionQueue: 'prod-events' } });
    expect({ complete, version, namespace, releaseName }).toEqual({ complete: true, version: '1.13.0', namespace: 'kube-system', releaseName: 'autoscaler' });
  });

  test.each<[string, object]>([
    ['files', { valueFiles: ['values.yaml'] }],
    ['a text that is no YAML', { values: 'settings: [' }],
    ['a text that holds no values', { values: '- a' }],
  ])('is known in part with values from %s', (_, helm) => {
    expect(controllersIn(application(helm)).map(({ complete }) => complete)).toEqual([false]);
  });

  test('has booleans and numbers for parameters that are written as such, unless told otherwise', () => {
    const parameters = [{ name: 'replicas', value: '1' }, { name: 'settings.isolatedVPC', value: 'true' }, { name: 'settings.clusterName', value: '17', forceString: true }];
    expect(controllersIn(application({ parameters }))[0].values).toMatchObject({ replicas: 1, settings: { isolatedVPC: true, clusterName: '17' } });
  });

  test('is found among several sources, and in a repository of OCI', () => {
    const source = { repoURL: 'oci://public.ecr.aws/karpenter/karpenter', path: '.', targetRevision: '1.13.0' };
    expect(queueOf(application({ valuesObject: SETTINGS }, source))).toBe('prod-events');
    const several = JSON.parse(application({})) as { spec: { source?: object; sources?: object[] } };
    several.spec = { ...several.spec, source: undefined, sources: [{ repoURL: 'https://git.example.com/values.git', path: 'karpenter' }, { ...source, helm: { valuesObject: SETTINGS } }] };
    const [controller, ...others] = controllersIn(JSON.stringify(several));
    expect(others).toEqual([]);
    expect(controller.pathOf('settings', 'interruptionQueue')).toEqual(['spec', 'sources', 1, 'helm', 'valuesObject', 'settings', 'interruptionQueue']);
    expect(controller.pathOf('version')).toEqual(['spec', 'sources', 1, 'targetRevision']);
  });

  test('is not looked for in a chart of the repository\'s own', () => {
    expect(controllersIn(application({}, { repoURL: 'https://git.example.com/platform.git', path: 'charts/karpenter' }))).toEqual([]);
  });
});

describe('KARP-909 of what Flux and Argo CD install', () => {
  const rule = new CrdsNotManaged();
  const crds = (version: string) => helmRelease({}, { spec: { chart: 'karpenter-crd', version } }).replace('"autoscaler"', '"crds"');

  test('fails where Flux leaves the CRDs as they are, as it does unless told otherwise', () => {
    const { states, findings } = judge(rule, [helmRelease({})]);
    expect(states).toEqual(['fail HelmRelease/autoscaler']);
    expect(findings[0].remedy).toContain('spec.upgrade.crds: CreateReplace');
    expect(judge(rule, [helmRelease({ upgrade: { crds: 'CreateReplace' } })]).states).toEqual(['pass HelmRelease/autoscaler']);
  });

  test('passes with Argo CD, which applies them, unless it is told to skip them', () => {
    expect(judge(rule, [application({})]).states).toEqual(['pass Application/autoscaler']);
    expect(judge(rule, [application({ skipCrds: true })]).states).toEqual(['fail Application/autoscaler']);
  });

  test('passes with the CRDs among the manifests', () => {
    const crd = JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'nodepools.karpenter.sh' }, spec: {} });
    expect(judge(rule, [helmRelease({}), crd]).states).toEqual(['pass HelmRelease/autoscaler']);
  });

  test('passes with the chart of CRDs at the same version, and fails at another one', () => {
    expect(judge(rule, [helmRelease({}), crds('v1.13.0')]).states).toEqual(['pass HelmRelease/autoscaler']);
    const { findings } = judge(rule, [helmRelease({}), crds('1.11.0')]);
    expect(findings[0]).toMatchObject({ object: { name: 'crds' }, path: ['spec', 'chart', 'spec', 'version'], evidence: { crds: '1.11.0', karpenter: '1.13.0' } });
    const two = [crds('1.11.0'), crds('1.13.0').replace('"crds"', '"crds-of-prod"')];
    expect(judge(rule, [helmRelease({}), ...two]).whys).toEqual(['which of 2 charts of CRDs is for its cluster is not said']);
    expect(judge(rule, [helmRelease({}), crds('1.x')]).whys).toEqual(['its version, or that of its CRDs, is a range or is not said']);
  });
});

test('the settings of the one controller that Flux or Argo CD installs are those of the verdict', () => {
  const values = { settings: { vmMemoryOverheadPercent: 0.1, featureGates: { spotToSpotConsolidation: true } } };
  const { options } = readScene([{ path: 'test.yaml', text: [...SPOT, helmRelease({ values })].join('\n---\n') }], { preferencePolicy: 'Ignore' });
  expect(options).toMatchObject({ vmMemoryOverheadPercent: 0.1, preferencePolicy: 'Ignore', featureGates: { SpotToSpotConsolidation: true } });
});

describe('of what Flux installs, the verdict takes', () => {
  const optionsWith = (spec: object, given: CheckOptions = {}) =>
    readScene([{ path: 'test.yaml', text: [...SPOT, helmRelease(spec, { spec: { chart: 'karpenter', version: '1.15.1' } })].join('\n---\n') }], given).options;

  test('a gate that nothing names as it is by default, and as unknown where there are values from elsewhere', () => {
    expect(optionsWith({ values: {} }).featureGates).toMatchObject({ NodeOverlay: false, ReservedCapacity: true });
    expect(optionsWith({ values: {} }, { karpenterVersion: '1.5.2' }).featureGates).toMatchObject({ ReservedCapacity: false });
    const { featureGates } = optionsWith({ values: { settings: { featureGates: { staticCapacity: false } } }, valuesFrom: [{ kind: 'ConfigMap', name: 'values' }] });
    expect(featureGates).toEqual({ StaticCapacity: false });
  });

  test('a gate that is written as a text, as Karpenter reads it', () => {
    expect(optionsWith({ values: { settings: { featureGates: { nodeOverlay: 'true', reservedCapacity: 'F' } } } }).featureGates)
      .toMatchObject({ NodeOverlay: true, ReservedCapacity: false });
  });

  test('what the variables of the controller say before what the values do, of one name the last', () => {
    const settings = { reservedENIs: '1', preferencePolicy: 'Respect', featureGates: { nodeOverlay: true } };
    const env = Object.entries({ RESERVED_ENIS: '3', PREFERENCE_POLICY: 'Ignore', MIN_VALUES_POLICY: 'BestEffort', FEATURE_GATES: 'StaticCapacity=true' })
      .map(([name, value]) => ({ name, value }));
    const { featureGates, ...options } = optionsWith({ values: { settings, controller: { env: [...env, { name: 'RESERVED_ENIS', value: '2' }] } } });
    expect(options).toMatchObject({ reservedENIs: 2, preferencePolicy: 'Ignore', minValuesPolicy: 'BestEffort' });
    expect(featureGates).toMatchObject({ NodeOverlay: false, StaticCapacity: true });
  });

  test('nothing of a variable that a Secret gives', () => {
    const env = [{ name: 'RESERVED_ENIS', valueFrom: { secretKeyRef: { name: 'karpenter', key: 'enis' } } }];
    expect(optionsWith({ values: { settings: { reservedENIs: '1' }, controller: { env } } }).reservedENIs).toBeUndefined();
  });

  test.each<[string, object, boolean | undefined]>([
    ['counted with enableDRA', { enableDRA: true }, false],
    ['counted with a gate of a driver', { awsFeatureGates: { draEFA: true } }, false],
    ['counted where it says so', { ignoreDRARequests: false }, false],
    ['as by default', {}, undefined],
  ])('claims of pods as %s', (_, settings, ignored) => {
    expect(optionsWith({ values: { settings } }).ignoreDraRequests).toBe(ignored);
  });

  test('the configuration of the scheduler from the variables of the controller, from the version on that has it', () => {
    const constraint = { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' };
    const env = [{ name: 'SCHEDULER_CONFIG', value: JSON.stringify({ podTopologySpread: { defaultConstraints: [constraint] } }) }];
    expect(optionsWith({ values: { controller: { env } } }).schedulerConfig).toEqual({ defaultConstraints: [constraint] });
    expect(optionsWith({ values: { controller: { env } } }, { karpenterVersion: '1.14.0' }).schedulerConfig).toBeUndefined();
  });
});

test('the verdict says whose version and settings it does not go by', () => {
  const assumptions = (...documents: string[]) => check([{ path: 'test.yaml', text: [...SPOT, ...documents].join('\n---\n') }]).assumptions;
  const old = helmRelease({}, { spec: { chart: 'karpenter', version: '0.37.0' } });
  expect(assumptions(old).slice(0, 2)).toEqual(['Karpenter is 1.15.1', 'HelmRelease kube-system/autoscaler installs Karpenter 0.37.0, which is not known here']);
  expect(assumptions(helmRelease({}), application({}))).toContain(
    'the input installs Karpenter 2 times (Application argocd/autoscaler, HelmRelease kube-system/autoscaler): what these say of its version and settings is not used');
  expect(assumptions(helmRelease({})).filter((sentence) => sentence.includes('install'))).toEqual([]);
});
