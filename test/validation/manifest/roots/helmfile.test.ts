import { rootsOf, readManifests } from '../../../../src/validation';
import { withKarpenterOfRepository, gitOpsControllers } from '../../../../src/validation/controller';
import { NODE_CLASS, nodePool } from '../../setup';

type Files = Readonly<Record<string, string>>;

const CHART = { 'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n' };

function rootsIn(files: Files) {
  const sources = Object.entries(files).map(([path, text]) => ({ path, text, isFound: true }));
  return { sources, roots: rootsOf(sources) };
}

/** Of each release of the chart: its name and namespace, its values, and what is missing. */
function releases(files: Files) {
  return rootsIn({ ...CHART, ...files }).roots.flatMap(({ release }) =>
    release ? [[release.name, release.namespace, release.values.map(({ text }) => text).join(), release.missing]] : [],
  );
}

describe('a helmfile', () => {
  test('fills in the values of each environment', () => {
    const helmfile = `environments:
  dev: { values: [envs/{{ .Environment.Name }}.yaml] }
  prod: { values: [{ web: { space: live, enabled: true } }] }
---
releases:
  - name: web
    namespace: {{ .Values.web.space }}
    chart: ./web
    condition: web.enabled
    values: ["values/{{ .Environment.Name }}.yaml", { image: "{{ .StateValues.image | default "nginx" }}" }]
`;
    const files = { 'values/prod.yaml': 'a: 1', 'values/dev.yaml': 'a: 2', 'envs/dev.yaml': 'web: { enabled: false }' };
    expect(releases({ ...files, 'helmfile.yaml.gotmpl': helmfile })).toEqual([
      ['web', 'live', 'a: 1,{"image":"nginx"}', []],
    ]);
  });

  test('names values that only helmfile knows, and keeps the others', () => {
    const helmfile = `missingFileHandler: Warn
releases:
  - name: web
    chart: ./web
    values: ["values/{{ .Release.Name }}.yaml", absent.yaml, secret.yaml.gotmpl, { tag: "{{ requiredEnv \\"TAG\\" }}" }, { b: 2 }]
`;
    expect(releases({ 'values/web.yaml': 'a: 1', 'helmfile.yaml': helmfile })).toEqual([
      ['web', undefined, 'a: 1,{"b":2}', ['secret.yaml.gotmpl', 'values that helmfile fills in']],
    ]);
  });

  test('has no literal releases if templates choose its lines', () => {
    const helmfile =
      'releases:\n{{ if eq .Environment.Name "prod" }}\n  - { name: web, chart: ./web, values: [{ a: 1 }] }\n{{ end }}\n';
    expect(releases({ 'helmfile.yaml': helmfile })).toEqual([['web', undefined, '', []]]);
  });

  test('installs Karpenter with its values for the roots with NodePools', () => {
    const helmfile = `releases:
  - name: karpenter
    namespace: kube-system
    chart: oci://public.ecr.aws/karpenter/karpenter
    version: 1.8.6
    values: [karpenter.yaml]
    set: [{ name: replicas, value: 1 }]
`;
    const found = (more: Files) => {
      const { sources, roots } = rootsIn({
        'pools.yaml': [NODE_CLASS, nodePool(['m5.large'])].join('---\n'),
        'helmfile.yaml': helmfile,
        ...more,
      });
      return withKarpenterOfRepository(roots, sources).flatMap((root) =>
        gitOpsControllers(readManifests(root.sources).objects).map(({ version, values, complete, object, pathOf }) => ({
          version,
          complete,
          replicas: values.replicas,
          queue: (values.settings as Record<string, unknown>).interruptionQueue,
          ...object.locate(pathOf('replicas')),
        })),
      );
    };
    expect(found({ 'karpenter.yaml': 'settings: { interruptionQueue: q }' })).toMatchObject([
      { version: '1.8.6', complete: true, replicas: 1, queue: 'q', file: 'helmfile.yaml', line: 2, column: 3 },
    ]);
    expect(found({})).toMatchObject([{ complete: false }]);
    const app = JSON.stringify({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'karpenter' },
      spec: { source: { chart: 'karpenter', repoURL: 'public.ecr.aws/karpenter', targetRevision: '1.9.0' } },
    });
    expect(found({ 'argo/app.yaml': app })).toHaveLength(1);
  });
});
