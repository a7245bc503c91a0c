import { ChartChanges, check, Finding } from '../../../../src/validation';
import { MiniChart, renderedSources } from '../../../support/mini-helm';
import { deployment, NODE_CLASS, SMALL } from '../../setup';

const POOLS = `{{- range $name, $p := .Values.pools }}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: {{ $name }}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
        - key: karpenter.sh/capacity-type
          operator: In
          values: {{ toJson $p.capacityTypes }}
        - key: karpenter.k8s.aws/instance-category
          operator: In
          values: {{ toJson $p.categories }}
        - key: topology.kubernetes.io/zone
          operator: In
          values: {{ toJson $.Values.zones }}
  limits:
    cpu: {{ $p.cpu | quote }}
{{- end }}
`;
const VALUES = `zones: [us-east-1a, us-east-1b]
pools:
  general:
    capacityTypes: [spot, on-demand]
    categories: [c, m, r]
    cpu: "100"
  batch:
    capacityTypes: [on-demand]
    categories: [c]
    cpu: "20"
`;

function chart(values: string, more: Partial<MiniChart> = {}): MiniChart {
  return { ...more, files: { 'values.yaml': values, 'templates/pools.yaml': POOLS, ...more.files } };
}

function findings(mini: MiniChart, calls?: ChartChanges[]): Finding[] {
  const other = [NODE_CLASS, deployment('web', 2, SMALL)].join('---\n');
  return [...check([...renderedSources(mini, calls), { path: 'other.yaml', text: other }]).findings];
}

const ruled = (all: readonly Finding[], id: string) => all.filter(({ rule }) => rule === id);
const placeOf = ({ location: { file, line, value } }: Finding) => [`${file}:${line}`, value];

test('a finding about a rendered list names the value, and the rendered field as its second place', () => {
  const [found] = ruled(findings(chart(VALUES.replace('[c, m, r]', '[c5, m5]'))), 'KARP-251');
  expect(placeOf(found)).toEqual(['app/values.yaml:5', 'pools.general.categories']);
  expect(found.excerpt?.lines).toContain('    categories: [c5, m5]');
  expect(found.location).toMatchObject({
    path: 'spec.template.spec.requirements[1].key',
    rendered: { file: 'app/templates/pools.yaml (helm template)', line: 14 },
  });
  expect(found.related).toMatchObject({
    label: 'rendered as spec.template.spec.requirements[1].key of NodePool general',
  });
});

test('a text in place of a list is found in the values', () => {
  const [found] = ruled(findings(chart(VALUES.replace('[on-demand]', 'spot'))), 'KARP-100');
  expect(placeOf(found)).toEqual(['app/values.yaml:8', 'pools.batch.capacityTypes']);
  expect(found.fix).toMatchObject({ safe: true, title: 'write capacityTypes: [spot]' });
});

test('the safe fix of a rendered field is one of the value, if helm then makes the same', () => {
  const [found] = ruled(findings(chart(VALUES.replace('[on-demand]', '[On-Demand]'))), 'KARP-251');
  expect(placeOf(found)).toEqual(['app/values.yaml:8', 'pools.batch.capacityTypes[0]']);
  expect(found.fix).toMatchObject({
    file: 'app/values.yaml',
    safe: true,
    title: 'write capacityTypes[0]: on-demand',
    edits: [{ line: 8, column: 21, endLine: 8, endColumn: 30, text: 'on-demand' }],
  });
});

test('the last file that sets a value is named', () => {
  const others = { 'live/values.yaml': 'pools:\n  batch:\n    categories: [c5]\n' };
  const values = Object.entries(others).map(([from, text]) => ({ from, text }));
  const [found] = ruled(findings(chart(VALUES, { values, others })), 'KARP-251');
  expect(placeOf(found)).toEqual(['live/values.yaml:3', 'pools.batch.categories']);
});

test('values in a HelmRelease, and parameters of an Application, are named there', () => {
  const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: pools}
spec:
  values:
    pools:
      batch:
        categories: [c5]
`;
  const text = JSON.stringify({ pools: { batch: { categories: ['c5'] } } });
  const [ofFlux] = ruled(
    findings(chart(VALUES, { values: [{ text, from: 'flux.yaml' }], others: { 'flux.yaml': release } })),
    'KARP-251',
  );
  expect(placeOf(ofFlux)).toEqual(['flux.yaml:8', 'pools.batch.categories']);
  const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: pools}
spec:
  source:
    helm:
      parameters:
        - name: pools.batch.capacityTypes
          value: spot
`;
  const [ofArgo] = ruled(
    findings(
      chart(VALUES, {
        parameters: [{ key: 'pools.batch.capacityTypes', value: 'spot', isText: false }],
        definedIn: 'argo.yaml',
        others: { 'argo.yaml': application },
      }),
    ),
    'KARP-100',
  );
  expect(placeOf(ofArgo)).toEqual(['argo.yaml:9', 'pools.batch.capacityTypes']);
});

test('a field that the template writes is in its line, whichever object it is of', () => {
  const template = POOLS.replace('karpenter.sh/capacity-type', 'karpenter.sh/capacity-tpye');
  const found = findings(chart(VALUES, { files: { 'templates/pools.yaml': template } })).filter(({ message }) =>
    message.includes('capacity-tpye'),
  );
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found.map((finding) => placeOf(finding)[0]))).toEqual(new Set(['app/templates/pools.yaml:12']));
  expect(found.every(({ fix }) => fix === undefined)).toBe(true);
});

test('a field that the template makes of a value that is not in it is in the line of the template', () => {
  const template = POOLS.replace('{{ $p.cpu | quote }}', '"{{ $p.cpu }} CPUs"');
  const [found] = ruled(findings(chart(VALUES, { files: { 'templates/pools.yaml': template } })), 'KARP-100');
  expect(placeOf(found)).toEqual(['app/templates/pools.yaml:22', undefined]);
});

test('a chart without findings is not rendered again, and others a few times', () => {
  const calls: ChartChanges[] = [];
  findings(chart(VALUES.replace('[c, m, r]', '[c5, m5]')), calls);
  expect(calls.length).toBeLessThanOrEqual(3);
});

test('a fix of a value that gives the same field of another object is one of the value', () => {
  const values = VALUES.replace('us-east-1a', 'us-east-1A').replace('[on-demand]', '[On-Demand]');
  const [found] = ruled(findings(chart(values)), 'KARP-216');
  expect(placeOf(found)).toEqual(['app/values.yaml:1', 'zones[0]']);
  expect(found.fix).toMatchObject({ file: 'app/values.yaml', title: 'write zones[0]: us-east-1a' });
});

test('a text that the template puts in no quotes is found in the line of the template', () => {
  const template = POOLS.replace('spec:', '  labels: {}\nspec:').replace(
    'labels: {}',
    'labels:\n    release: {{ $.Values.release }}',
  );
  const [found] = ruled(
    findings(chart(`release: "2025"\n${VALUES}`, { files: { 'templates/pools.yaml': template } })),
    'KARP-100',
  );
  expect(placeOf(found)).toEqual(['app/templates/pools.yaml:8', undefined]);
});

test('a field that gets another name is in the line of the template, with one finding for all objects', () => {
  const services = `{{- range $name, $s := .Values.services }}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ $name }}}
spec:
  replicas: {{ $s.replicas }}
  selector: {matchLabels: {app: {{ $name }}}}
  template:
    metadata: {labels: {app: {{ $name }}}}
    spec: {containers: [{name: app, image: app, resources: {requests: {cpu: 1, memory: 1Gi}}}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: {{ $name }}}
spec:
  minAvailable: {{ $s.replicas }}
  selector: {matchLabels: {app: {{ $name }}}}
{{- end }}
`;
  const values = `${VALUES}services:\n  api:\n    replicas: 2\n  shop:\n    replicas: 3\n`;
  const found = ruled(findings(chart(values, { files: { 'templates/services.yaml': services } })), 'KARP-403');
  expect(found.map(placeOf)).toEqual([['app/templates/services.yaml:17', undefined]]);
  expect(found[0].message).toMatch(/; 1 more PodDisruptionBudget has this from the same template: (api|shop)$/);
  const whole = services.replace('minAvailable: {{ $s.replicas }}', 'minAvailable: {{ $s.minAvailable }}');
  const own = values.replace(/replicas: (\d)/g, 'replicas: $1\n    minAvailable: $1');
  const named = ruled(findings(chart(own, { files: { 'templates/services.yaml': whole } })), 'KARP-403');
  expect(named.map(({ location }) => location.file)).toEqual(['app/templates/services.yaml']);
});
