import { readManifests } from '../../../../src/validation';
import { pod, problems, read } from '../manifests';

const CLASS = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: { name: default }
spec:
  role: ROLE
  amiSelectorTerms: [{ alias: al2023@v20250505 }]
  subnetSelectorTerms: [{ tags: { karpenter.sh/discovery: demo } }]
  securityGroupSelectorTerms: [{ tags: { karpenter.sh/discovery: demo } }]
`;

/** An EC2NodeClass with this role. */
function classWith(role: string): string {
  return CLASS.replace('ROLE', role);
}

/** A NodePool; the YAML of its spec and of its template's spec is inserted. */
function pool(name: string, spec = '', nodeSpec = ''): string {
  return `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: "${name}" }
spec:
${spec}  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
      requirements: [{ key: karpenter.sh/capacity-type, operator: In, values: [spot] }]
${nodeSpec}`;
}

describe('a placeholder as a value', () => {
  test.each([
    ['${var.node_role}', 'Terraform'],
    ['${jsonencode({ a = "b: c" })}', 'Terraform'],
    ['${module.karpenter.node_iam_role_name}', 'Terraform'],
    ['${node_role}', 'Terraform, envsubst or Flux'],
    ['Karpenter-$CLUSTER', 'envsubst or Flux'],
    ['${NODE_ROLE}', 'envsubst or Flux'],
    ['{{ .Values.role }}', 'Helm'],
    ['{{ .role }}', 'a Go template'],
    ['{{ role }}', 'Jinja'],
    ['"${{ values.role }}"', 'Backstage or a pipeline'],
    ['${{ values.role }}', 'Backstage or a pipeline'],
    ['$(ROLE)', 'kustomize or a pipeline'],
    ['<NODE_ROLE>', 'sed or an editor'],
    ['"[NODE_ROLE]"', 'sed or an editor'],
    ['__NODE_ROLE__', 'sed or an editor'],
    ['@NODE_ROLE@', 'sed or an editor'],
  ])('%s is known only to %s', (role, filledInBy) => {
    const model = read(classWith(role));
    const text = role.replace(/^"|"$/g, '');
    expect(problems(model)).toEqual([
      `5:3 KARP-009 1 value in the file is known only to ${filledInBy}: ${text}; the rest of the file is judged`,
    ]);
    expect(model.nodeClasses[0].facts).toMatchObject({ name: 'default', amiFamily: 'AL2023' });
    expect(model.nodeClasses[0].object.raw.spec!.role).toBe(text);
  });

  test('is named after the tool that the extension of the file stands for', () => {
    const [note] = readManifests([{ path: 'class.yaml.tftpl', text: classWith('${node_role}') }]).problems;
    expect(note.evidence).toEqual({ values: ['${node_role}'], filledInBy: ['Terraform'] });
  });

  test('is noted once for a file, with the first values', () => {
    const text = ['a', 'b', 'c', 'd', 'e']
      .map((name) => classWith(`\${${name}}`).replace('default', name))
      .join('---\n');
    expect(problems(read(text))).toEqual([
      '5:3 KARP-009 5 values in the file are known only to Terraform, envsubst or Flux: ${a}, ${b}, ${c}, ${d} and 1 more; the rest of the file is judged',
    ]);
  });

  test('in the name of a NodePool, or in what does not decide its nodes, leaves it to be planned', () => {
    const [one] = read(pool('${name}-spot', '', '      expireAfter: ${expiry}\n')).nodePools;
    expect(one).toMatchObject({ spec: { name: '${name}-spot', nodeClass: 'default' }, tokens: [] });
  });

  test('in a limit or requirement makes the NodePool unknown, and no error', () => {
    const model = read(pool('spot', '  limits: { cpu: "${LIMIT}" }\n'));
    expect(model.nodePools[0]).toMatchObject({ spec: undefined, tokens: ['spec.limits.cpu'] });
    expect(model.problems.map(({ rule }) => rule)).toEqual(['KARP-009']);
  });

  test('in user data and commands is the shell’s', () => {
    const userData = classWith('node').replace('spec:\n', 'spec:\n  userData: |\n    echo ${HOME} $PATH\n');
    const command = pod('  containers: [{ name: main, args: ["$(POD_NAME)", "${X}"] }]\n');
    expect(problems(read(`${userData}---\n${command}`))).toEqual([]);
  });

  test('in the labels of pods is compared as a text', () => {
    const spread =
      '  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: "${APP}" } } }]\n';
    const text = pod(`${spread}  containers: [{ name: main }]\n`).replace(
      '  name: web\n',
      '  name: web\n  labels: { app: "${APP}" }\n',
    );
    expect(read(text).workloads[0].shape).toMatchObject({ labels: { app: '${APP}' }, notEvaluated: [] });
  });

  test('in a request leaves the pod out', () => {
    const text = pod('  containers: [{ name: main, resources: { requests: { cpu: "${CPU}" } } }]\n');
    expect(read(text).workloads[0].shape!.notEvaluated).toEqual([
      'spec.containers[0].resources.requests.cpu, which is known only at deployment',
    ]);
  });

  test('over several lines keeps the lines of the fields after it', () => {
    const text = classWith('${join("-", [\n  var.cluster,\n  "node",\n])}').replace('al2023@v20250505', 'al9');
    expect(read(text).problems.map(({ rule, location: { line } }) => [rule, line])).toEqual(
      expect.arrayContaining([
        ['KARP-009', 5],
        ['KARP-100', 9],
      ]),
    );
  });
});

describe('a line that decides which lines a file has', () => {
  test.each([
    ['{{- if .Values.spot }}', 'Helm', 'helm template'],
    ['{% for zone in zones %}', 'Jinja', 'fill them in'],
    ['%{ for zone in zones ~}', 'Terraform', 'terraform show -json'],
  ])('%s is one warning for the file', (line, filledInBy, remedy) => {
    const text = `${classWith('node')}${line}\n---\n${line}\n${pool('spot')}`;
    const [problem, ...others] = read(text).problems.filter(({ rule }) => rule === 'KARP-001');
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      severity: 'warning',
      location: { line: 9 },
      message: expect.stringContaining(
        `the file is a template of ${filledInBy}, and no YAML before it is rendered: ${line}`,
      ),
      remedy: expect.stringContaining(remedy),
    });
  });

  test('is no excuse for a mistake in a file without one', () => {
    expect(problems(read('apiVersion: v1\nkind: [\n'))[0]).toMatch(/KARP-001 invalid YAML/);
  });
});
