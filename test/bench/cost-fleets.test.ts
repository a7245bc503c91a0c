import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { costFleet } from '../../bench/cost-fleets';
import { check, SourceFile } from '../../src/validation';

const HOW_TO = join(__dirname, '../../examples/how-to');

function yamlFilesOf(folder: string): SourceFile[] {
  return readdirSync(join(HOW_TO, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(HOW_TO, folder, path), 'utf8') }));
}

function prices(sources: readonly SourceFile[]) {
  const { bestFound, lowerBoundUsdPerHour, usdPerHour } = check(sources, { searchesFleet: true }).summary.cost;
  return { bound: lowerBoundUsdPerHour, best: bestFound?.usdPerHour, plan: usdPerHour };
}

describe('the lower bound is at most the best fleet found, which is at most the plan', () => {
  test.each([1, 2])('for generated fleet %i, whose best is at most 13% above the bound', (seed) => {
    const { bound, best, plan } = prices(costFleet(seed).sources);
    expect(best!).toBeLessThanOrEqual(plan!);
    expect(best!).toBeGreaterThanOrEqual(bound!);
    expect(best! / bound!).toBeLessThan(1.13);
  });

  test.each(readdirSync(HOW_TO).filter((folder) => yamlFilesOf(folder).length > 0))('for the example %s', (folder) => {
    const { bound, best, plan } = prices(yamlFilesOf(folder));
    if (best === undefined) return;
    expect(best).toBeLessThanOrEqual(plan!);
    expect(best).toBeGreaterThanOrEqual(bound!);
  });
});

test('the same seed gives the same fleet', () => {
  expect(costFleet(7)).toEqual(costFleet(7));
  expect(costFleet(7)).not.toEqual(costFleet(8));
});
