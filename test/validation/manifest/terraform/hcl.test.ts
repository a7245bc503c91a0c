import { Evaluator } from '../../../../src/validation/manifest/source/terraform/hcl/evaluate';
import { parseHcl } from '../../../../src/validation/manifest/source/terraform/hcl/parser';
import { bodyAttribute } from '../../../../src/validation/manifest/source/terraform/hcl/syntax';
import {
  TerraformFolder,
  parsedTerraform,
} from '../../../../src/validation/manifest/source/terraform/terraform-folder';

/** The value of `x` in a file, with its locals and variables. */
function valueOf(expression: string, others = ''): unknown {
  const file = parsedTerraform('main.tf', `provider "aws" {}\n${others}\nx = ${expression}\n`)!;
  const value = new Evaluator(new TerraformFolder([file])).valueOf({
    expression: bodyAttribute(file.body, 'x')!,
    text: file.text,
  });
  return JSON.parse(JSON.stringify(value));
}

describe('literal values of HCL', () => {
  test.each<[string, unknown]>([
    ['"a\\n\\"b\\" \\u00e9 $${c} %%{d}"', 'a\n"b" é ${c} %{d}'],
    ['-1.5e3', -1500],
    ['true', true],
    ['[1, "a", # one\n  [], /* two */ ]', [1, 'a', []]],
    ['{ a = 1, "b c": 2\n  d = { e : [3] } // f\n}', { a: 1, 'b c': 2, d: { e: [3] } }],
    ['<<EOT\n  a\n b\nEOT', '  a\n b\n'],
    ['<<-EOT\n    a\n      b: ${"c"}\n  EOT', 'a\n  b: c\n'],
    ['merge({ a = 1, b = 2 }, { b = 3 })', { a: 1, b: 3 }],
    ['concat([1], [2])', [1, 2]],
    ['toset(["a"])', ['a']],
    ['jsonencode({ a = [1] })', '{"a":[1]}'],
    ['"${upper("a")}-${lower("B")}"', 'A-b'],
  ])('%s', (expression, expected) => {
    expect(valueOf(expression)).toEqual(expected);
  });

  test.each<[string, unknown]>([
    ['var.name', '${var.name}'],
    ['"a-${module.eks.name}-b"', 'a-${module.eks.name}-b'],
    ['a ? [1] : { b = "}" }', '${a ? [1] :  b =}'],
    ['[for k in var.a : k]', '${[for k in var.a : k]}'],
    ['{ for k, v in var.a : k => v }', '${for k, v in var.a : k => v}'],
    ['data.x.y[0].z', '${data.x.y[0].z}'],
    ['1 + 2', '${1 + 2}'],
    ['merge(local.a, { b = 1 })', '${merge(local.a,  b = 1 )}'],
    ['file("/etc/passwd")', '${file(/etc/passwd)}'],
    ['templatefile("x", {})', '${templatefile(x, )}'],
    ['{ a = var.a }', { a: '${var.a}' }],
    ['"%{ if a }b%{ endif }"', '${if a}b${endif}'],
  ])('%s has a placeholder', (expression, expected) => {
    expect(valueOf(expression)).toEqual(expected);
  });
});

describe('names', () => {
  test('of locals and variables have their literal values', () => {
    const others = `locals {
  region = var.region
  tags   = { team = "shop", more = { zone = "\${local.region}a" } }
}
variable "region" { default = "eu-west-1" }
variable "unset" { type = string }`;
    expect(valueOf('[local.region, local.tags.team, local.tags.more.zone, var.unset, local.tags.no]', others)).toEqual([
      'eu-west-1',
      'shop',
      'eu-west-1a',
      '${var.unset}',
      '${local.tags.no}',
    ]);
  });

  test('that refer to each other end', () => {
    expect(valueOf('local.a', 'locals {\n a = local.b\n b = local.a\n}')).toMatch(/^\$\{local\.[ab]\}$/);
    expect(valueOf('local.a.x', 'locals {\n a = local.b\n b = local.a\n}')).toBe('${local.a.x}');
  });

  test('that double with each step end', () => {
    const all = Array.from({ length: 40 }, (_, i) => `a${i} = [local.a${i + 1}, local.a${i + 1}]`).join('\n');
    expect(JSON.stringify(valueOf('"${local.a0}"', `locals {\n${all}\n}`)).length).toBeLessThan(1e8);
  });

  const variable = parsedTerraform('vars.tf', 'variable "a" { default = "one" }\n')!;
  const provider = parsedTerraform('main.tf', 'provider "aws" {}\n')!;
  const auto = parsedTerraform('terraform.tfvars', 'a = "two"\n')!;
  test.each<[string, TerraformFolder, unknown]>([
    ['a default in a root module', new TerraformFolder([variable, provider]), 'one'],
    ['terraform.tfvars', new TerraformFolder([variable, auto]), 'two'],
    ['nothing in a module that others call', new TerraformFolder([variable]), undefined],
    [
      'nothing, if a variable file may be passed',
      new TerraformFolder([variable, provider], ['a = "three"\n']),
      undefined,
    ],
  ])('variables have %s', (_, folder, expected) => {
    const found = folder.lookUp(['var', 'a']);
    expect(found && new Evaluator(folder).valueOf(found)).toBe(expected);
  });
});

describe('texts that are not HCL', () => {
  test.each([
    ['a text without end', 'a = "b'],
    ['a block without end', 'a {'],
    ['a comment without end', '/* a'],
    ['a here-document without end', 'a = <<EOT\nb\n'],
    ['YAML', 'a: b\n'],
    ['many brackets', `a = ${'['.repeat(5000)}`],
    ['many closed brackets', `a = ${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['many blocks', 'a {\n'.repeat(5000)],
    ['many templates', `a = ${'"${'.repeat(5000)}`],
    ['no value', 'a =\n'],
  ])('%s are refused', (_, text) => {
    expect(() => parseHcl(text)).toThrow();
    expect(parsedTerraform('main.tf', text)).toBeUndefined();
  });

  test('are read in linear time', () => {
    const text = `a = [${'{ b = "${c ? "d" : e}" }, '.repeat(20_000)}]\n`;
    const start = process.cpuUsage().user;
    expect(parseHcl(text).attributes).toHaveLength(1);
    expect(process.cpuUsage(undefined).user - start).toBeLessThan(5_000_000);
  });

  test('prototype keys are keys', () => {
    const body = parseHcl('a = { __proto__ = { b = 1 } }\n');
    const value = new Evaluator({ lookUp: () => undefined }).valueOf({
      expression: body.attributes[0].value,
      text: '',
    }) as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect((value as { b?: number }).b).toBeUndefined();
  });
});
