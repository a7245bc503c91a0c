import { countSuite } from './count';

const log = jest.spyOn(console, 'log').mockImplementation();

test('gets the modules of the suite before, without what that suite left in the process', () => {
  expect(countSuite()).toBe(2);
  expect([process.env.LEFT_BEHIND, Reflect.get(globalThis, 'leftBehind')]).toEqual([undefined, undefined]);
  expect(process.cwd()).not.toBe('/');
  console.log('not shown');
  expect(log).toHaveBeenCalledTimes(1);
});
