import { withSameFactOnce } from '../../../../src/validation/report/text/same-fact';
import { Finding } from '../../../../src/validation/vocabulary/verdict';

function finding(rule: string, severity: Finding['severity'], kind: string, message: string): Finding {
  return {
    rule,
    name: rule,
    severity,
    subject: { apiVersion: 'v1', kind, namespace: '', name: kind === '' ? '' : 'default' },
    location: { file: 'base.yaml', line: 5, column: 1, path: 'spec' },
    message,
    remedy: '',
    evidence: {},
  };
}

const messages = (...found: Finding[]) =>
  withSameFactOnce(
    found,
    found.map((one) => [one]),
  ).map(({ message }) => message);

test('a warning about a NodePool is one finding, whatever the workload of each root is', () => {
  const pool = (workload: string) => finding('KARP-421', 'warning', 'NodePool', `its pods of ${workload}: start late`);
  expect(messages(pool('a'), pool('b'))).toEqual(['its pods of a: start late; 1 more root has this finding']);
});

test('a mistake of a base is one finding for all overlays', () => {
  const refused = (overlay: string, why: string) =>
    finding('KARP-001', 'error', '', `kustomize refuses to build overlays/${overlay}: ${why}`);
  expect(messages(refused('dev', 'no such file'), refused('prod', 'no such file'), refused('prod', 'other'))).toEqual([
    'kustomize refuses to build overlays/dev: no such file; 1 more root has this finding',
    'kustomize refuses to build overlays/prod: other',
  ]);
});

test('a warning about a template is one finding for all releases of its chart', () => {
  const ofRelease = (name: string, nodes: number) => {
    const warning = finding('KARP-414', 'warning', 'Deployment', `2 pods on one of ${nodes} nodes`);
    return {
      ...warning,
      subject: { ...warning.subject, name },
      location: { ...warning.location, file: 'web/templates/web.yaml (helm template)' },
    };
  };
  expect(messages(ofRelease('a', 1), ofRelease('b', 2), ofRelease('c', 3))).toEqual([
    '2 pods on one of 1 nodes; 2 more roots have this finding',
  ]);
});

test('different errors about an object of one root are several findings', () => {
  const error = (why: string) => finding('KARP-100', 'error', 'Deployment', `replicas: ${why}`);
  expect(messages(error('1'), error('2'))).toHaveLength(2);
});

describe('an error whose message ends in the pods that wait for it', () => {
  const waiting = (kind: string, message: string, waitingPods: number) => ({
    ...finding('KARP-101', 'error', kind, message),
    evidence: { waitingPods },
  });

  test.each(['Provisioner', 'AWSNodeTemplate', 'NodePool', 'PersistentVolumeClaim'])(
    'is one finding with the most pods for a %s',
    (kind) => {
      const [one, two] = [
        waiting(kind, 'it is removed; 1 pod of Deployment default/a waits for it', 1),
        waiting(kind, 'it is removed; 30 pods of 4 workloads wait for it', 30),
      ];
      expect(messages(one, finding('KARP-101', 'error', kind, 'it is removed'), two)).toEqual([
        'it is removed; 30 pods of 4 workloads wait for it; 2 more roots have this finding',
      ]);
    },
  );

  test('is one finding if the same change lets the pods fit', () => {
    const alike = (pods: number) =>
      waiting('Deployment', `no; the same change lets ${pods} pods of 2 workloads fit`, pods);
    expect(messages(alike(2), alike(7))).toEqual([
      'no; the same change lets 7 pods of 2 workloads fit; 1 more root has this finding',
    ]);
  });
});
