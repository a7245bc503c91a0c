import fc from 'fast-check';
import { check, Finding } from '../../../../src/validation';
import { MergedValues } from '../../../../src/validation/check/charts/merged-values';
import { unreadChartValues } from '../../../../src/validation/check/charts/unread-values';
import { renderedSources } from '../../../support/mini-helm';
import { NODE_CLASS } from '../../setup';

function unreadIn(template: string, values: string, helpers = ''): string[] {
  const files = { 'values.yaml': values, 'templates/a.yaml': template, 'templates/_a.tpl': helpers };
  const [{ chart }] = renderedSources({ files: { 'values.yaml': values, 'templates/a.yaml': 'a: b\n' } });
  const rendering = {
    ...chart!,
    files: () => Object.entries(files).map(([inside, text]) => ({ inside, path: inside, text })),
  };
  return unreadChartValues(new MergedValues(rendering)).map(
    ({ path, meant }) => `${path.join('.')} → ${meant.join('.')}`,
  );
}

test.each([
  ['a key at another level', '{{ .Values.pod.cpu }}', 'cpu: 1', 'cpu → pod.cpu'],
  [
    'a misspelt key',
    '{{ toYaml .Values.pod.tolerations }}',
    'pod: {toleration: [a]}',
    'pod.toleration → pod.tolerations',
  ],
  [
    'a key of an entry',
    '{{ range $n, $s := .Values.apps }}{{ with $s.scheduling }}{{ .tolerations }}{{ end }}{{ end }}',
    'apps: {web: {tolerations: [a], scheduling: {b: c}}}',
    'apps.web.tolerations → apps.web.scheduling.tolerations',
  ],
  [
    'a key below a dictionary of a helper',
    '{{ include "pod" (dict "root" $ "pod" .Values.pod) }}',
    'pod: {zone: [a]}',
    'pod.zone → pod.zones',
  ],
])('finds %s', (_, template, values, expected) => {
  const helpers = '{{- define "pod" }}{{ range .pod.zones }}{{ . }}{{ end }}{{ .root.Values.name }}{{ end }}';
  expect(unreadIn(template, values, helpers)).toContain(expected);
});

test.each([
  [
    'a template reads it in a branch that is not taken',
    '{{ if .Values.on }}{{ .Values.pod.zone }}{{ end }}{{ .Values.pod.zones }}',
  ],
  ['a function gets all values', '{{ .Values.pod.zones }}{{ toYaml .Values }}'],
  ['the key is computed', '{{ .Values.pod.zones }}{{ index .Values.pod (print "zo" "ne") }}'],
  ['a variable has the values', '{{ $v := .Values }}{{ .Values.pod.zones }}{{ with $v.pod }}{{ .zone }}{{ end }}'],
  ['they are merged into others', '{{ .Values.pod.zones }}{{ $m := merge (dict) .Values.pod }}{{ $m.zone }}'],
  ['nothing like it is read', '{{ .Values.pod.memory }}'],
  ['the template is not understood', '{{ .Values.pod.zones }}{{ .Values.pod[0] }}'],
])('finds nothing if %s', (_, template) => {
  expect(unreadIn(template, 'pod: {zone: a}')).toEqual([]);
});

test.each([
  ['contain one another twice, 60 deep', '{{ $d = dict "a" $d "b" $d }}'.repeat(60)],
  ['contain themselves', '{{ $_ := set $d "a" $d }}'],
])('reads dictionaries that %s', (_, made) => {
  const template = `{{ $d := dict "pod" .Values.pod.zones }}${made}{{ toYaml $d }}`;
  expect(unreadIn(template, 'pod: {zone: a}')).toEqual(['pod.zone → pod.zones']);
});

test('what is called unread never changes what a template makes', () => {
  const key = fc.constantFrom('pod', 'pods', 'cpu', 'app');
  const path = fc.array(key, { minLength: 1, maxLength: 3 }).map((keys) => keys.join('.'));
  const block = fc
    .tuple(fc.constantFrom('with', 'if', 'range'), path, path)
    .map(([kind, outer, inner]) =>
      [`{{- ${kind} .Values.${outer} }}`, `- {{ .${inner} }}`, `- {{ $.Values.${inner} }}`, '{{- end }}'].join('\n'),
    );
  const line = path.map((own) => `- {{ .Values.${own} }}`);
  const template = fc
    .array(fc.oneof(line, block), { minLength: 1, maxLength: 5 })
    .map((parts) => `${parts.join('\n')}\n`);
  const leaf = fc.constantFrom(1, 2);
  const values = fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf)))));
  let found = 0;
  fc.assert(
    fc.property(template, values, (text, all) => {
      const files = { 'values.yaml': JSON.stringify(all), 'templates/a.yaml': text };
      const [source] = renderedSources({ files });
      for (const { path: own } of unreadChartValues(new MergedValues(source.chart!))) {
        const overlay = [...own].reverse().reduce<unknown>((inner, step) => ({ [step]: inner }), 'other');
        const made = source.chart!.render({ overlay: overlay as Record<string, unknown> });
        expect(made?.get(source.path)).toBe(source.text);
        found++;
      }
    }),
    { seed: 7, numRuns: 300 },
  );
  expect(found).toBeGreaterThan(20);
});

const WORKLOADS = `{{- range $name, $app := .Values.apps }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
spec:
  replicas: 1
  selector: {matchLabels: {app: {{ $name }}}}
  template:
    metadata: {labels: {app: {{ $name }}}}
    spec:
      nodeSelector: {team: a}
{{- with $app.scheduling }}
{{- with .tolerations }}
      tolerations: {{ toJson . }}
{{- end }}
{{- end }}
      containers:
        - name: web
          image: web
          resources: {requests: {cpu: "1", memory: 1Gi}}
{{- end }}
`;
const POOL = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a}
spec:
  template:
    metadata: {labels: {team: a}}
    spec:
      taints: [{key: team, value: a, effect: NoSchedule}]
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: main}
      requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]
`;

function findings(values: string): Finding[] {
  const chart = renderedSources({ files: { 'values.yaml': values, 'templates/web.yaml': WORKLOADS } });
  return [...check([...chart, { path: 'pools.yaml', text: [NODE_CLASS, POOL].join('---\n') }]).findings];
}

test('a value at another level explains why pods fit on no node, and its fix moves it', () => {
  const values = `apps:
  web:
    tolerations: [{key: team, operator: Exists}]
    scheduling:
      priority: 1
`;
  const errors = findings(values).filter(({ severity }) => severity === 'error');
  expect(errors).toMatchObject([
    {
      rule: 'KARP-919',
      subject: { kind: 'Deployment', name: 'web' },
      location: { file: 'app/values.yaml', line: 3, value: 'apps.web.tolerations' },
      remedy: 'write apps.web.scheduling.tolerations instead, which the templates read',
      fix: { safe: false, file: 'app/values.yaml' },
    },
  ]);
  expect(errors[0].message).toMatch(
    /^the value apps\.web\.tolerations has no effect, because no template reads it: its pod/,
  );
});

test('a missing field becomes a value that templates read, if helm then makes exactly the fixed object', () => {
  const values = 'apps:\n  web:\n    scheduling: {}\n';
  const [error] = findings(values).filter(({ severity }) => severity === 'error');
  expect(error).toMatchObject({
    rule: 'KARP-211',
    location: { file: 'app/values.yaml', line: 3, value: 'apps.web.scheduling.tolerations' },
    fix: { file: 'app/values.yaml', safe: false },
  });
});
