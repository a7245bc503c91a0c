import { inputOf } from '../../bench/mix-input';
import { manifestsOf, MIXES } from '../../bench/mixes';
import { Catalog } from '../../src/catalog';
import { schedule } from '../../src/scheduling';
import { readSession } from '../../src/validation';

test.each(MIXES.map((mix) => [mix.name, mix] as const))(
  'inputOf gives the solver the same input as the manifests of the mix "%s"',
  (_, mix) => {
    const catalog = Catalog.load();
    const read = readSession([{ path: 'mix.yaml', text: manifestsOf(mix, 60) }]).input;
    const plan = schedule(inputOf(mix, 60), catalog);
    expect(plan).toEqual(schedule(read, catalog));
    expect(plan.nodeClaims.length).toBeGreaterThan(0);
  },
);
