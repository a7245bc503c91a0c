import { claimMissing } from '../../../../src/validation/rules/storage/claim-missing';
import { judge } from '../judge';

const rule = claimMissing;
const claim = (name: string, namespace?: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace },
    spec: { resources: { requests: { storage: '1Gi' } } },
  });
const pod = (claimName: string, namespace?: string, name = 'web') =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace },
    spec: { containers: [{ name: 'main' }], volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] },
  });

describe('KARP-828 claim-missing', () => {
  test('reports a name that is almost that of a claim that no pod mounts', () => {
    const { findings } = judge(rule, [pod('web-dat'), claim('web-data')]);
    expect(findings).toMatchObject([
      {
        path: ['spec', 'volumes', 0, 'persistentVolumeClaim', 'claimName'],
        remedy: 'write web-data instead of web-dat',
        evidence: { nearest: 'web-data' },
      },
    ]);
  });

  test('reports a claim in another namespace, if both are written', () => {
    const { findings } = judge(rule, [pod('data', 'shop'), claim('data', 'default')]);
    expect(findings[0].message).toContain('which namespace shop does not have, but namespace default');
    expect(findings[0].also).toMatchObject([{ object: { name: 'data' } }]);
    expect(judge(rule, [pod('data', 'shop'), claim('data')]).states).toEqual(['not-evaluated Pod/web']);
  });

  test('does not evaluate claims that others mount, numbered ones, and those of other sources', () => {
    const states = (...documents: string[]) => judge(rule, documents).states[0];
    expect(states(pod('data-a'), pod('data-b', undefined, 'api'), claim('data-b'))).toBe('not-evaluated Pod/web');
    expect(states(pod('data-1'), claim('data-2'))).toBe('not-evaluated Pod/web');
    expect(states(pod('other'))).toBe('not-evaluated Pod/web');
    expect(states(pod('data'), claim('data'))).toBe('pass Pod/web');
  });
});
