import { check, readCrds } from '../../../src/validation';

const CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: nodepools.karpenter.sh }
spec:
  group: karpenter.sh
  scope: Cluster
  names: { kind: NodePool, plural: nodepools }
  versions:
  - name: v1
    served: true
    subresources: { status: {} }
    schema:
      openAPIV3Schema:
        type: object
        description: of no weight
        properties:
          spec:
            type: object
            properties:
              weight: { type: integer, maximum: 5 }
              limits:
                type: object
                additionalProperties: { x-kubernetes-int-or-string: true }
              memory: { type: string }
              names: { type: array, items: { type: string } }
            x-kubernetes-validations:
            - { rule: "!has(self.weight) || self.weight != 3", message: three is taken }
            - { rule: "!has(self.memory) || quantity(self.memory).isLessThan(quantity('1Gi'))", message: too much }
            - { rule: "!has(self.names) || self.names.map(n, n.upperAscii()).all(n, n != 'ADMIN')", message: nobody is admin }
            - { rule: "self == oldSelf", message: never asked }
`;
const pool = (spec: string) => ({
  path: 'pool.yaml',
  text: `apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: { name: a }\nspec: ${spec}\n`,
});
const readText = (text: string) => readCrds([{ path: 'crd.yaml', text }]);

function rejectionsOf(spec: string): string[] {
  const { findings } = check([pool(spec)], { crds: readText(CRD) });
  return findings.filter(({ rule }) => rule === 'KARP-100').map(({ message }) => message);
}

describe('readCrds', () => {
  test.each([
    ['{ weight: 6 }', ['spec.weight: must be an integer of at most 5, got 6']],
    ['{ weight: 3 }', ['spec: violates a rule of the CRD: three is taken, got {"weight":3}']],
    ['{ memory: 2Gi }', ['spec: violates a rule of the CRD: too much, got {"memory":"2Gi"}']],
    ['{ memory: lots }', ['spec: violates a rule of the CRD: too much, got {"memory":"lots"}']],
    ['{ names: [Admin] }', ['spec: violates a rule of the CRD: nobody is admin, got {"names":["Admin"]}']],
    ['{ template: {} }', ['spec.template: is no field of the API, and is dropped by clients that do not refuse it']],
    ['{ memory: 500Mi, names: [a], weight: 5, limits: { cpu: 1 } }', []],
  ])('judges %s by the schema and rules of the CRD', (spec, messages) => {
    expect(rejectionsOf(spec)).toEqual(messages);
  });

  test('reads CRDs in a List, as kubectl prints them', () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n- ${CRD.trim().replaceAll('\n', '\n  ')}\n`;
    expect(readText(list).map(({ kind }) => kind)).toEqual(['NodePool']);
  });

  test('rejects a kind that the CRDs do not define', () => {
    const overlay = {
      path: 'a.yaml',
      text: 'apiVersion: karpenter.sh/v1alpha1\nkind: NodeOverlay\nmetadata: { name: a }\nspec: { requirements: [] }\n',
    };
    const [finding] = check([overlay], { crds: readText(CRD) }).findings;
    expect(finding).toMatchObject({
      rule: 'KARP-100',
      message: 'kind: is not served at karpenter.sh/v1alpha1: the CRDs do not define it, got "NodeOverlay"',
    });
  });

  test('states the given CRDs in the assumptions', () => {
    expect(check([pool('{}')], { crds: readText(CRD) }).assumptions).toContain('the cluster has the given CRDs');
  });

  test.each([
    [
      'files without a Karpenter CRD',
      CRD.replace('group: karpenter.sh', 'group: example.com'),
      'no CustomResourceDefinition of NodePool, NodeClaim',
    ],
    [
      'a rule that is not CEL',
      CRD.replace('self.weight != 3', 'self.weight !='),
      'crd.yaml: invalid validation rule or pattern',
    ],
    ['a file that is not YAML', 'a: [', 'crd.yaml:1: invalid YAML'],
    [
      'an invalid pattern',
      CRD.replace('memory: { type: string }', 'memory: { type: string, pattern: "(" }'),
      'crd.yaml: invalid validation rule or pattern, got "("',
    ],
  ])('throws for %s', (_, text, message) => {
    expect(() => readText(text)).toThrow(message);
  });

  test('warns about a rule with unsupported functions', () => {
    const crds = readText(CRD.replace('self.weight != 3', 'ip(self.memory).isLoopback()'));
    const [finding] = check([pool('{ weight: 1, memory: 500Mi }')], { crds }).findings.filter(
      ({ rule }) => rule === 'KARP-100',
    );
    expect(finding).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('cannot be evaluated against the rule') as unknown,
    });
  });
});
