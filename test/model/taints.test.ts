import {
  firstUntolerated,
  formatTaint,
  Taint,
  Toleration,
  tolerates,
  untolerated,
  untoleratedError,
} from '../../src/model';

const gpu: Taint = { key: 'nvidia.com/gpu', value: 'true', effect: 'NoSchedule' };
const rank: Taint = { key: 'rank', value: '5', effect: 'NoExecute' };
const soft: Taint = { key: 'soft', effect: 'PreferNoSchedule' };

describe('tolerates', () => {
  test.each<[string, Toleration, Taint, boolean]>([
    [
      'key, value and effect that match',
      { key: 'nvidia.com/gpu', operator: 'Equal', value: 'true', effect: 'NoSchedule' },
      gpu,
      true,
    ],
    ['no operator, which means Equal', { key: 'nvidia.com/gpu', value: 'true' }, gpu, true],
    ['an empty effect, which matches all', { key: 'nvidia.com/gpu', value: 'true', effect: '' }, gpu, true],
    ['another value', { key: 'nvidia.com/gpu', value: 'false' }, gpu, false],
    ['another effect', { key: 'nvidia.com/gpu', value: 'true', effect: 'NoExecute' }, gpu, false],
    ['another key', { key: 'amd.com/gpu', operator: 'Exists' }, gpu, false],
    ['Exists, which matches all values', { key: 'nvidia.com/gpu', operator: 'Exists' }, gpu, true],
    ['Exists without a key, which matches everything', { operator: 'Exists' }, gpu, true],
    ['Exists without a key but another effect', { operator: 'Exists', effect: 'NoExecute' }, gpu, false],
    ['Equal without a key but the right value', { value: 'true' }, gpu, true],
    ['a toleration without value and a taint without value', { key: 'soft' }, soft, true],
    ['an unknown operator', { key: 'soft', operator: 'exists' }, soft, false],
    ['a taint value above that of Gt', { key: 'rank', operator: 'Gt', value: '4' }, rank, true],
    ['a taint value equal to that of Gt', { key: 'rank', operator: 'Gt', value: '5' }, rank, false],
    ['a taint value below that of Lt', { key: 'rank', operator: 'Lt', value: '6' }, rank, true],
    ['a taint value equal to that of Lt', { key: 'rank', operator: 'Lt', value: '5' }, rank, false],
    ['Lt with a negative number', { key: 'rank', operator: 'Gt', value: '-1' }, rank, true],
    ['Gt with a value that has a leading zero', { key: 'rank', operator: 'Gt', value: '04' }, rank, false],
    ['Gt with a plus sign', { key: 'rank', operator: 'Gt', value: '+4' }, rank, false],
    ['Gt beyond 64 bits', { key: 'rank', operator: 'Lt', value: '9223372036854775808' }, rank, false],
    ['Gt with a taint value that is not a number', { key: 'nvidia.com/gpu', operator: 'Gt', value: '1' }, gpu, false],
  ])('judges %s', (_, toleration, taint, expected) => {
    expect(tolerates(toleration, taint)).toBe(expected);
  });
});

describe('untolerated', () => {
  test('keeps the order, and includes PreferNoSchedule taints', () => {
    expect(untolerated([gpu, rank, soft], [{ key: 'rank', operator: 'Exists' }])).toEqual([gpu, soft]);
    expect(firstUntolerated([rank, gpu, soft], [{ key: 'rank', operator: 'Exists' }])).toBe(gpu);
  });

  test('is empty if every taint is tolerated', () => {
    expect(untolerated([gpu, soft], [{ key: 'soft' }, { operator: 'Exists', effect: 'NoSchedule' }])).toEqual([]);
    expect(firstUntolerated([], [])).toBeUndefined();
  });

  test('untoleratedError words taints like Karpenter', () => {
    expect(untoleratedError(gpu)).toBe('did not tolerate taint (taint=nvidia.com/gpu=true:NoSchedule)');
    expect(untoleratedError(gpu, soft)).toBe(
      'did not tolerate taint (taint=nvidia.com/gpu=true:NoSchedule); did not tolerate taint (taint=soft:PreferNoSchedule)',
    );
  });

  test('formatTaint prints no equals sign without a value', () => {
    expect(formatTaint(soft)).toBe('soft:PreferNoSchedule');
    expect(formatTaint({ ...soft, value: '' })).toBe('soft:PreferNoSchedule');
  });
});
