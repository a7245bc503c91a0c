import { unknownKubernetesFields } from '../../src/contract';

function fieldsOf(spec: object, kind = 'Deployment', apiVersion = 'apps/v1'): string[] {
  return unknownKubernetesFields(apiVersion, kind, { apiVersion, kind, metadata: { name: 'web' }, spec }).map(
    ({ apiServer, remedy }) => `${apiServer}; ${remedy}`,
  );
}

const podFields = (pod: object) => fieldsOf({ template: { spec: pod } });

test('offers the nearest field of the same object', () => {
  expect(podFields({ nodeSelectr: {}, containers: [{ resources: { request: {} } }] })).toEqual([
    'unknown field "spec.template.spec.nodeSelectr"; write nodeSelector',
    'unknown field "spec.template.spec.containers[0].resources.request"; write requests',
  ]);
});

test('moves a field of the pod out of a container, and into the template', () => {
  expect(podFields({ containers: [{ tolerations: [] }] })).toEqual([
    'unknown field "spec.template.spec.containers[0].tolerations"; move it to spec.template.spec.tolerations',
  ]);
  expect(fieldsOf({ nodeSelector: {} })).toEqual([
    'unknown field "spec.nodeSelector"; move it to spec.template.spec.nodeSelector',
  ]);
  expect(fieldsOf({ restartPolicy: 'Never' }, 'CronJob', 'batch/v1')).toEqual([
    'unknown field "spec.restartPolicy"; move it to spec.jobTemplate.spec.template.spec.restartPolicy',
  ]);
});

test('moves a field into the only object that has it, unless it is written there already', () => {
  expect(podFields({ podAntiAffinity: {} })).toEqual([
    'unknown field "spec.template.spec.podAntiAffinity"; move it to spec.template.spec.affinity.podAntiAffinity',
  ]);
  const fixOf = (spec: object) => unknownKubernetesFields('v1', 'Pod', { spec })[0].fix;
  expect(fixOf({ podAffinity: { a: 1 } })?.edits).toEqual([
    { operation: 'set', path: ['spec', 'affinity', 'podAffinity'], value: { a: 1 }, isFirst: true },
    { operation: 'remove', path: ['spec', 'podAffinity'] },
  ]);
  expect(fixOf({ podAffinity: {}, affinity: { podAffinity: {} } })).toBeUndefined();
});

test('renames a field only if the name is a misspelling of another one', () => {
  const fixes = (field: string) =>
    unknownKubernetesFields('v1', 'Pod', { spec: { [field]: {} } }).map(({ remedy, fix }) => [remedy, fix?.safe]);
  expect(fixes('node_selector')).toEqual([['write nodeSelector', true]]);
  expect(fixes('hostAlias')).toEqual([['write hostAliases', true]]);
  expect(fixes('autoHeal')).toEqual([['remove it', undefined]]);
});

test('accepts any key in labels, selectors, requests and other maps', () => {
  const labels = { anything: 'x' };
  const container = { resources: { requests: { 'example.com/fuse': 1 } } };
  expect(
    fieldsOf({
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations: labels }, spec: { nodeSelector: labels, containers: [container] } },
    }),
  ).toEqual([]);
});

test('accepts fields that only an older or newer release has', () => {
  expect(podFields({ serviceAccount: 'x', workloadRef: {}, schedulingGroup: {}, resources: {} })).toEqual([]);
});

test('leaves out keys of a program that renders the manifest, and kinds without a list of fields', () => {
  expect(podFields({ $patch: 'delete', 'Fn::If': [], '{{ .Values.x }}': 1 })).toEqual([]);
  expect(fieldsOf({ anything: 1 }, 'Rollout', 'argoproj.io/v1alpha1')).toEqual([]);
  expect(fieldsOf({ anything: 1 }, 'Deployment', 'extensions/v1beta1')).toEqual([]);
});

test('reports a field beside the spec only if it is misspelt, because others hold YAML anchors', () => {
  const problems = unknownKubernetesFields('v1', 'Pod', { metdata: {}, common: {}, spec: {} });
  expect(problems.map(({ remedy }) => remedy)).toEqual(['write metadata']);
});

test('does not look into values of another type than the field has', () => {
  expect(podFields({ containers: { name: 'main' }, affinity: [], volumes: 'none' })).toEqual([]);
});
