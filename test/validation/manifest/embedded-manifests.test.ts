import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import {
  check,
  rootsOf,
  SourceFileReader,
  unreadOnce,
  withSharedPools,
  withUnreadPools,
} from '../../../src/validation';
import { embeddedManifests } from '../../../src/validation/manifest/source/embedded-manifests';
import { hereDocumentsOfShell } from '../../../src/validation/manifest/source/here-documents';

const CLASS = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: \${var.cluster}-default
spec:
  role: \${module.karpenter.node_iam_role_name}
  amiSelectorTerms: [{ alias: al2023@v20250505 }]
  subnetSelectorTerms: [{ tags: { karpenter.sh/discovery: "\${var.cluster}" } }]
  securityGroupSelectorTerms: [{ tags: { karpenter.sh/discovery: "\${var.cluster}" } }]
`;
const POOL = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: default
spec:
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: "\${var.cluster}-default" }
      requirements: [{ key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }]
`;
const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: web, resources: { requests: { cpu: "1", memory: 1Gi } } }] }
`;
const SCRIPT = `#!/bin/bash\nset -e\nkubectl apply -f - <<< "\n${POOL}"\n`;
const HCL = `resource "kubernetes_manifest" "pool" {
  manifest = {
    apiVersion = var.api_version
    kind       = "NodePool"
    metadata   = { name = "default" }
  }
}
`;

function indented(text: string): string {
  return text.replace(/^/gm, '    ').trimEnd();
}

function resource(name: string, manifest: string): string {
  return `resource "kubectl_manifest" "${name}" {\n  yaml_body = <<-YAML\n${indented(manifest)}\n  YAML\n}\n`;
}

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** The verdicts on the roots of a folder with these files. */
function verdicts(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const reader = new SourceFileReader();
  reader.read(folder);
  const all = rootsOf(reader.files);
  return withUnreadPools(withSharedPools(all), reader.files).map(({ sources }) => check(sources));
}

function findings(files: Readonly<Record<string, string>>, ...rules: string[]) {
  return verdicts(files)
    .flatMap((verdict) => verdict.findings)
    .filter(({ rule }) => rules.includes(rule))
    .map(({ rule, severity, location: { file, line }, message }) => [
      rule,
      severity,
      `${file.slice(folder.length + 1)}:${line}`,
      message.replaceAll(`${folder}/`, ''),
    ]);
}

describe('manifests in Terraform files', () => {
  const TERRAFORM = `# Karpenter\n${resource('class', CLASS)}\n${resource('pool', POOL)}`;

  test('plan the workloads beside them, if only names, roles and tags are unknown', () => {
    const [{ summary, nodePools }] = verdicts({ 'infra/karpenter.tf': TERRAFORM, 'k8s/web.yaml': WEB });
    expect(summary).toMatchObject({ pods: 1, scheduledPods: 1, errors: 0 });
    expect(nodePools.map(({ name }) => name)).toEqual(['default']);
  });

  test('have findings with their own lines and texts', () => {
    const text = TERRAFORM.replace('[on-demand]', '[on-demnd]');
    const [verdict] = verdicts({ 'karpenter.tf': text, 'web.yaml': WEB });
    const finding = verdict.findings.find(({ message }) => message.includes('on-demnd'))!;
    const line = text.split('\n').findIndex((one) => one.includes('on-demnd')) + 1;
    expect(finding.location).toMatchObject({ file: join(folder, 'karpenter.tf'), line });
    expect(finding.excerpt!.lines.join('\n')).toContain('on-demnd');
    expect(finding.fix).toBeUndefined();
  });

  test('are read from several documents in one text, and from a text without indentation', () => {
    const text = `locals {\n  yaml = <<EOF\n${CLASS}---\n${POOL}EOF\n}\n`;
    expect(verdicts({ 'main.tf': text, 'web.yaml': WEB })[0].summary).toMatchObject({ scheduledPods: 1 });
  });

  test('are not taken from scripts and policies in here-documents', () => {
    const text = `resource "null_resource" "x" {\n  command = <<-EOT\n    kubectl apply -f - <<EOF\n${POOL}    EOF\n  EOT\n}\n`;
    expect(findings({ 'main.tf': text, 'web.yaml': WEB }, 'KARP-001')[0].slice(0, 3)).toEqual([
      'KARP-001',
      'warning',
      'main.tf:5',
    ]);
  });
});

describe('manifests in here-documents of scripts', () => {
  const SHELL_CLASS = CLASS.replaceAll('${var.cluster}', '$CLUSTER').replace(
    '${module.karpenter.node_iam_role_name}',
    '$(role "$CLUSTER")',
  );
  const SHELL_POOL = POOL.replaceAll('${var.cluster}', '$CLUSTER');
  const here = (text: string, start = 'cat <<EOF | kubectl apply -f -', end = 'EOF') => `${start}\n${text}${end}\n`;

  test.each([
    ['a pipe to kubectl', here(SHELL_CLASS) + here(SHELL_POOL)],
    ['the standard input of kubectl', here(`${SHELL_CLASS}---\n${SHELL_POOL}`, "kubectl apply -f - <<'EOF'")],
    ['a file', here(SHELL_CLASS, 'cat > class.yaml <<-Y', '\tY') + here(SHELL_POOL, 'cat <<Y >> pool.yaml', 'Y')],
  ])('are planned with the workloads beside them: %s', (_, script) => {
    const [{ summary, nodePools }] = verdicts({
      'create.sh': `#!/bin/bash\nN=$((1 << COUNT))\n${script}`,
      'web.yaml': WEB,
    });
    expect(summary).toMatchObject({ pods: 1, scheduledPods: 1, errors: 0 });
    expect(nodePools.map(({ name }) => name)).toEqual(['default']);
  });

  test('have findings with the lines of the script', () => {
    const script = `#!/bin/bash\n${here(SHELL_CLASS)}${here(SHELL_POOL.replace('[on-demand]', '[on-demnd]'))}`;
    const line = script.split('\n').findIndex((one) => one.includes('on-demnd')) + 1;
    const found = verdicts({ 'create.sh': script, 'web.yaml': WEB })[0].findings.filter(({ message }) =>
      message.includes('on-demnd'),
    );
    expect(found[0].location).toMatchObject({ file: join(folder, 'create.sh'), line });
    expect(found[0].excerpt!.lines.join('\n')).toContain('on-demnd');
  });

  test('have unknown values where the script has variables', () => {
    const script = here(SHELL_CLASS) + here(SHELL_POOL.replace('[on-demand]', '[$CAPACITY]'));
    const [{ findings: found, notEvaluated }] = verdicts({ 'create.sh': script, 'web.yaml': WEB });
    expect(notEvaluated).toHaveLength(1);
    expect(found.filter(({ rule }) => rule === 'KARP-009')[0].message).toContain('the script');
  });

  test.each([
    ['are deleted', here(POOL, 'kubectl delete -f - <<EOF')],
    ['are comments', here(POOL, '# cat <<EOF')],
  ])('are left out if they %s', (_, script) => {
    expect(verdicts({ 'a.sh': script, 'web.yaml': WEB })[0].nodePools).toEqual([]);
  });

  test('run nothing', () => {
    verdicts({ 'create.sh': here(`${POOL}# $(touch ${folder}/ran) \`touch ${folder}/ran\`\n`), 'web.yaml': WEB });
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });

  test('take linear time', () => {
    const text = `${'a <<A\nA\nb <<B\n'.repeat(50_000)}${here(POOL)}`;
    expect(hereDocumentsOfShell(text)).toContain('NodePool');
  });
});

test.each([
  ['a reference', POOL.replaceAll('${var.cluster}-default', '${class}')],
  ['the name of the class', POOL.replaceAll('${var.cluster}-default', 'main')],
])('a NodePool whose class is unknown, because %s is filled in, is planned with a stock class', (_, pool) => {
  const [{ summary, assumptions }] = verdicts({ 'class.yaml.tpl': CLASS, 'pool.yaml.tpl': pool, 'web.yaml': WEB });
  expect(summary).toMatchObject({ scheduledPods: 1, errors: 0 });
  expect(assumptions).toContainEqual(expect.stringContaining('it is assumed to be a stock AL2023 class'));
});

describe('NodePools that cannot be read', () => {
  test.each([
    [
      'a shell script',
      { 'create.sh': SCRIPT },
      'create.sh:5',
      '1 NodePool of this shell script cannot be read, because scripts are not run',
    ],
    [
      'an object of Terraform whose API version is not known',
      { 'main.tf': HCL },
      'main.tf:4',
      '1 NodePool of this file cannot be read: the values are known only to Terraform',
    ],
    [
      'a template with directives',
      { 'pool.yaml.tftpl': `%{ for zone in zones ~}\n${POOL}%{ endfor ~}\n` },
      'pool.yaml.tftpl:1',
      'the file is a template of Terraform, and no YAML before it is rendered: %{ for zone in zones ~}',
    ],
  ])('in %s are named, and are a warning for the pods', (_, files, place, message) => {
    expect(findings({ ...files, 'web.yaml': WEB }, 'KARP-001', 'KARP-003', 'KARP-004').sort()).toEqual([
      ['KARP-001', 'warning', place, message],
      [
        'KARP-003',
        'warning',
        'web.yaml:1',
        `1 pod is not planned, because NodePools are only in files that cannot be read: ${place}`,
      ],
    ]);
  });

  test('are named by a kustomization beside them, too', () => {
    const files = { 'create.sh': SCRIPT, 'app/web.yaml': WEB, 'app/kustomization.yaml': 'resources: [web.yaml]\n' };
    expect(findings(files, 'KARP-003')[0][1]).toBe('warning');
  });
});

describe('other files', () => {
  test.each([
    ['a Terraform file without manifests', 'main.tf', 'resource "aws_vpc" "main" {}\n'],
    [
      'a script with objects that are not judged',
      'x.sh',
      'kubectl apply <<EOF\napiVersion: v1\nkind: ConfigMap\nEOF\n',
    ],
    ['a template of another text', 'user-data.tpl', '#!/bin/bash\necho ${cluster}\n'],
  ])('%s is silent', (_, name, text) => {
    expect(findings({ [name]: text, 'web.yaml': WEB }, 'KARP-001', 'KARP-003')).toEqual([
      ['KARP-003', 'error', 'web.yaml:1', expect.stringContaining('because the input has no NodePool')],
    ]);
  });

  test('a link that leads out of the repository is not read', () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    writeFileSync(join(outside, 'main.tf'), resource('pool', POOL));
    symlinkSync(join(outside, 'main.tf'), join(folder, 'main.tf'));
    expect(findings({ 'web.yaml': WEB }, 'KARP-001', 'KARP-003').map(([rule, severity]) => [rule, severity])).toEqual([
      ['KARP-003', 'error'],
    ]);
    rmSync(outside, { recursive: true });
  });
});

test('scripts with NodePools are one finding, at the first of them', () => {
  const script = (path: string) =>
    embeddedManifests(
      { path, text: `kubectl apply -f - <<< "\napiVersion: karpenter.sh/v1\nkind: NodePool"\n` },
      '.sh',
    );
  const files = unreadOnce(['a.sh', 'b.sh', 'c.sh', 'd.sh', 'e.sh'].flatMap(script));
  expect(files.map(({ path, unreadable }) => [path, unreadable!.message])).toEqual([
    ['a.sh', 'NodePools of 5 files (a.sh, b.sh, c.sh and 2 more) cannot be read, because scripts are not run'],
  ]);
});

describe('manifests in makefiles and pipelines', () => {
  const names = (files: Readonly<Record<string, string>>) =>
    verdicts({ 'class.yaml': CLASS.replaceAll('${var.cluster}', 'shop'), ...files }).flatMap(({ nodePools }) =>
      nodePools.map(({ name, instanceTypes }) => [name, instanceTypes.length > 0]),
    );
  const pool = POOL.replace('${var.cluster}', 'shop');
  const tabbed = (text: string) => text.replace(/^/gm, '\t').trimEnd();

  test.each(['Makefile', 'deploy.mk'])('are read from recipes of a %s', (name) => {
    const recipe = `apply:\n\tkubectl apply -f - <<EOF\n${tabbed(pool.replace('name: default', 'name: $(NAME)'))}\n\tEOF\n`;
    expect(names({ [name]: recipe })).toEqual([['${NAME}', true]]);
  });

  test('are read from variables of several lines', () => {
    const makefile = `define POOL\n${pool}endef\nexport POOL\napply:\n\techo "$$POOL" | kubectl apply -f -\n`;
    expect(names({ Makefile: makefile })).toEqual([['default', true]]);
  });

  test.each(['pipeline.yml', '.github/workflows/deploy.yaml'])('are read from the scripts of %s', (name) => {
    const step = `      - run: |\n          kubectl apply -f - <<'EOF'\n${pool.replace(/^/gm, '          ').trimEnd()}\n          EOF\n`;
    const pipeline = `on: push\njobs:\n  deploy:\n    steps:\n${step}`;
    expect(names({ [name]: pipeline })).toEqual([['default', true]]);
  });

  test('are not read from the scripts of objects, which run in the cluster', () => {
    const script = `kubectl apply -f - <<EOF\n${pool}EOF\n`;
    const job = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: setup }\ndata:\n  run.sh: |\n${script.replace(/^/gm, '    ')}\n`;
    expect(names({ 'setup.yaml': job })).toEqual([]);
  });
});

test('NodePools of an AWS CDK app are named unless it is synthesised, and only beside cdk.json', () => {
  const files = {
    'web.yaml': WEB,
    'lib/stack.ts': `cluster.addManifest('pool', { kind: 'NodePool' });\n// karpenter\n`,
  };
  const program = { ...files, 'cdk.json': '{ "app": "node app.js" }' };
  expect(findings(program, 'KARP-001')).toEqual([
    [
      'KARP-001',
      'warning',
      'lib/stack.ts:1',
      '1 NodePool of this AWS CDK app cannot be read, because programs are not run',
    ],
  ]);
  rmSync(join(folder, 'cdk.json'));
  expect(findings(files, 'KARP-001')).toEqual([]);
  mkdirSync(join(folder, 'cdk.out'));
  expect(findings(program, 'KARP-001')).toEqual([]);
  // The manifests beside the folder cdk.out are read.
  expect(findings(program, 'KARP-003')).toHaveLength(1);
});
