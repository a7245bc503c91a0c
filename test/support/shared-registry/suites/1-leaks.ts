import { countSuite } from './count';

process.env.LEFT_BEHIND = 'yes';
Object.assign(globalThis, { leftBehind: true });
process.chdir('/');

test('is the first suite', () => {
  expect(countSuite()).toBe(1);
});
