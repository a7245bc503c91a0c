import { Quantity } from '../../src/model';

/** The remedy in the error message. */
function remedyFor(text: string): string {
  try {
    Quantity.parse(text);
  } catch (error) {
    return (error as Error).message.split('; ')[1];
  }
  return 'accepted';
}

describe('suggestQuantity', () => {
  test.each([
    ['1O0m', '100m'],
    ['l0m', '10m'],
    ['5OOMi', '500Mi'],
    ['5GB', '5G or 5Gi'],
    ['5gb', '5G or 5Gi'],
    ['512MB', '512M or 512Mi'],
    ['1K', '1k or 1Ki'],
    ['1g', '1G or 1Gi'],
    ['2t', '2T or 2Ti'],
    ['5GiB', '5Gi'],
    ['512mi', '512Mi'],
    ['512MI', '512Mi'],
    ['1ki', '1Ki'],
    ['100Mib', '100Mi'],
    ['1 Gi', '1Gi'],
    ['1,5', '1.5'],
    ['1,000,000', '1000000'],
    ['1_000', '1000'],
    ['0,5Gi', '0.5Gi'],
    ['2 cores', '2'],
    ['500millicores', '500m'],
    ['2cpu', '2'],
    ['1024bytes', '1024'],
    ['5 GB', '5G or 5Gi'],
  ])('suggests for %s: write %s', (text, expected) => {
    expect(remedyFor(text)).toBe(`write ${expected}`);
  });

  test.each(['lots', 'Mi', '-', '1.1.M', '1ii', '5ZB'])('suggests the valid suffixes for %s', (text) => {
    expect(remedyFor(text)).toBe(
      'write a number with one of the suffixes n u m k M G T P E Ki Mi Gi Ti Pi Ei, as in 500m or 2Gi',
    );
  });
});
