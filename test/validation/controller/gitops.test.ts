import { stringify } from 'yaml';
import { readManifests, rootsOf } from '../../../src/validation';
import { check } from '../../../src/validation/check/check';
import { CheckOptions } from '../../../src/validation/check-options';
import { readSession } from '../../../src/validation/context/check-session';
import { gitOpsControllers } from '../../../src/validation/controller';
import { crdsNotManaged } from '../../../src/validation/rules/controller/crds-not-managed';
import { spotWithoutInterruptionQueue } from '../../../src/validation/rules/interruption/queue/spot-without-interruption-queue';
import { judge, nodeClass, nodePool, oneOf } from '../rules/judge';

const SPOT = [nodeClass(), nodePool('spot', { requirements: [oneOf('karpenter.sh/capacity-type', 'spot')] })];
const SETTINGS = { settings: { clusterName: 'prod', interruptionQueue: 'prod-events' } };

function helmRelease(
  spec: object,
  chart: object = {
    spec: { chart: 'karpenter', version: '1.13.0', sourceRef: { kind: 'HelmRepository', name: 'karpenter' } },
  },
): string {
  return JSON.stringify({
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'autoscaler', namespace: 'kube-system' },
    spec: { chart, ...spec },
  });
}

function application(
  helm: object,
  source: object = { chart: 'karpenter', repoURL: 'public.ecr.aws/karpenter', targetRevision: '1.13.0' },
): string {
  const spec = { destination: { namespace: 'kube-system' }, source: { ...source, helm } };
  return JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'autoscaler', namespace: 'argocd' },
    spec,
  });
}

const controllersIn = (...documents: string[]) =>
  gitOpsControllers(readManifests([{ path: 'test.yaml', text: documents.join('\n---\n') }]).objects);
const queueOf = (document: string) =>
  (controllersIn(document)[0].values.settings as typeof SETTINGS.settings).interruptionQueue;

describe('a Flux HelmRelease of Karpenter', () => {
  const rule = spotWithoutInterruptionQueue;

  test('is checked by its values, with findings at the values', () => {
    expect(judge(rule, [...SPOT, helmRelease({ values: SETTINGS })]).states).toEqual(['pass HelmRelease/autoscaler']);
    const { states, findings } = judge(rule, [...SPOT, helmRelease({ values: { settings: { clusterName: 'prod' } } })]);
    expect(states).toEqual(['fail HelmRelease/autoscaler']);
    expect(findings[0].path).toEqual(['spec', 'values', 'settings', 'interruptionQueue']);
  });

  test('is not evaluated if it has valuesFrom', () => {
    const release = helmRelease({ values: {}, valuesFrom: [{ kind: 'ConfigMap', name: 'values' }] });
    expect(judge(rule, [...SPOT, release]).states).toEqual(['not-evaluated HelmRelease/autoscaler']);
  });

  test('gets its chart and version from the source that it references', () => {
    const source = {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'OCIRepository',
      metadata: { name: 'karpenter', namespace: 'kube-system' },
    };
    const spec = { url: 'oci://public.ecr.aws/karpenter/karpenter', ref: { tag: '1.12.1' } };
    const release = JSON.parse(helmRelease({ chartRef: { kind: 'OCIRepository', name: 'karpenter' } })) as {
      spec: { chart?: object };
    };
    delete release.spec.chart;
    expect(
      controllersIn(JSON.stringify(release), JSON.stringify({ ...source, spec })).map(({ version }) => version),
    ).toEqual(['1.12.1']);
    expect(controllersIn(JSON.stringify(release))).toEqual([]);
  });

  test('has an exact version, or the newest release of a range', () => {
    const versions = ['1.13.0', 'v1.13.0', '1.13.*', '>=1.0.0'].map(
      (version) => controllersIn(helmRelease({}, { spec: { chart: 'karpenter', version } }))[0].version,
    );
    expect(versions).toEqual(['1.13.0', '1.13.0', '1.13.0', '1.15.1']);
  });

  test('has the release name of Flux: releaseName, else target namespace and name, else name', () => {
    const names = [{}, { targetNamespace: 'karpenter' }, { releaseName: 'k' }].map(
      (spec) => controllersIn(helmRelease(spec))[0],
    );
    expect(names.map(({ releaseName, namespace }) => `${namespace}/${releaseName}`)).toEqual([
      'kube-system/autoscaler',
      'karpenter/karpenter-autoscaler',
      'kube-system/k',
    ]);
  });

  test('is ignored if it installs another chart', () => {
    expect(controllersIn(helmRelease({}, { spec: { chart: 'karpenter-crd' } }))).toEqual([]);
    expect(controllersIn(helmRelease({}, { spec: { chart: 'external-dns' } }))).toEqual([]);
  });

  test('is not searched in an umbrella chart', () => {
    expect(
      controllersIn(
        helmRelease(
          {},
          { spec: { chart: './charts/karpenter', sourceRef: { kind: 'GitRepository', name: 'platform' } } },
        ),
      ),
    ).toEqual([]);
  });

  test('is incomplete if values files replace the defaults of the chart', () => {
    const complete = (valuesFiles: string[]) =>
      controllersIn(helmRelease({}, { spec: { chart: 'karpenter', valuesFiles } }))[0].complete;
    expect([complete(['values.yaml']), complete(['values.yaml', 'values-prod.yaml'])]).toEqual([true, false]);
  });
});

describe('an Argo CD Application of Karpenter', () => {
  test.each<[string, object]>([
    ['an object', { valuesObject: SETTINGS }],
    ['YAML text', { values: 'settings:\n  clusterName: prod\n  interruptionQueue: prod-events\n' }],
    ['parameters', { parameters: [{ name: 'settings.interruptionQueue', value: 'prod-events' }] }],
    [
      'parameters, which override YAML text',
      {
        values: 'settings: { interruptionQueue: other }',
        parameters: [{ name: 'settings.interruptionQueue', value: 'prod-events' }],
      },
    ],
  ])('reads its values from %s', (_, helm) => {
    const [{ values, complete, version, namespace, releaseName }] = controllersIn(application(helm));
    expect(values).toMatchObject({ replicas: 2, settings: { interruptionQueue: 'prod-events' } });
    expect({ complete, version, namespace, releaseName }).toEqual({
      complete: true,
      version: '1.13.0',
      namespace: 'kube-system',
      releaseName: 'autoscaler',
    });
  });

  test.each<[string, object]>([
    ['files', { valueFiles: ['values.yaml'] }],
    ['text that is not YAML', { values: 'settings: [' }],
    ['text without values', { values: '- a' }],
  ])('is incomplete with values from %s', (_, helm) => {
    expect(controllersIn(application(helm)).map(({ complete }) => complete)).toEqual([false]);
  });

  test('converts parameters to booleans and numbers, except with forceString', () => {
    const parameters = [
      { name: 'replicas', value: '1' },
      { name: 'settings.isolatedVPC', value: 'true' },
      { name: 'settings.clusterName', value: '17', forceString: true },
    ];
    expect(controllersIn(application({ parameters }))[0].values).toMatchObject({
      replicas: 1,
      settings: { isolatedVPC: true, clusterName: '17' },
    });
  });

  test('is found among several sources and in an OCI repository', () => {
    const source = { repoURL: 'oci://public.ecr.aws/karpenter/karpenter', path: '.', targetRevision: '1.13.0' };
    expect(queueOf(application({ valuesObject: SETTINGS }, source))).toBe('prod-events');
    const several = JSON.parse(application({})) as { spec: { source?: object; sources?: object[] } };
    several.spec = {
      ...several.spec,
      source: undefined,
      sources: [
        { repoURL: 'https://git.example.com/values.git', path: 'karpenter' },
        { ...source, helm: { valuesObject: SETTINGS } },
      ],
    };
    const [controller, ...others] = controllersIn(JSON.stringify(several));
    expect(others).toEqual([]);
    expect(controller.pathOf('settings', 'interruptionQueue')).toEqual([
      'spec',
      'sources',
      1,
      'helm',
      'valuesObject',
      'settings',
      'interruptionQueue',
    ]);
    expect(controller.pathOf('version')).toEqual(['spec', 'sources', 1, 'targetRevision']);
  });

  test('is not searched in an umbrella chart', () => {
    expect(
      controllersIn(application({}, { repoURL: 'https://git.example.com/platform.git', path: 'charts/karpenter' })),
    ).toEqual([]);
  });
});

describe('KARP-909 for Flux and Argo CD', () => {
  const rule = crdsNotManaged;
  const crds = (version: string) =>
    helmRelease({}, { spec: { chart: 'karpenter-crd', version } }).replace('"autoscaler"', '"crds"');

  test('fails if Flux does not upgrade CRDs, which is its default', () => {
    const { states, findings } = judge(rule, [helmRelease({})]);
    expect(states).toEqual(['fail HelmRelease/autoscaler']);
    expect(findings[0].remedy).toContain('spec.upgrade.crds: CreateReplace');
    expect(judge(rule, [helmRelease({ upgrade: { crds: 'CreateReplace' } })]).states).toEqual([
      'pass HelmRelease/autoscaler',
    ]);
  });

  test('passes with Argo CD, which applies CRDs, except with skipCrds', () => {
    expect(judge(rule, [application({})]).states).toEqual(['pass Application/autoscaler']);
    expect(judge(rule, [application({ skipCrds: true })]).states).toEqual(['fail Application/autoscaler']);
  });

  test('says that a new cluster gets no CRDs if the release skips them', () => {
    for (const skipping of [
      application({ skipCrds: true }),
      helmRelease({ install: { crds: 'Skip' }, upgrade: { crds: 'CreateReplace' } }),
    ]) {
      const { findings } = judge(rule, [skipping]);
      expect(findings).toMatchObject([
        { message: expect.stringContaining('in a new cluster Karpenter does not start') },
      ]);
      expect(judge(rule, [skipping, crds('v1.13.0')]).findings.map(({ message }) => message)).not.toContain(
        findings[0].message,
      );
    }
  });

  test('passes with the CRDs among the manifests', () => {
    const crd = JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'nodepools.karpenter.sh' },
      spec: {},
    });
    expect(judge(rule, [helmRelease({}), crd]).states).toEqual(['pass HelmRelease/autoscaler']);
  });

  test('passes with a CRD chart of the same version, and fails with another version', () => {
    expect(judge(rule, [helmRelease({}), crds('v1.13.0')]).states).toEqual(['pass HelmRelease/autoscaler']);
    const { findings } = judge(rule, [helmRelease({}), crds('1.11.0')]);
    expect(findings[0]).toMatchObject({
      object: { name: 'crds' },
      path: ['spec', 'chart', 'spec', 'version'],
      evidence: { crds: '1.11.0', karpenter: '1.13.0' },
    });
    const two = [crds('1.11.0'), crds('1.13.0').replace('"crds"', '"crds-of-prod"')];
    expect(judge(rule, [helmRelease({}), ...two]).whys).toEqual([
      'the input does not say which of 2 CRD charts is for its cluster',
    ]);
    expect(judge(rule, [helmRelease({}), crds('1.x')]).whys).toEqual([
      'its version or that of its CRDs is a range or not in the input',
    ]);
  });
});

test('uses the settings of the only controller that Flux or Argo CD installs', () => {
  const values = { settings: { vmMemoryOverheadPercent: 0.1, featureGates: { spotToSpotConsolidation: true } } };
  const { options } = readSession([{ path: 'test.yaml', text: [...SPOT, helmRelease({ values })].join('\n---\n') }], {
    preferencePolicy: 'Ignore',
  });
  expect(options).toMatchObject({
    vmMemoryOverheadPercent: 0.1,
    preferencePolicy: 'Ignore',
    featureGates: { SpotToSpotConsolidation: true },
  });
});

describe('the check options of a Flux HelmRelease', () => {
  const optionsWith = (spec: object, given: CheckOptions = {}) =>
    readSession(
      [
        {
          path: 'test.yaml',
          text: [...SPOT, helmRelease(spec, { spec: { chart: 'karpenter', version: '1.15.1' } })].join('\n---\n'),
        },
      ],
      given,
    ).options;

  test('use the default of an unset feature gate, and leave it unknown with valuesFrom', () => {
    expect(optionsWith({ values: {} }).featureGates).toMatchObject({ NodeOverlay: false, ReservedCapacity: true });
    expect(optionsWith({ values: {} }, { karpenterVersion: '1.5.2' }).featureGates).toMatchObject({
      ReservedCapacity: false,
    });
    const { featureGates } = optionsWith({
      values: { settings: { featureGates: { staticCapacity: false } } },
      valuesFrom: [{ kind: 'ConfigMap', name: 'values' }],
    });
    expect(featureGates).toEqual({ StaticCapacity: false });
  });

  test('parse a feature gate in quotes as Karpenter does', () => {
    expect(
      optionsWith({ values: { settings: { featureGates: { nodeOverlay: 'true', reservedCapacity: 'F' } } } })
        .featureGates,
    ).toMatchObject({ NodeOverlay: true, ReservedCapacity: false });
  });

  test('use environment variables before values, and the last variable of a name', () => {
    const settings = { reservedENIs: '1', preferencePolicy: 'Respect', featureGates: { nodeOverlay: true } };
    const env = Object.entries({
      RESERVED_ENIS: '3',
      PREFERENCE_POLICY: 'Ignore',
      MIN_VALUES_POLICY: 'BestEffort',
      FEATURE_GATES: 'StaticCapacity=true',
    }).map(([name, value]) => ({ name, value }));
    const { featureGates, ...options } = optionsWith({
      values: { settings, controller: { env: [...env, { name: 'RESERVED_ENIS', value: '2' }] } },
    });
    expect(options).toMatchObject({ reservedENIs: 2, preferencePolicy: 'Ignore', minValuesPolicy: 'BestEffort' });
    expect(featureGates).toMatchObject({ NodeOverlay: false, StaticCapacity: true });
  });

  test('ignore a variable from a Secret', () => {
    const env = [{ name: 'RESERVED_ENIS', valueFrom: { secretKeyRef: { name: 'karpenter', key: 'enis' } } }];
    expect(
      optionsWith({ values: { settings: { reservedENIs: '1' }, controller: { env } } }).reservedENIs,
    ).toBeUndefined();
  });

  test.each<[string, object, boolean | undefined]>([
    ['count resource claims with enableDRA', { enableDRA: true }, false],
    ['count resource claims with the feature gate of a driver', { awsFeatureGates: { draEFA: true } }, false],
    ['count resource claims with ignoreDRARequests: false', { ignoreDRARequests: false }, false],
    ['use the default without settings', {}, undefined],
  ])('%s', (_, settings, ignored) => {
    expect(optionsWith({ values: { settings } }).ignoreDraRequests).toBe(ignored);
  });

  test('read the scheduler configuration from a variable, since the version that supports it', () => {
    const constraint = { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' };
    const env = [
      { name: 'SCHEDULER_CONFIG', value: JSON.stringify({ podTopologySpread: { defaultConstraints: [constraint] } }) },
    ];
    expect(optionsWith({ values: { controller: { env } } }).schedulerConfig).toEqual({
      defaultConstraints: [constraint],
    });
    expect(
      optionsWith({ values: { controller: { env } } }, { karpenterVersion: '1.14.0' }).schedulerConfig,
    ).toBeUndefined();
  });
});

test('lists ignored controllers in the assumptions', () => {
  const assumptions = (...documents: string[]) =>
    check([{ path: 'test.yaml', text: [...SPOT, ...documents].join('\n---\n') }]).assumptions;
  const old = helmRelease({}, { spec: { chart: 'karpenter', version: '0.37.0' } });
  expect(assumptions(old).slice(0, 2)).toEqual([
    'Karpenter is 0.37.0: served API versions are those of this release, decisions those of 1.15.1, which may differ',
    'the cluster is empty: all pods are pending at the same time',
  ]);
  expect(assumptions(helmRelease({}), application({}))).toContain(
    'the input installs Karpenter 2 times (Application argocd/autoscaler, HelmRelease kube-system/autoscaler): their versions and settings are ignored',
  );
  expect(assumptions(helmRelease({})).filter((sentence) => sentence.includes('install'))).toEqual([]);
});

describe('values of Karpenter in other files of the repository', () => {
  const found = (files: Readonly<Record<string, string>>) => {
    const sources = Object.entries({ 'pods.yaml': nodeClass(), ...files }).map(([path, text]) => ({
      path,
      text,
      isFound: true,
    }));
    const objects = rootsOf(sources).flatMap((root) => readManifests(root.sources).objects);
    return gitOpsControllers(objects).map(({ values, complete }) => [
      (values.settings as Record<string, unknown>).interruptionQueue,
      complete,
    ]);
  };

  test('are those of value files of an Application, under its own values', () => {
    const chart = { chart: 'karpenter', repoURL: 'public.ecr.aws/karpenter', targetRevision: '1.13.0' };
    const app = (valueFiles: string[]) =>
      JSON.stringify({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name: 'karpenter' },
        spec: {
          sources: [
            { repoURL: 'https://github.com/acme/shop', ref: 'repo' },
            { ...chart, helm: { valueFiles, valuesObject: { settings: { clusterName: 'prod' } } } },
          ],
        },
      });
    const values = {
      'charts/base.yaml': 'settings: { interruptionQueue: a }',
      'charts/prod.yaml': 'settings: { interruptionQueue: b }',
    };
    const paths = Object.keys(values).map((path) => `$repo/${path}`);
    expect(found({ ...values, 'argo/app.yaml': pretty(app(paths)) })).toEqual([['b', true]]);
    expect(found({ ...values, 'argo/app.yaml': pretty(app([...paths, '$repo/gone.yaml'])) })).toEqual([['', false]]);
  });

  test('are those of a ConfigMap that a HelmRelease refers to', () => {
    const release = helmRelease({ valuesFrom: [{ kind: 'ConfigMap', name: 'values' }], values: { replicas: 3 } });
    const map = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'values', namespace: 'kube-system' },
      data: { 'values.yaml': 'settings: { interruptionQueue: q }' },
    });
    expect(found({ 'flux/release.yaml': pretty(release), 'flux/map.yaml': map })).toEqual([['q', true]]);
    expect(found({ 'flux/release.yaml': pretty(release) })).toEqual([['', false]]);
  });
});

/** The same object as people write it. */
function pretty(json: string): string {
  return stringify(JSON.parse(json));
}
