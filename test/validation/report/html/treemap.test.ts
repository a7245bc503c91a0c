import fc from 'fast-check';
import { squarified } from '../../../../src/validation/report/html/treemap';

const AREA = { x: 10, y: 20, width: 600, height: 400 };
const weights = fc
  .array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 60 })
  .map((list) => list.sort((a, b) => b - a));

test('areas are in proportion to the weights', () => {
  fc.assert(
    fc.property(weights, (list) => {
      const sum = list.reduce((total, weight) => total + weight, 0);
      squarified(list, AREA).forEach(({ width, height }, index) =>
        expect(width * height).toBeCloseTo((AREA.width * AREA.height * list[index]) / sum, 3),
      );
    }),
  );
});

test('no rectangle leaves the area', () => {
  fc.assert(
    fc.property(weights, (list) => {
      for (const { x, y, width, height } of squarified(list, AREA)) {
        expect(x).toBeGreaterThanOrEqual(AREA.x - 1e-6);
        expect(y).toBeGreaterThanOrEqual(AREA.y - 1e-6);
        expect(x + width).toBeLessThanOrEqual(AREA.x + AREA.width + 1e-6);
        expect(y + height).toBeLessThanOrEqual(AREA.y + AREA.height + 1e-6);
      }
    }),
  );
});

test('equal weights give nearly square rectangles', () => {
  for (const { width, height } of squarified(
    Array.from({ length: 24 }, () => 1),
    AREA,
  )) {
    expect(Math.max(width / height, height / width)).toBeLessThan(1.6);
  }
});
