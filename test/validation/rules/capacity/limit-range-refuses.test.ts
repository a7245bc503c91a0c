import { limitRangeRefuses } from '../../../../src/validation/rules/capacity/limit-range-refuses';
import { judge, manifest } from '../judge';

const rule = limitRangeRefuses;
const range = (limits: object) => manifest('v1', 'LimitRange', 'team', { limits: [limits] }, { namespace: 'shop' });
const pod = (...containers: object[]) => {
  const spec = { containers: containers.map((resources, index) => ({ name: `c${index}`, resources })) };
  return manifest('v1', 'Pod', 'web', spec, { namespace: 'shop' });
};

describe('KARP-336 limit-range-refuses', () => {
  test('reports pods whose containers together have more than the max of pods', () => {
    const web = pod({ limits: { memory: '2Gi' } }, { requests: { memory: '1Gi' }, limits: { memory: '3Gi' } });
    const [finding] = judge(rule, [range({ type: 'Pod', max: { memory: '4Gi' } }), web]).findings;
    expect(finding).toMatchObject({
      path: ['spec', 'limits', 0, 'max', 'memory'],
      message: 'allows memory of 4Gi for each pod, and Pod web has up to 5Gi: the API server refuses the pods',
      remedy: 'raise max.memory to 5Gi, or ask for less',
    });
    expect(judge(rule, [range({ type: 'Pod', max: { memory: '5Gi' } }), web]).findings).toEqual([]);
  });

  test('reports claims above the max of claims', () => {
    const claim = manifest(
      'v1',
      'PersistentVolumeClaim',
      'data',
      { resources: { requests: { storage: '100Gi' } } },
      { namespace: 'shop' },
    );
    const most = (storage: string) =>
      judge(rule, [range({ type: 'PersistentVolumeClaim', max: { storage } }), claim]).findings;
    expect(most('50Gi')[0].message).toContain('PersistentVolumeClaim data has up to 100Gi');
    expect(most('100Gi')).toEqual([]);
  });

  test('reports a limit that is too far above its request', () => {
    const web = pod({ requests: { cpu: '500m' }, limits: { cpu: '2' } });
    const ratio = (cpu: string) =>
      judge(rule, [range({ type: 'Container', maxLimitRequestRatio: { cpu } }), web]).findings.map(
        ({ remedy }) => remedy,
      );
    expect(ratio('2')).toEqual(['request 1 or more, lower the limit, or raise the ratio']);
    expect(ratio('4')).toEqual([]);
  });

  test('ignores pods of other namespaces', () => {
    const other = manifest('v1', 'Pod', 'web', {
      containers: [{ name: 'c', resources: { limits: { memory: '9Gi' } } }],
    });
    expect(judge(rule, [range({ type: 'Pod', max: { memory: '4Gi' } }), other]).states).toEqual([
      'pass LimitRange/team',
    ]);
  });
});
