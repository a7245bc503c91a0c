import * as fc from 'fast-check';
import loadHighs from 'highs';
import { cheapestFleet } from './exhaustive';
import { programOf, smallCases, zoneCases } from './programs';
import { provenBound } from '../../../src/scheduling/cost/certificate';
import { CoveringProgram, dualValues } from '../../../src/scheduling/cost/simplex';

const row = (needed: bigint, ...provided: number[]) => ({ needed, provided: Float64Array.from(provided) });
const boundOf = (program: CoveringProgram) => provenBound(program, dualValues(program));

describe('the bound of a covering program', () => {
  test('is the cheapest way to cover one row', () => {
    // 12 units at 4 for $0.20, or at 3 for $0.12.
    expect(boundOf({ prices: [0.2, 0.12], rows: [row(12n, 4, 3)] })).toBeCloseTo(0.48, 7);
  });

  test('weighs rows against each other', () => {
    // One node of each kind covers both rows exactly; either kind alone needs two.
    const program = { prices: [0.1, 0.1], rows: [row(3n, 2, 1), row(3n, 1, 2)] };
    expect(boundOf(program)).toBeCloseTo(0.2, 7);
  });

  test('adds up rows that share no column', () => {
    expect(boundOf({ prices: [0.5, 3], rows: [row(4n, 2, 0), row(3n, 0, 1)] })).toBeCloseTo(10, 7);
  });

  test('is never above the cheapest fleet of small cases', () => {
    fc.assert(
      fc.property(smallCases, (small) => {
        const { demand, options, existing } = small;
        expect(boundOf(programOf(small))).toBeLessThanOrEqual(cheapestFleet(demand, options, existing) + 1e-9);
      }),
      { numRuns: 2_000, seed: 1 },
    );
  });

  test('is never above the cheapest fleet of small cases that keeps rules over zones', () => {
    let raised = 0;
    fc.assert(
      fc.property(zoneCases, (small) => {
        const { demand, options, existing, zoned } = small;
        const bound = boundOf(programOf(small));
        expect(bound).toBeLessThanOrEqual(cheapestFleet(demand, options, existing, zoned) + 1e-9);
        if (bound > boundOf(programOf({ demand, options, existing })) + 1e-6) raised++;
      }),
      { numRuns: 1_000, seed: 3 },
    );
    expect(raised).toBeGreaterThan(50);
  });

  test('is the optimum that another solver finds', async () => {
    const highs = await loadHighs();
    fc.assert(
      fc.property(smallCases, (small) => {
        const program = programOf(small);
        // A row that no node covers is left out of the bound, and infeasible for the other solver.
        fc.pre(program.rows.length > 0);
        expect(boundOf(program)).toBeCloseTo(highs.solve(lpText(program)).ObjectiveValue, 6);
      }),
      { numRuns: 200, seed: 2 },
    );
  });
});

describe('the certificate', () => {
  const program = { prices: [0.1, 0.25], rows: [row(10n, 2, 6), row(7n, 1, 3)] };

  test('does not accept values that make a node worth more than its price', () => {
    expect(provenBound(program, Float64Array.from([0.06, 0]))).toBe(0);
  });

  test('accepts any values that do not, whatever they are', () => {
    expect(provenBound(program, Float64Array.from([0.01, 0.02]))).toBeCloseTo(0.24, 7);
  });

  test('removes rounding errors of the values', () => {
    const exact = dualValues(program);
    const above = exact.map((value) => value * (1 + 1e-13));
    expect(provenBound(program, above)).toBeLessThanOrEqual(provenBound(program, exact) + 1e-8);
    expect(provenBound(program, above)).toBeGreaterThan(0);
  });

  test('counts no negative and no undefined value', () => {
    expect(provenBound(program, Float64Array.from([-1, NaN]))).toBe(0);
  });
});

/** In the format of CPLEX. */
function lpText({ prices, rows }: CoveringProgram): string {
  const sum = (factors: Iterable<number>) => [...factors].map((factor, column) => `${factor} x${column}`).join(' + ');
  return [
    'Minimize',
    ` obj: ${sum(prices)}`,
    'Subject To',
    ...rows.map(({ needed, provided }, index) => ` r${index}: ${sum(provided)} >= ${needed}`),
    'End',
  ].join('\n');
}
