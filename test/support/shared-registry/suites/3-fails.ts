interface Compiled {
  readonly away: true;
}

test('names the line of the source', () => {
  const compiled = {} as Compiled;
  expect(compiled.away).toBe(true); // line 7
});

test('has no mock of an earlier suite', () => {
  expect(jest.isMockFunction).toBeUndefined();
  expect('mock' in console.log).toBe(false);
});
