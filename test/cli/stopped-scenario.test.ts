/**
 * Mocks a module.
 *
 * @jest-environment node
 */
import { run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

jest.mock('../../src/disruption/scenario/work-budget', () => ({
  ...jest.requireActual<object>('../../src/disruption/scenario/work-budget'),
  MAX_WORK: 0,
}));

test('check --scenario exits with 1 and says how far it came if a simulation is too much work', async () => {
  const { code, out } = await run(
    ['check', '-', '--scenario', 'consolidation'],
    [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n'),
  );
  expect(code).toBe(1);
  expect(out).toContain('consolidation: 1 node, not done after 0 s');
  expect(out.replace(/\n +/g, ' ')).toContain(
    'consolidation after the first 0 s: with 1 node the simulation is too much work, and stopped there',
  );
});
