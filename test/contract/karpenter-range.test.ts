import { newestReleaseIn } from '../../src/contract';

describe('the newest release of a range', () => {
  test.each([
    ['1.9.*', '1.9.3'],
    ['1.9.x', '1.9.3'],
    ['~1.8', '1.8.6'],
    ['~1.8.2', '1.8.6'],
    ['~> 1.8', '1.8.6'],
    ['>=1.0 <2', '1.15.1'],
    ['>= 1.0.0, < 1.3.0', '1.2.0'],
    ['^1.3.0', '1.15.1'],
    ['^0.32.1', '0.32.1'],
    ['0.37.x', '0.37.0'],
    ['1.x', '1.15.1'],
    ['*', '1.15.1'],
    ['1.0.0 - 1.3', '1.3.3'],
    ['<1.1 || ~0.35', '1.0.8'],
    ['!=1.15.1, 1.x', '1.14.0'],
    ['>1.13', '1.15.1'],
    ['v1.9', '1.9.3'],
  ])('%s is %s', (range, release) => {
    expect(newestReleaseIn(range)).toBe(release);
  });

  test.each(['', 'main', '>=2', 'HEAD', '1.9.3-rc.1', '${VERSION}', '>=1.0 foo', '1.2.3.4', '>'.repeat(10_000)])(
    'is unknown for %p',
    (range) => {
      expect(newestReleaseIn(range)).toBeUndefined();
    },
  );
});
