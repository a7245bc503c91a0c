import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import { check, readManifests, rootsOf, SourceFileReader, withKarpenterOfRepository } from '../../../../src/validation';

const CLASS = `resource "kubectl_manifest" "class" {
  yaml_body = yamlencode({
    apiVersion = "karpenter.k8s.aws/v1"
    kind       = "EC2NodeClass"
    metadata   = { name = local.name }
    spec = {
      role                       = module.karpenter.node_iam_role_name
      amiSelectorTerms           = [{ alias = "al2023@v20251120" }]
      subnetSelectorTerms        = [{ tags = { "karpenter.sh/discovery" = var.cluster } }]
      securityGroupSelectorTerms = [{ tags = { "karpenter.sh/discovery" = var.cluster } }]
      userData = <<-EOT
        apiVersion: node.eks.aws/v1alpha1
        kind: NodeConfig
      EOT
    }
  })
}
`;
const POOL = `resource "kubernetes_manifest" "pool" {
  manifest = {
    apiVersion = "karpenter.sh/v1"
    kind       = "NodePool"
    metadata = {
      name = "default"
    }
    spec = {
      template = {
        spec = {
          nodeClassRef = { group = "karpenter.k8s.aws", kind = "EC2NodeClass", name = local.name }
          requirements = concat(local.requirements, [
            { key = "karpenter.sh/capacity-type", operator = "In", values = ["on-demand"] },
          ])
        }
      }
      limits = { cpu = 100 }
    }
  }
}
`;
const LOCALS = `locals {
  name         = "main"
  requirements = [{ key = "kubernetes.io/arch", operator = "In", values = ["amd64"] }]
}
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
  const reader = new SourceFileReader();
  reader.read(folder);
  return reader.files.filter(({ trace }) => trace === undefined);
}

function verdict(files: Readonly<Record<string, string>>) {
  return check(read(files));
}

describe('manifests that are written in HCL', () => {
  test('plan the workloads beside them, with the locals of the folder', () => {
    const { summary, nodePools, findings } = verdict({
      'infra/karpenter.tf': CLASS + POOL,
      'infra/locals.tf': LOCALS,
      'web.yaml': WEB,
    });
    expect(summary).toMatchObject({ pods: 1, scheduledPods: 1, errors: 0 });
    expect(nodePools.map(({ name }) => name)).toEqual(['default']);
    expect(findings.filter(({ rule }) => rule === 'KARP-001')).toEqual([]);
  });

  test('have findings at their own lines', () => {
    const text = `${LOCALS}${CLASS}${POOL.replace('"on-demand"', '"on-demnd"')}`;
    const { findings } = verdict({ 'main.tf': text, 'web.yaml': WEB });
    const finding = findings.find(({ message }) => message.includes('on-demnd'))!;
    // The whole value of concat() is where the call begins.
    const line = text.split('\n').findIndex((one) => one.includes('requirements = concat')) + 1;
    expect(finding.location).toMatchObject({ file: join(folder, 'main.tf'), line });
    expect(finding.fix).toBeUndefined();
    const limits = text.replace('cpu = 100', 'cpu = "1OO"');
    expect(verdict({ 'main.tf': limits, 'web.yaml': WEB }).findings).toContainEqual(
      expect.objectContaining({
        location: expect.objectContaining({
          line: text.split('\n').findIndex((one) => one.includes('cpu = 100')) + 1,
          path: 'spec.limits.cpu',
        }),
      }),
    );
  });

  test('are read from a list, and from a map of a module', () => {
    const object = (name: string) =>
      `{\n    apiVersion = "karpenter.sh/v1"\n    kind = "NodePool"\n    metadata = { name = "${name}" }\n  }`;
    const text = `locals {\n  all = [${object('a')}, ${object('b')}]\n}\nmodule "m" {\n  pools = { c = ${object('c')} }\n}\n`;
    const objects = read({ 'main.tf': text });
    expect(readManifests(objects).objects.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  test('that cannot be read are counted, with what to pass', () => {
    const text =
      'locals {\n  pool = merge(local.base, {\n    kind = "NodePool"\n    apiVersion = var.version\n  })\n}\n';
    const { findings } = verdict({ 'main.tf': text, 'web.yaml': WEB });
    expect(findings.filter(({ rule }) => rule === 'KARP-001')).toMatchObject([
      {
        severity: 'warning',
        message: '1 NodePool of this file cannot be read: the values are known only to Terraform',
        remedy: expect.stringContaining('terraform show -json'),
        location: { line: 3 },
      },
    ]);
  });
});

describe('workloads that are blocks of the provider kubernetes', () => {
  const workload = (type: string, spec: string) => `resource "kubernetes_${type}" "web" {
  metadata {
    name      = "web"
    namespace = kubernetes_namespace.web.metadata[0].name
  }
  spec {
${spec}
  }
  wait_for_rollout = false
}
`;
  const template = `    template {
      metadata { labels = { app = "web" } }
      spec {
        node_selector = { "kubernetes.io/arch" = "amd64" }
        container {
          name  = "web"
          image = "web"
          env {
            name  = "RETRIES"
            value = "3"
          }
          resources { requests = { cpu = "500m", memory = "512Mi" } }
        }
        dynamic "toleration" {
          for_each = var.tolerations
          content { key = toleration.value }
        }
        affinity {
          node_affinity {
            required_during_scheduling_ignored_during_execution {
              node_selector_term {
                match_expressions {
                  key      = "karpenter.sh/capacity-type"
                  operator = "In"
                  values   = ["on-demand"]
                }
              }
            }
          }
          pod_anti_affinity {
            required_during_scheduling_ignored_during_execution {
              topology_key = "kubernetes.io/hostname"
              label_selector { match_labels = { app = "web" } }
            }
          }
        }
      }
    }`;
  const selector = '    selector { match_labels = { app = "web" } }\n';
  const fixed = template.replace(/ {8}dynamic[^]*?\n {8}\}\n/, '');

  test('are planned, with their PodDisruptionBudgets', () => {
    const files = {
      'infra/main.tf': LOCALS + CLASS + POOL,
      'apps/web.tf':
        workload('deployment', `    replicas = "2"\n${selector}${fixed}`) +
        workload('pod_disruption_budget_v1', `    max_unavailable = "1"\n${selector}`),
    };
    const { summary, findings, nodeClaims } = verdict(files);
    expect(summary).toMatchObject({ pods: 2, scheduledPods: 2 });
    expect(nodeClaims).toHaveLength(2);
    expect(findings.filter(({ rule }) => ['KARP-001', 'KARP-306', 'KARP-402'].includes(rule))).toEqual([]);
  });

  test.each([
    ['stateful_set_v1', 'StatefulSet', `    service_name = "web"\n${selector}${fixed}`],
    ['daemon_set_v1', 'DaemonSet', `${selector}${fixed}`],
    ['job_v1', 'Job', fixed],
    ['cron_job_v1', 'CronJob', `    schedule = "0 * * * *"\n    job_template {\n    spec {\n${fixed}\n    }\n    }`],
  ])('are read from kubernetes_%s', (type, kind, spec) => {
    const { workloads, problems } = readManifests(read({ 'web.tf': workload(type, spec) }));
    expect(workloads).toMatchObject([{ kind, name: 'web' }]);
    expect(workloads[0].shape).toBeDefined();
    expect(problems).toEqual([]);
  });

  test('have text where Terraform takes numbers, and the names of fields of the API', () => {
    const spec = `    selector { match_labels = { tier = 1 } }
    template {
      metadata {
        labels      = { tier = 1 }
        annotations = { "example.com/scrape" = true }
      }
      spec {
        host_ipc = true
        dns_config { option { name = "ndots" } }
        security_context {
          sysctl {
            name  = "kernel.shm_rmid_forced"
            value = 0
          }
        }
        container {
          name = "web"
          env {
            name  = "RETRIES"
            value = 3
          }
          resources { requests = { cpu = 1 } }
        }
      }
    }`;
    const scaler =
      '    max_replicas = 3\n    target_cpu_utilization_percentage = 50\n    scale_target_ref {\n      kind = "Deployment"\n      name = "web"\n    }';
    const text = workload('deployment', spec) + workload('horizontal_pod_autoscaler', scaler);
    const { findings } = verdict({ 'web.tf': text + LOCALS + CLASS + POOL });
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('have the names of other resources, and the policies of autoscalers', () => {
    const text = `resource "kubernetes_namespace" "web" {
  metadata { name = "shop" }
}
${workload('horizontal_pod_autoscaler_v2', '    max_replicas = 3\n    scale_target_ref {\n      kind = "Deployment"\n      name = "web"\n    }\n    behavior {\n      scale_down {\n        policy {\n          type = "Pods"\n          value = 1\n          period_seconds = 60\n        }\n      }\n    }')}`;
    const { objects, problems } = readManifests(read({ 'web.tf': text }));
    expect(objects[0]).toMatchObject({
      namespace: 'shop',
      raw: { spec: { behavior: { scaleDown: { policies: [{}] } } } },
    });
    expect(problems).toEqual([]);
  });

  test('are not evaluated if a loop makes their tolerations, or their containers', () => {
    const containers = `    template {\n    metadata { labels = { app = "web" } }\n    spec {\n    dynamic "container" {\n    for_each = var.all\n    }\n    }\n    }`;
    const text = [template, containers].map((made, index) =>
      workload('deployment_v1', `    replicas = 2\n${selector}${made}`).replaceAll('"web"', `"web-${index}"`),
    );
    const { summary, findings } = verdict({ 'web.tf': [...text, LOCALS, CLASS, POOL].join('\n') });
    expect(summary).toMatchObject({ pods: 4, scheduledPods: 0 });
    expect(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual(['KARP-004']);
  });
});

describe('helm_release of Karpenter', () => {
  const release = (body: string) => `resource "helm_release" "karpenter" {
  name       = "karpenter"
  namespace  = "kube-system"
  repository = "oci://public.ecr.aws/karpenter"
  chart      = "karpenter"
  version    = local.version
${body}}
locals {
  version = "1.6.0"
}
`;
  const values = `  values = [
    <<-EOT
    settings:
      clusterName: \${module.eks.cluster_name}
      featureGates: { spotToSpotConsolidation: true }
    EOT
    , yamlencode({ replicas = 3 })
  ]
  set {
    name  = "controller.resources.requests.cpu"
    value = "1"
  }
`;

  test('has the version and the literal values', () => {
    const [object] = readManifests(read({ 'main.tf': release(values) })).objects;
    expect(JSON.parse(JSON.stringify(object.raw))).toMatchObject({
      version: '1.6.0',
      values: {
        settings: { clusterName: '\${module.eks.cluster_name}', featureGates: { spotToSpotConsolidation: true } },
        replicas: 3,
        controller: { resources: { requests: { cpu: 1 } } },
      },
      isComplete: true,
    });
  });

  test('has each value at the line that writes it', () => {
    const [object] = readManifests(read({ 'main.tf': release(values) })).objects;
    const lineOf = (...path: string[]) => object.locate(['values', ...path]).line;
    expect([
      lineOf('settings', 'clusterName'),
      lineOf('settings', 'featureGates', 'spotToSpotConsolidation'),
      lineOf('settings', 'interruptionQueue'),
      lineOf('replicas'),
      lineOf('controller', 'resources', 'requests', 'cpu'),
      lineOf('nodeSelector'),
    ]).toEqual([10, 11, 9, 13, 17, 7]);
    const listed = release('  set = [{ name = "a.b\\\\.c", value = 1 },\n    { name = "a.b\\\\.c", value = 2 }]\n');
    const [other] = readManifests(read({ 'main.tf': listed })).objects;
    expect(other.locate(['values', 'a', 'b.c'])).toMatchObject({ line: 8, column: 33 });
  });

  test('decides the release and the settings of the check', () => {
    const files = { 'main.tf': `${release(values)}${LOCALS}${CLASS}${POOL}`, 'web.yaml': WEB };
    const { assumptions, findings } = verdict(files);
    expect(assumptions.join('\n')).toContain('Karpenter is 1.6.0');
    expect(findings.filter(({ rule }) => rule === 'KARP-909')).toMatchObject([
      { location: { line: 6, path: 'version' }, remedy: 'install chart karpenter-crd of the same version before it' },
    ]);
  });

  test.each([
    ['an index', 'yaml', 'local.all[1].chart_version'],
    ['a name', 'yaml', 'local.all[index(local.all.*.id, "karpenter")].chart_version'],
    ['a full splat', 'json', 'local.all[index(local.all[*].id, "karpenter")]["chart_version"]'],
    ['a member', 'json', 'local.one.chart_version'],
    ['a member of the file', 'yaml', 'local.file.releases[1].chart_version'],
    ['a default', 'yaml', 'lookup(local.one, "chart_version", "1.0.0")'],
  ])('has the version that %s of a file leads to', (_, extension, version) => {
    const releases = {
      releases: [
        { id: 'keda', chart_version: '2.1.0' },
        { id: 'karpenter', chart_version: 'v0.33.0' },
      ],
    };
    const path = `\${path.module}/data/releases.${extension}`;
    const locals = `locals {\n  file = ${extension}decode(file("${path}"))\n  all = ${extension}decode(file("${path}"))["releases"]\n  one = local.all[1]\n}\n`;
    const sources = read({
      'main.tf': locals + release(values).replace('version    = local.version', `version    = ${version}`),
      [`data/releases.${extension}`]: JSON.stringify(releases),
    });
    expect(readManifests(sources).objects[0].raw.version).toBe('v0.33.0');
  });

  test('has an unknown version if the path of the file is unknown, or leads out of the repository', () => {
    for (const path of ['\${var.name}.yaml', '/etc/hostname', '\${path.module}/../../../../../../../etc/hostname']) {
      const text = release(values).replace('local.version', `yamldecode(file("${path}")).version`);
      expect(readManifests(read({ 'main.tf': text })).objects[0].raw.hasUnknownVersion).toBe(true);
    }
  });

  test('tells its version to a chart that gets the NodePools of the file', () => {
    const pool = `resource "kubectl_manifest" "p" {\n  yaml_body = <<-EOT\n    apiVersion: karpenter.sh/v1beta1\n    kind: NodePool\n    metadata: { name: old }\n    EOT\n}\n`;
    const [file] = read({ 'main.tf': release(values).replace('1.6.0', '0.33.0') + pool });
    const shared = {
      ...file,
      edit: (raw: Readonly<Record<string, unknown>>) => (raw.kind === 'NodePool' ? raw : undefined),
    };
    const [chart] = withKarpenterOfRepository([{ name: 'chart', kind: 'chart', sources: [shared], notes: [] }], [file]);
    expect(check(chart.sources).findings.filter(({ rule }) => rule === 'KARP-101')).toEqual([]);
  });

  test('of unknown version makes no API version an error, also of other files', () => {
    const files = {
      'infra/main.tf': release(values).replace('"1.6.0"', 'data.external.release.result.version'),
      'pool.yaml': `apiVersion: karpenter.sh/v1beta1\nkind: NodePool\nmetadata: { name: old }\n`,
    };
    const refusals = (verdicts: ReadonlyArray<ReturnType<typeof check>>) =>
      verdicts.flatMap(({ findings }) => findings.filter(({ rule }) => rule === 'KARP-101'));
    const together = verdict(files);
    expect(together.assumptions.join('\n')).toContain('only Terraform knows the version of its helm_release');
    expect(together.assumptions.join('\n')).toContain('KARP-101 is not evaluated for NodePool old');
    const sources = read(files);
    const roots = withKarpenterOfRepository(
      sources.map((source) => ({ name: source.path, kind: 'files' as const, sources: [source], notes: [] })),
      sources,
    );
    expect(refusals([together, ...roots.map((root) => check(root.sources))])).toEqual([]);
    const withoutVersion = { ...files, 'infra/main.tf': release(values).replace('version    = local.version', '') };
    expect(refusals([verdict(withoutVersion)])).toHaveLength(1);
  });

  test.each([
    ['a file', '  values = [file("values.yaml")]\n'],
    ['a data source', '  values = [data.local_file.values.content]\n'],
    ['a loop', '  dynamic "set" {\n    for_each = var.x\n    content {\n      name = "a"\n    }\n  }\n'],
  ])('is not complete, if values come from %s', (_, body) => {
    expect(readManifests(read({ 'main.tf': release(body) })).objects[0].raw.isComplete).toBe(false);
  });

  test('has other charts of the cluster beside it, except those that a switch may leave out', () => {
    const other = (more: string) =>
      `${release('')}resource "helm_release" "ca" {\n  chart = "cluster-autoscaler"\n  version = var.v\n${more}}\n`;
    const charts = (more: string) =>
      readManifests(read({ 'main.tf': other(more) })).objects.map(({ raw }) => raw.chart);
    expect(charts('')).toEqual(['karpenter', 'cluster-autoscaler']);
    expect(charts('  count = var.autoscaler ? 1 : 0\n')).toEqual(['karpenter']);
    expect(charts('').concat(charts('  for_each = var.all\n'))).toHaveLength(3);
  });
});

describe('the region of the AWS provider', () => {
  const regionOf = (files: Readonly<Record<string, string>>) => {
    read(files);
    const reader = new SourceFileReader();
    reader.read(folder);
    const [{ sources }] = withKarpenterOfRepository(rootsOf(reader.files), reader.files);
    return check(sources).assumptions.filter((text) => text.startsWith('the region is'));
  };
  const provider = (region: string) => `provider "aws" {\n  region = ${region}\n}\n`;

  test.each<[string, Readonly<Record<string, string>>, string[]]>([
    [
      'is that of the pods, if it is literal',
      { 'main.tf': provider('"eu-west-1"') },
      ['the region is eu-west-1, which the AWS provider in Terraform files of the input names'],
    ],
    [
      'may be a local value or a variable of a root module',
      {
        'main.tf': `${provider('local.region')}locals {\n  region = var.region\n}\n`,
        'terraform.tfvars': 'region = "eu-north-1"\n',
      },
      ['the region is eu-north-1, which the AWS provider in Terraform files of the input names'],
    ],
    [
      'is unknown, if folders have several',
      { 'a/main.tf': provider('"eu-west-1"'), 'b/main.tf': provider('"eu-north-1"') },
      [],
    ],
    [
      'is unknown, if only an alias has it',
      { 'main.tf': 'provider "aws" {\n  alias = "x"\n  region = "eu-west-1"\n}\n' },
      [],
    ],
  ])('%s', (_, files, expected) => {
    expect(regionOf({ ...files, 'web.yaml': WEB })).toEqual(expected);
  });
});

describe('here-documents', () => {
  const heredoc = `resource "kubectl_manifest" "pool" {
  yaml_body = <<-YAML
    apiVersion: karpenter.sh/v1
    kind: NodePool
    metadata:
      name: \${local.name}-\${var.suffix}
    spec:
      template: { spec: { nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: \${each.key} } } }
  YAML
}
`;

  test('get the values of locals and variables; other placeholders stay', () => {
    const [file] = read({
      'main.tf': heredoc,
      'versions.tf': 'terraform {\n  backend "s3" {}\n}\nvariable "suffix" { default = "a" }\n',
      'x.tf': LOCALS,
    });
    expect(file.text).toContain('name: main-a');
    expect(file.text).toContain('${each.key}');
    expect(file.text.split('\n')).toHaveLength(heredoc.split('\n').length);
  });

  test('get no value of a folder that a link leads to', () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    writeFileSync(join(outside, 'locals.tf'), LOCALS);
    writeFileSync(join(folder, 'main.tf'), heredoc);
    symlinkSync(join(outside, 'locals.tf'), join(folder, 'locals.tf'));
    expect(read({})[0].text).toContain('name: ${local.name}');
    rmSync(outside, { recursive: true });
  });
});

describe('a repeated resource', () => {
  const repeated = (argument: string, name: string, type = 'kubectl_manifest') => `resource "${type}" "pool" {
  ${argument}
  yaml_body = <<-YAML
    apiVersion: karpenter.sh/v1
    kind: NodePool
    metadata: { name: ${name} }
    spec:
      weight: 10
  YAML
}
`;
  const names = (files: Readonly<Record<string, string>>) =>
    readManifests(read(files)).nodePools.map(({ object }) => object.name);

  test.each([
    ['for_each = toset(["a", "b"])', '${each.key}', ['a', 'b']],
    ['for_each = { a = { name = "one" }, b = { name = "two" } }', 'pool-${each.value.name}', ['pool-one', 'pool-two']],
    ['for_each = local.pools', '${each.value.name}', ['one', 'two']],
    ['count = 3', 'pool-${count.index}', ['pool-0', 'pool-1', 'pool-2']],
    ['count = 0', 'pool', []],
    ['count = local.is_on ? 1 : 0', 'pool', []],
    ['count = local.stage == "prod" ? 2 : 0', 'pool-${count.index}', ['pool-0', 'pool-1']],
    ['for_each = local.stage != "prod" ? local.pools : {}', '${each.key}', []],
    ['for_each = var.stage == "prod" ? local.pools : {}', '${each.key}', ['${each.key}']],
  ])('makes an object for each literal instance: %s', (argument, name, expected) => {
    const locals =
      'locals {\n  pools = { a = { name = "one" }, b = { name = "two" } }\n  is_on = false\n  stage = "prod"\n}\n';
    expect(names({ 'pools.tf': repeated(argument, name), 'locals.tf': locals })).toEqual(expected);
  });

  test('is one object with placeholders if its instances are unknown', () => {
    expect(names({ 'pools.tf': repeated('for_each = var.pools', 'pool-${each.key}') })).toEqual(['pool-${each.key}']);
  });

  test('makes objects that are written in HCL, and leaves the others of the file as they are', () => {
    const pools = POOL.replace('  manifest', '  for_each = toset(["a", "b"])\n  manifest').replace(
      '"default"',
      'each.value',
    );
    const files = { 'pools.tf': `${CLASS}${pools}${POOL}`, 'locals.tf': LOCALS };
    const { nodePools, nodeClasses, problems } = readManifests(read(files));
    expect(nodePools.map(({ object }) => [object.name, object.locate(['spec']).line])).toEqual([
      ['a', 26],
      ['default', 46],
      ['b', 26],
    ]);
    expect(nodeClasses).toHaveLength(1);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

test('expressions of here-documents are computed', () => {
  const text = `locals {
  types  = ["m5.large", "m5.xlarge"]
}
resource "kubectl_manifest" "pool" {
  yaml_body = <<-YAML
    apiVersion: karpenter.sh/v1
    kind: NodePool
    metadata: { name: a }
    spec:
      template:
        spec:
          requirements: [{ key: node.kubernetes.io/instance-type, operator: In, values: \${jsonencode(local.types)} }]
  YAML
}
`;
  const [{ object }] = readManifests(read({ 'pools.tf': text })).nodePools;
  expect(object.raw).toMatchObject({
    spec: { template: { spec: { requirements: [{ values: ['m5.large', 'm5.xlarge'] }] } } },
  });
});

describe('classes that are blocks of Terraform', () => {
  const BLOCKS = `resource "kubernetes_storage_class_v1" "gp3" {
  metadata {
    name        = "gp3"
    annotations = { "storageclass.kubernetes.io/is-default-class" = "true" }
  }
  storage_provisioner = "ebs.csi.aws.com"
  volume_binding_mode = "WaitForFirstConsumer"
  parameters          = { type = "gp3", kmsKeyId = aws_kms_key.ebs.arn }
  allowed_topologies {
    match_label_expressions {
      key    = "topology.kubernetes.io/zone"
      values = ["us-east-1a"]
    }
  }
}
resource "kubernetes_priority_class" "high" {
  metadata { name = "high" }
  value = 1000
}
resource "kubernetes_storage_class" "unknown" {
  metadata { name = var.storage_class }
}
`;

  test('are objects of the API', () => {
    expect(readManifests(read({ 'storage.tf': BLOCKS, 'web.yaml': WEB })).objects.map(({ raw }) => raw)).toMatchObject([
      {
        kind: 'StorageClass',
        metadata: { name: 'gp3', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
        provisioner: 'ebs.csi.aws.com',
        volumeBindingMode: 'WaitForFirstConsumer',
        allowedTopologies: [
          { matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['us-east-1a'] }] },
        ],
      },
      { kind: 'PriorityClass', metadata: { name: 'high' }, value: 1000 },
      { kind: 'Deployment' },
    ]);
  });
});
