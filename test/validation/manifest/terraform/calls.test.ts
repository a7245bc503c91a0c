import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { basename, dirname, join } from 'path';
import { check, readManifests, rootsOf, SourceFileReader } from '../../../../src/validation';

const POOL = (name: string, types: string) => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: ${name} }
spec:
  template:
    spec:
      requirements: [{ key: node.kubernetes.io/instance-type, operator: In, values: ${types} }]
`;
const resource = (yaml: string) => `resource "kubectl_manifest" "pool" {\n  yaml_body = <<-YAML\n${yaml}\n  YAML\n}\n`;
const MODULE = {
  'modules/karpenter/variables.tf': 'variable "name" {}\nvariable "types" {\n  default = ["m5.large"]\n}\n',
  'modules/karpenter/pools.tf': resource(POOL('${var.name}', '${jsonencode(var.types)}')),
};
const call = (args: string) => `module "karpenter" {\n  source = "../../modules/karpenter"\n${args}\n}\n`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terraform-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function read(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return readAll().filter(({ trace }) => trace === undefined);
}

function readAll() {
  const reader = new SourceFileReader();
  reader.read(folder);
  return reader.files;
}

/** The names of the NodePools, and the instance types that they allow. */
function pools(files: Readonly<Record<string, string>>) {
  return readManifests(read(files)).nodePools.map(({ object }) => {
    const { spec } = object.raw as { spec: { template: { spec: { requirements: Array<{ values: unknown }> } } } };
    return [object.name, spec.template.spec.requirements[0].values];
  });
}

describe('a local module', () => {
  test('has the arguments of its call, and the defaults of those that the call leaves out', () => {
    expect(pools({ ...MODULE, 'envs/prod/main.tf': call('  name = "web"') })).toEqual([['web', ['m5.large']]]);
  });

  test('has arguments that are names of the caller, and those of the caller of the caller', () => {
    const files = {
      ...MODULE,
      'modules/platform/main.tf':
        'variable "type" {}\nlocals {\n  name = "web"\n}\n' +
        'module "karpenter" {\n  source = "../karpenter"\n  name   = local.name\n  types  = [var.type, "m5.xlarge"]\n}\n',
      'envs/prod/main.tf': 'module "platform" {\n  source = "../../modules/platform/"\n  type   = "c5.large"\n}\n',
    };
    expect(pools(files)).toEqual([['web', ['c5.large', 'm5.xlarge']]]);
  });

  test('has a placeholder for an argument that only Terraform knows, or that its calls disagree on', () => {
    const unknown = { ...MODULE, 'envs/prod/main.tf': call('  name = module.eks.name') };
    expect(pools(unknown)).toEqual([['${var.name}', ['m5.large']]]);
    const different = {
      ...MODULE,
      'envs/prod/main.tf': call('  name  = "web"\n  types = ["c5.large"]'),
      'envs/dev/main.tf': call('  name = "web"'),
    };
    expect(pools(different)).toEqual([['web', '${jsonencode(var.types)}']]);
  });

  test('that calls itself is read', () => {
    const files = {
      ...MODULE,
      'modules/karpenter/main.tf': 'module "again" {\n  source = "../karpenter"\n  name = var.name\n}\n',
    };
    expect(pools(files)).toEqual([['${var.name}', ['m5.large']]]);
  });
});

describe('a template of templatefile', () => {
  const template = POOL('${name}', '${jsonencode(types)}');

  test('has the values of its call', () => {
    const main =
      'locals {\n  types = ["c5.large"]\n}\nresource "kubectl_manifest" "pool" {\n' +
      '  yaml_body = templatefile("${path.module}/templates/pool.yaml.tpl", { name = "web", types = local.types })\n}\n';
    expect(pools({ 'main.tf': main, 'templates/pool.yaml.tpl': template })).toEqual([['web', ['c5.large']]]);
  });

  test('is read once for each instance of a repeated resource, whatever its extension is', () => {
    const main =
      'resource "kubectl_manifest" "pool" {\n' +
      '  for_each  = { web = { types = ["c5.large"] }, batch = { types = ["m5.large"] } }\n' +
      '  yaml_body = templatefile("pool.yaml", merge(each.value, { name = each.key }))\n}\n';
    expect(pools({ 'main.tf': main, 'pool.yaml': template })).toEqual([
      ['web', ['c5.large']],
      ['batch', ['m5.large']],
    ]);
  });

  test('keeps placeholders of values that only Terraform knows', () => {
    const main =
      'resource "kubectl_manifest" "pool" {\n  yaml_body = templatefile("${path.module}/pool.tpl", { name = "web", types = var.types })\n}\n';
    expect(pools({ 'main.tf': main, 'pool.tpl': template })).toEqual([['web', '${jsonencode(types)}']]);
  });

  test('is any file of a folder over whose files a resource or a data source loops', () => {
    const values = '{ name = "web", types = ["c5.large"] }';
    const loop = `resource "kubectl_manifest" "pool" {\n  for_each  = fileset("\${path.module}/nodes", "*.yaml")\n  yaml_body = templatefile("\${path.module}/nodes/\${each.value}", ${values})\n}\n`;
    const documents = `data "kubectl_path_documents" "pool" {\n  pattern = "\${path.module}/nodes/*.yaml"\n  vars    = ${values}\n}\n`;
    for (const main of [loop, documents])
      expect(pools({ 'main.tf': main, 'nodes/pool.yaml': template })).toEqual([['web', ['c5.large']]]);
    const other = loop.replace('/nodes/', '/others/');
    expect(pools({ 'main.tf': other, 'nodes/pool.yaml': template })).toEqual([['${name}', '${jsonencode(types)}']]);
  });

  test('names the result of a module that its call gives', () => {
    const main =
      'resource "a" "b" {\n  c = templatefile("pool.yaml", { name = module.eks.cluster_name, types = [] })\n}\n';
    expect(pools({ 'main.tf': main, 'pool.yaml': template })[0][0]).toBe('${module.eks.cluster_name}');
  });

  test('has findings about values at the arguments that give them, and others in the template', () => {
    const main =
      'resource "a" "b" {\n  c = templatefile("pool.yaml", {\n    name = "Web_1"\n    size = "m5.larg"\n  })\n}\n';
    const text = POOL('${name}', '[${size}]').replace('kind: NodePool\n', 'kind: NodePool\nspce: ${name}\n');
    read({ 'main.tf': main, 'pool.yaml': text });
    const { findings } = check(rootsOf(readAll()).flatMap(({ sources }) => sources));
    const places = findings.map(({ message, location: { file, line } }) => [basename(file), line, message] as const);
    const at = (part: string) => places.find(([, , message]) => message.includes(part))?.slice(0, 2);
    expect(at('Web_1')).toEqual(['main.tf', 3]);
    expect(at('m5.larg')).toEqual(['main.tf', 4]);
    expect(at('spce')?.[0]).toBe('pool.yaml');
  });

  test('is read with values of the input only: a link out of the repository calls nothing', () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    writeFileSync(
      join(outside, 'main.tf'),
      'resource "a" "b" {\n  c = templatefile("${path.module}/pool.tpl", { name = "web" })\n}\n',
    );
    symlinkSync(join(outside, 'main.tf'), join(folder, 'main.tf'));
    expect(pools({ 'pool.tpl': template })).toEqual([['${name}', '${jsonencode(types)}']]);
    rmSync(outside, { recursive: true });
  });
});

describe('a helm_release of a chart of the repository', () => {
  const files = {
    'charts/app/Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
    'charts/app/values.yaml': 'role: ""\n',
    'values/app.yaml': 'a: 1\n',
    'values/app.tftpl': 'cluster: ${cluster}\nrole: ${module.x.y}\n',
    'values/loop.tftpl': '%{ for x in xs ~}\n- a\n%{ endfor ~}\n',
  };
  /** The releases of charts among the roots. */
  function releases(terraform: string) {
    read({ ...files, 'infra/main.tf': terraform });
    return rootsOf(readAll()).flatMap(({ release }) => (release ? [release] : []));
  }
  const release = (lines: string) =>
    `locals {\n  cluster = "c1"\n}\nresource "helm_release" "app" {\n  name = "web"\n${lines}\n}\n`;

  test('has the values of its texts and files, and placeholders for what only Terraform knows', () => {
    const [one, ...others] = releases(
      release(`  chart = "\${path.module}/../charts/app/"
  namespace = "shop"
  values = concat([
    yamlencode({ cluster = local.cluster, role = module.nodes.role }),
    file("\${path.module}/../values/app.yaml"),
    templatefile("\${path.module}/../values/app.tftpl", { cluster = local.cluster }),
  ], [templatefile("\${path.module}/../values/loop.tftpl", {}), module.x.values, file("none.yaml")])
  set {
    name  = "size"
    value = max(1, 2)
  }
  set_list {
    name  = "zones"
    value = ["a", "b"]
  }
  dynamic "set" {
    for_each = var.more
    content {}
  }`),
    );
    expect(others).toEqual([]);
    expect(one).toMatchObject({ name: 'web', namespace: 'shop', chart: join(folder, 'charts/app') });
    expect(one.values.map(({ text }) => text)).toEqual([
      '{"cluster":"c1","role":"${module.nodes.role}"}',
      'a: 1\n',
      'cluster: c1\nrole: ${module.x.y}\n',
    ]);
    expect(one.parameters).toEqual([
      { key: 'size', value: '${max(1\\, 2)}', isText: false },
      { key: 'zones', value: '{a,b}', isText: false },
    ]);
    expect(one.missing).toEqual([
      'templatefile("${path.module}/../values/loop.tftpl", {})',
      'module.x.values',
      'file("none.yaml")',
      'those of a dynamic block',
    ]);
  });

  test.each([
    ['a path of the folder where Terraform runs', 'chart = "./charts/app"'],
    ['a path of the root module', 'chart = "${path.root}/charts/app"'],
    ['a folder as its repository', 'chart = "app"\n  repository = "${path.module}/../charts"'],
  ])('is found by %s', (_, lines) => {
    expect(releases(release(`${lines}\n  set = [{ name = "a", value = 1, type = "string" }]`))).toMatchObject([
      { chart: join(folder, 'charts/app'), parameters: [{ key: 'a', value: '1', isText: true }] },
    ]);
  });

  test('is not found for a chart of a repository elsewhere', () => {
    const [{ definedIn }] = releases(release('  chart = "charts/app"\n  repository = "https://example.com"'));
    expect(definedIn).toBeUndefined();
  });

  test('is one release for each instance, with the names of the instance', () => {
    const made = releases(
      release('  for_each = { a = 1, b = 2 }\n  chart = "./charts/app"\n  values = ["size: ${each.value}"]').replace(
        '"web"',
        'each.key',
      ),
    );
    expect(made.map(({ name, values }) => [name, values[0].text])).toEqual([
      ['a', 'size: 1'],
      ['b', 'size: 2'],
    ]);
  });
});
