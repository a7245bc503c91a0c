import { check, renderText } from '../../../src/validation';
import { deployment, manifests, SMALL } from '../setup';

interface PoolFields {
  readonly name?: string;
  readonly fields?: string;
  readonly nodeClass?: string;
}

function pool({ name = 'web', fields = '', nodeClass: ref = 'main' }: PoolFields = {}): string {
  return `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: ${name} }
spec:
  limits: { cpu: 100 }
  template:
    spec:
      expireAfter: Never
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: ${ref} }
      requirements:
      - { key: node.kubernetes.io/instance-type, operator: In, values: [m5.large] }
      - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
${fields}`;
}

function nodeClass(fields = ''): string {
  return `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: { name: main }
spec:
  role: node
  amiSelectorTerms: [{ alias: al2023@v20250501 }]
  subnetSelectorTerms: [{ tags: { a: b } }]
  securityGroupSelectorTerms: [{ tags: { a: b } }]
${fields}`;
}

const CORRECTED = /^None of the 3 pods fits as it is: the API server rejects NodePool web; with that corrected, all 3/;
const WEB = deployment('web', 3, SMALL);
const kubelet = (maxPods: number) => `      kubelet: { maxPods: ${maxPods} }\n`;

/** The outcome as a single line. */
function outcomeOf(...documents: readonly string[]): string {
  return renderText(check(manifests(...documents)), { width: 1000 }).split('\n')[0];
}

describe('a NodePool with an unknown field', () => {
  test('is planned as if the field were removed, and launches nothing as it is', () => {
    const taint = '      startupTaints: [{ key: init, effect: NoSchedule, operator: Exists }]\n';
    expect(outcomeOf(nodeClass(), pool({ fields: taint }), WEB)).toMatch(CORRECTED);
  });

  test('is not evaluated if the field is a misspelt one', () => {
    expect(outcomeOf(nodeClass(), pool({ fields: '      taint: [{ key: a, effect: NoSchedule }]\n' }), WEB)).toMatch(
      /^None of the 3 pods is evaluated/,
    );
  });
});

describe('a NodePool with settings of the kubelet', () => {
  test('is planned as if its EC2NodeClass had them', () => {
    // One pod of the three is left for each node, beside aws-node and kube-proxy.
    const { nodeClaims } = check(manifests(nodeClass(), pool({ fields: kubelet(3) }), WEB), {
      systemDaemonSets: 'eks',
    });
    expect(nodeClaims).toHaveLength(3);
    expect(outcomeOf(nodeClass(), pool({ fields: kubelet(110) }), WEB)).toMatch(CORRECTED);
  });

  test.each([
    ['the class has settings of its own', [nodeClass('  kubelet: { maxPods: 50 }\n'), pool({ fields: kubelet(110) })]],
    ['another NodePool of the class has none', [nodeClass(), pool({ fields: kubelet(110) }), pool({ name: 'other' })]],
    ['the settings are invalid', [nodeClass(), pool({ fields: kubelet(-1) })]],
    ['the class is not in the input', [pool({ fields: kubelet(110) })]],
  ])('is not evaluated if %s', (_, documents) => {
    const { nodeClaims } = check(manifests(...documents, WEB));
    expect(nodeClaims.filter(({ nodePool }) => nodePool === 'web')).toEqual([]);
  });

  test('gives the class those settings that most NodePools have', () => {
    const documents = [
      nodeClass(),
      pool({ name: 'a', fields: kubelet(40) }),
      pool({ name: 'b', fields: kubelet(110) }),
      pool({ name: 'c', fields: kubelet(110) }),
    ];
    const { assumptions } = check(manifests(...documents, WEB));
    expect(assumptions.filter((text) => text.includes('NodePool a is not evaluated'))).toHaveLength(1);
    expect(assumptions.filter((text) => /NodePool [bc] is not evaluated/.test(text))).toEqual([]);
  });
});
