import { extname } from 'path';
import { check, Root, SourceFile, withKarpenterOfRepository } from '../../../src/validation';
import { karpenterTrace } from '../../../src/validation/manifest/source/karpenter-trace';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../setup';

const FLUX = (version: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: karpenter, namespace: karpenter }
spec: { chart: { spec: { chart: karpenter, version: ${version}, sourceRef: { kind: HelmRepository, name: karpenter } } } }
`;
const ARGO = (version: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: karpenter, namespace: argocd }
spec:
  destination: { namespace: kube-system }
  source: { repoURL: public.ecr.aws/karpenter, chart: karpenter, targetRevision: ${version} }
`;
const UMBRELLA = (version: string) => `apiVersion: v2
name: cluster-addons
version: 0.1.0
dependencies: [{ name: karpenter, version: ${version}, repository: "oci://public.ecr.aws/karpenter" }]
`;
const DEPLOYED = (version: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: karpenter, namespace: kube-system }
spec:
  selector: { matchLabels: { app: karpenter } }
  template:
    metadata: { labels: { app: karpenter } }
    spec: { containers: [{ name: controller, image: "public.ecr.aws/karpenter/controller:${version}@sha256:0a1b" }] }
`;
const EKSCTL = (version: string) => `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: { name: main, region: us-east-1 }
karpenter: { version: "${version}" }
`;
const PROVISIONER = `apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: { name: default }
spec:
  requirements: [{ key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }]
`;

const file = (path: string, text: string) => ({ path, text, isFound: true });
const root = (name: string, text: string): Root => ({
  name,
  kind: 'kustomization',
  sources: [file(`${name}/all.yaml`, text)],
  notes: [],
});
const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');

/** The release that each root is judged with, with the other files of the repository. */
function releases(roots: readonly Root[], ...others: SourceFile[]) {
  const files = [...roots.flatMap(({ sources }) => sources), ...others];
  return withKarpenterOfRepository(roots, files).map(({ sources }) => {
    const sentence = check(sources).assumptions.find((text) => text.startsWith('Karpenter is '))!;
    return /^Karpenter is ([\d.]+\d)/.exec(sentence)![1];
  });
}

const KARPENTER_TF = (version: string) => `resource "helm_release" "karpenter" {
  name    = "karpenter"
  chart   = "oci://public.ecr.aws/karpenter/karpenter"
  # version = "0.1.0"
  version = ${version}
}

resource "helm_release" "other" {
  chart   = "keda"
  version = "2.14.0"
}
`;
const VARIABLES = `variable "karpenter_chart_version" {
  type    = string
  default = "v1.2.1"
}
`;
const SCRIPT = `#!/bin/bash
# helm upgrade --install karpenter oci://public.ecr.aws/karpenter/karpenter --version 0.1.0
helm upgrade --install keda kedacore/keda --version 2.14.0
helm upgrade --install karpenter oci://public.ecr.aws/karpenter/karpenter \\
  --namespace kube-system --version "1.2.1" --wait
`;

describe('the release that a repository installs', () => {
  test.each([
    ['a HelmRelease', 'flux/karpenter.yaml', FLUX('v1.2.1')],
    ['an Application', 'argocd/karpenter.yaml', ARGO('1.2.1')],
    ['an umbrella chart', 'charts/addons/Chart.yaml', UMBRELLA('v1.2.1')],
    ['an image', 'controller/deployment.yaml', DEPLOYED('v1.2.1')],
    ['an eksctl cluster', 'eksctl/cluster.yaml', EKSCTL('v1.2.1')],
  ])('is that of %s in another folder', (_, path, text) => {
    expect(releases([root('nodes', POOLS)], file(path, text))).toEqual(['1.2.1']);
  });

  test.each([
    ['a helm_release', 'main.tf', KARPENTER_TF('"1.2.1"')],
    ['a helm_release with line breaks of Windows', 'main.tf', KARPENTER_TF('"1.2.1"').replaceAll('\n', '\r\n')],
    [
      'a local value',
      'main.tf',
      `locals {\n  karpenter_version = "v1.2.1"\n}\n${KARPENTER_TF('local.karpenter_version')}`,
    ],
    ['a default of a variable', 'variables.tf', `${VARIABLES}${KARPENTER_TF('var.karpenter_chart_version')}`],
    ['a variable file', 'prod.tfvars', 'region = "eu-west-1"\nkarpenter_version = "1.2.1"\n'],
    ['a helm command of a script', 'install.sh', SCRIPT],
    [
      'a variable of the helm command',
      'install.sh',
      'KARPENTER_VERSION=1.2.1\necho $KARPENTER_VERSION\nhelm install karpenter karpenter/karpenter --version "${KARPENTER_VERSION}"\n',
    ],
    ['an exported variable', 'env.sh', 'export KARPENTER_VERSION="${KARPENTER_VERSION:-1.2.1}" # first\n'],
  ])('is that of %s', (_, path, text) => {
    expect(releases([root('nodes', POOLS)], ...karpenterTrace(file(path, text), extname(path)))).toEqual(['1.2.1']);
  });

  test.each([
    ['a variable without default', 'main.tf', KARPENTER_TF('var.karpenter_version')],
    ['several releases', 'main.tf', KARPENTER_TF('"1.2.1"') + VARIABLES.replace('1.2.1', '1.3.3')],
    [
      'a variable that is only printed',
      'install.sh',
      'KARPENTER_VERSION=1.2.1\necho "installing ${KARPENTER_VERSION}"\n',
    ],
    [
      'a variable that the helm command does not use',
      'install.sh',
      'export KARPENTER_VERSION="v1.2.1"\nhelm upgrade --install karpenter oci://public.ecr.aws/karpenter/karpenter -f values.yaml\n',
    ],
    ['the newest one', 'install.sh', 'KARPENTER_VERSION=$(curl https://api.github.com)\n'],
  ])('is unknown for %s', (_, path, text) => {
    expect(karpenterTrace(file(path, text), extname(path))).toMatchObject([{ trace: {} }]);
  });

  test('is that of a default in another file only if something uses the variable', () => {
    const trace = (path: string, text: string) => karpenterTrace(file(path, text), '.tf');
    const defaults = trace('eks/variables.tf', VARIABLES);
    const use = trace('eks/main.tf', KARPENTER_TF('var.karpenter_chart_version'));
    expect(releases([root('nodes', POOLS)], ...defaults)).toEqual(['1.15.1']);
    expect(releases([root('nodes', POOLS)], ...defaults, ...use)).toEqual(['1.2.1']);
  });

  test('is that of lines that are commented out, if no other file says one', () => {
    const commented = karpenterTrace(file('addons.tf', KARPENTER_TF('"1.2.1"').replace(/^/gm, '# ')), '.tf');
    const written = karpenterTrace(file('main.tf', KARPENTER_TF('"1.3.3"')), '.tf');
    expect(releases([root('nodes', POOLS)], ...commented)).toEqual(['1.2.1']);
    expect(releases([root('nodes', POOLS)], ...commented, ...written)).toEqual(['1.3.3']);
  });

  test('is that of the same environment', () => {
    const roots = [root('nodes/dev', POOLS), root('nodes/prod', POOLS)];
    const installed = [file('flux/dev/karpenter.yaml', FLUX('1.3.3')), file('flux/prod/karpenter.yaml', FLUX('1.1.0'))];
    expect(releases(roots, ...installed)).toEqual(['1.3.3', '1.1.0']);
  });

  test('is that of all environments if the own one installs none', () => {
    const installed = [file('base/karpenter.yaml', FLUX('1.3.3')), file('dev/karpenter.yaml', FLUX('1.1.0'))];
    expect(releases([root('nodes/prod', POOLS)], ...installed)).toEqual(['1.3.3']);
  });

  test('is unknown if the environment installs several releases', () => {
    const several = [file('a/karpenter.yaml', FLUX('1.3.3')), file('b/karpenter.yaml', FLUX('1.1.0'))];
    expect(releases([root('nodes', POOLS)], ...several)).toEqual(['1.15.1']);
  });

  test('is the newest one that serves the objects if the environment installs several', () => {
    const several = [...['0.31.0', 'v0.36.0', '0.37.0', '1.4.0']].map((version, index) =>
      file(`${index}/karpenter.yaml`, FLUX(version)),
    );
    const beta = POOLS.replaceAll('karpenter.sh/v1\n', 'karpenter.sh/v1beta1\n').replaceAll(
      'karpenter.k8s.aws/v1\n',
      'karpenter.k8s.aws/v1beta1\n',
    );
    expect(releases([root('nodes', beta), root('old', PROVISIONER)], ...several)).toEqual(['0.37.0', '0.31.0']);
  });

  test('is no reason for an error if it installs several and none serves all objects', () => {
    const several = [file('a/karpenter.yaml', FLUX('0.27.5')), file('b/karpenter.yaml', FLUX('1.1.0'))];
    const both = root('nodes', [POOLS, PROVISIONER.replace('name: default', 'name: old')].join('---\n'));
    const [{ sources, notes }] = withKarpenterOfRepository([both], several);
    expect(check(sources).findings.filter(({ rule }) => rule === 'KARP-101')).toEqual([]);
    expect(notes).toEqual([
      'the repository installs Karpenter 0.27.5 and 1.1.0: no object is reported that one of them serves',
    ]);
  });

  test('leaves an object an error that none of several serves', () => {
    const several = [file('a/karpenter.yaml', FLUX('1.2.1')), file('b/karpenter.yaml', FLUX('1.1.0'))];
    const [{ sources }] = withKarpenterOfRepository([root('nodes', PROVISIONER)], several);
    expect(check(sources).findings.filter(({ rule }) => rule === 'KARP-101')).toHaveLength(1);
  });

  test('is the newest one of a range', () => {
    expect(releases([root('nodes', POOLS)], file('a/karpenter.yaml', FLUX('~1.8')))).toEqual(['1.8.6']);
  });

  test('is that of an ApplicationSet, a helmfile, an umbrella chart or a kustomization', () => {
    const source = { repoURL: 'public.ecr.aws/karpenter', chart: 'karpenter', targetRevision: '1.3.x' };
    const set = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'karpenter' },
      spec: { generators: [{ clusters: {} }], template: { metadata: { name: '{{name}}' }, spec: { source } } },
    };
    const chart = { name: 'karpenter', version: '1.3.3' };
    const files = {
      'apps/karpenter.yaml': set,
      'helmfile.yaml': { releases: [{ name: 'k', chart: 'karpenter/karpenter', version: '1.3.3' }] },
      'umbrella/Chart.yaml': { dependencies: [{ ...chart, version: '~1.3.0' }] },
      'overlay/kustomization.yaml': { helmCharts: [chart] },
    };
    for (const [path, content] of Object.entries(files))
      expect([path, releases([root('nodes', POOLS)], file(path, JSON.stringify(content)))]).toEqual([path, ['1.3.3']]);
  });

  test('is overridden by what a root installs itself', () => {
    const own = root('nodes', [POOLS, FLUX('1.4.0')].join('---\n'));
    expect(releases([own], file('flux/karpenter.yaml', FLUX('1.2.1')))).toEqual(['1.4.0']);
  });

  test('serves objects of the API versions of its time', () => {
    const roots = [root('nodes', PROVISIONER)];
    const [{ sources, notes }] = withKarpenterOfRepository(roots, [file('flux/karpenter.yaml', FLUX('v0.23.0'))]);
    expect(notes).toEqual(['with Karpenter 0.23.0 of flux/karpenter.yaml']);
    const messages = check(sources).findings.filter(
      ({ rule, severity }) => rule === 'KARP-101' && severity === 'error',
    );
    expect(messages).toEqual([]);
  });
});

describe('a repository without Karpenter', () => {
  const WEB = root('k8s', deployment('web', 2, SMALL));

  function missingPools(roots: readonly Root[], ...others: SourceFile[]) {
    const [{ sources }] = withKarpenterOfRepository(roots, [...roots.flatMap((one) => one.sources), ...others]);
    return check(sources).findings.filter(({ rule }) => rule === 'KARP-003' || rule === 'KARP-004');
  }

  test('gets a warning that no pod is planned', () => {
    expect(missingPools([WEB], file('db/values.yaml', 'image: postgres\n'))).toMatchObject([
      {
        severity: 'warning',
        message: '2 pods are not planned, because the input has no NodePool, and no file names Karpenter',
      },
    ]);
  });

  test.each([
    ['a chart', file('addons/values.yaml', 'karpenter: { enabled: true }\n')],
    ['an IAM role in Terraform', karpenterTrace(file('iam.tf', 'module "karpenter" {}\n'), '.tf')[0]],
    ['the name of a file', file('addons/karpenter.yaml', 'a: 1\n')],
  ])('is another one than that with %s, which gets an error', (_, trace) => {
    expect(missingPools([WEB], trace)).toMatchObject([{ rule: 'KARP-003', severity: 'error' }]);
  });

  test('is not assumed of files that are named', () => {
    const named = { ...WEB, sources: WEB.sources.map((source) => ({ ...source, isFound: false })) };
    expect(missingPools([named])).toMatchObject([{ rule: 'KARP-003', severity: 'error' }]);
  });

  test('gets an error if the cluster has no NodePool either', () => {
    const [{ sources }] = withKarpenterOfRepository([WEB], WEB.sources);
    const { findings } = check(sources, { cluster: [file('cluster.yaml', 'apiVersion: v1\nkind: List\nitems: []\n')] });
    expect(findings.filter(({ rule }) => rule === 'KARP-003')).toMatchObject([{ severity: 'error' }]);
  });
});
