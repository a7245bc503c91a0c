import { check, rootsOf } from '../../../../src/validation';
import { withOthersMarked } from '../../../../src/validation/manifest/source/roots/files-of-others';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../setup';

const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n').replace('[on-demand]', '[spot]');
const WEB = deployment('web', 1, SMALL, '      terminationGracePeriodSeconds: 1200\n');
const SHORT = deployment('web', 1, SMALL);

function severities(path: string, text = WEB) {
  const [root] = rootsOf([
    { path: 'demo/infra/pools.yaml', text: POOLS, isFound: true },
    { path: `demo/${path}`, text, isFound: true },
  ]);
  return check(root.sources).findings.flatMap(({ rule, severity }) =>
    ['KARP-401', 'KARP-513'].includes(rule) ? [`${rule} ${severity}`] : [],
  );
}

describe('advice for production', () => {
  test.each([
    'samples/web.yaml',
    'demo-app/web.yaml',
    'istio/samples/sleep/sleep.yaml',
    'istio-1.23.0/sleep.yaml',
    'third_party/web.yaml',
    'operator/rendered/operator.yaml',
    'flux-system/gotk-components.yaml',
    'keda/keda-2.15.1.yaml',
    'examples/web.yaml',
    'karpenter-workshop/web.yaml',
  ])('is a note in %s', (path) => {
    expect(severities(path).sort()).toEqual(['KARP-401 info', 'KARP-513 info']);
  });

  test.each(['apps/web.yaml', 'example.com/web.yaml', 'democracy/web.yaml', 'flux-system/web.yaml'])(
    'is a warning or an error in %s, whatever the name of the folder around all files',
    (path) => {
      expect(severities(path)).toEqual(['KARP-513 error']);
      expect(severities(path, SHORT)).toEqual(['KARP-401 warning']);
    },
  );

  test.each([
    ['rendered from a chart', `# Source: web/templates/deployment.yaml\n${WEB}`],
    [
      'with the label of a chart',
      WEB.replace('{ name: web }', '\n  name: web\n  labels:\n    helm.sh/chart: web-1.2.3'),
    ],
    [
      'released with its CRDs',
      `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: a }\n---\n${WEB}`,
    ],
  ])('is a note in a file %s', (_, text) => {
    expect(severities('apps/web.yaml', text).sort()).toEqual(['KARP-401 info', 'KARP-513 info']);
  });

  test.each([
    ['a demonstration', SHORT.replace('name: main,', 'name: main, image: kennethreitz/httpbin,')],
    ['a template whose name a script replaces', SHORT.replaceAll('name: web', 'name: web-INSTANCE_TYPE')],
    ['a template with a placeholder as its name', SHORT.replaceAll('name: web', 'name: "web-${APP}"')],
  ])('is a note about %s', (_, text) => {
    expect(severities('apps/web.yaml', text)).toContain('KARP-401 info');
  });
});

test.each(['old/web.yaml', 'web.old.yaml', 'deprecated-apps/web.yaml', '02-cluster-orig/web.yaml'])(
  'all findings are notes in %s, which is left over',
  (path) => {
    const invalid = SHORT.replace('replicas: 1', 'replicas: none');
    const [root] = rootsOf([
      { path: 'infra/pools.yaml', text: POOLS, isFound: true },
      { path, text: invalid, isFound: true },
    ]);
    const severitiesOf = check(root.sources)
      .findings.filter(({ location: { file } }) => file === path)
      .map(({ severity }) => severity);
    expect(new Set(severitiesOf)).toEqual(new Set(['info']));
  },
);

test('marks a folder whose images only a workstation has, beside one with images in ECR', () => {
  const file = (path: string, image: string, policy = 'IfNotPresent') => ({
    path,
    text: `kind: Deployment\n        - image: ${image}\n          imagePullPolicy: ${policy}\n`,
    isFound: true,
  });
  const ecr = file('eks/web.yaml', '1.dkr.ecr.us-east-1.amazonaws.com/shop-web:1');
  const marked = (...files: ReturnType<typeof file>[]) =>
    withOthersMarked(files, '.')
      .filter(({ isOfOthers }) => isOfOthers)
      .map(({ path }) => path);
  const local = [file('k8s/web/a.yaml', 'shop-web:latest'), file('k8s/redis.yaml', 'redis:7', 'Always')];
  expect(marked(ecr, ...local)).toEqual(['k8s/web/a.yaml', 'k8s/redis.yaml']);
  expect(marked(...local)).toEqual([]);
  expect(marked(ecr, file('eks/api.yaml', 'shop-api:latest'), file('other/db.yaml', 'postgres:16'))).toEqual([]);
});
