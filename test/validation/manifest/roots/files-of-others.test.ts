import { check, rootsOf } from '../../../../src/validation';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../setup';

const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n').replace('[on-demand]', '[spot]');
const WEB = deployment('web', 1, SMALL, '      terminationGracePeriodSeconds: 1200\n');

function severities(path: string) {
  const [root] = rootsOf([
    { path: 'demo/infra/pools.yaml', text: POOLS, isFound: true },
    { path: `demo/${path}`, text: WEB, isFound: true },
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
  ])('is a note in %s', (path) => {
    expect(severities(path).sort()).toEqual(['KARP-401 info', 'KARP-513 info']);
  });

  test.each(['apps/web.yaml', 'examples/web.yaml', 'democracy/web.yaml', 'flux-system/web.yaml'])(
    'is a warning or an error in %s, whatever the name of the folder around all files',
    (path) => {
      expect(severities(path).sort()).toEqual(['KARP-401 warning', 'KARP-513 error']);
    },
  );
});
