import { parseGoBool } from '../../src/model';

test.each<[unknown, boolean | undefined]>([
  [true, true], ['true', true], ['True', true], [1, true], ['t', true],
  [false, false], ['FALSE', false], ['0', false],
  ['yes', undefined], ['tRUE', undefined], ['', undefined], [undefined, undefined], [{}, undefined],
])('%j is read as Go reads it', (value, expected) => {
  expect(parseGoBool(value)).toBe(expected);
});
