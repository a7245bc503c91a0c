import { parseYaml } from '../../../src/model';

test('writes no warning with text of the input, such as that of a key that is a map', () => {
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
  expect(parseYaml('{{ .secret }}: 1')).toEqual({ '{ ? { .secret } }': 1 });
  expect(warn).not.toHaveBeenCalled();
});

test('throws for text that is no YAML', () => {
  expect(() => parseYaml('a: [')).toThrow('Flow sequence');
});
