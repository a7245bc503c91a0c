/**
 * Asks for modules of its own.
 *
 * @jest-environment node
 */
import { countSuite } from './count';

jest.mock('node:os', () => ({ tmpdir: () => 'mocked' }));

test('is the first suite in its own registry, where modules can be mocked', async () => {
  expect(countSuite()).toBe(1);
  expect((await import('node:os')).tmpdir()).toBe('mocked');
});
