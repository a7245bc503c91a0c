import { showsColors, showsOnlyAscii } from '../../../src/cli/standard-streams';

test.each<[NodeJS.ProcessEnv, boolean]>([
  [{ LANG: 'en_US.UTF-8' }, false],
  [{ LANG: 'C.utf8' }, false],
  [{ LANG: 'en_US.UTF-8', LC_CTYPE: 'C' }, true],
  [{ LANG: 'C', LC_CTYPE: 'C', LC_ALL: 'C.UTF-8' }, false],
  [{ LANG: 'en_US.UTF-8', LC_ALL: '' }, false],
  [{ LANG: 'en_US.ISO-8859-1' }, true],
  [{}, true],
  [{ LANG: 'en_US.UTF-8', TERM: 'dumb' }, true],
])('decides by the locale and TERM whether a terminal shows only ASCII: %j', (environment, expected) => {
  expect(showsOnlyAscii(environment, 'linux')).toBe(expected);
});

test('expects more than ASCII from terminals of Windows', () => {
  expect(showsOnlyAscii({}, 'win32')).toBe(false);
});

test.each<[NodeJS.ProcessEnv, boolean]>([
  [{}, true],
  [{ NO_COLOR: '' }, true],
  [{ NO_COLOR: '1' }, false],
  [{ TERM: 'dumb' }, false],
])('decides by NO_COLOR and TERM whether a terminal shows colors: %j', (environment, expected) =>
  expect(showsColors(environment)).toBe(expected),
);
