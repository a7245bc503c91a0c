import { check, CheckOptions, RULES } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const POOL = nodePool(['m5.large']);
const rulesIn = (documents: readonly string[], options: CheckOptions = {}) =>
  check(manifests(...documents), options).findings.map(({ rule }) => rule);

function withVolume(storageClass: string): string {
  return `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  replicas: 1
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: main, resources: { requests: { ${SMALL} } } }] }
  volumeClaimTemplates:
  - metadata: { name: data }
    spec: { accessModes: [ReadWriteOnce], storageClassName: ${storageClass}, resources: { requests: { storage: 1Gi } } }
`;
}

describe('a node class that is assumed', () => {
  const large = deployment('web', 1, `${SMALL}, ephemeral-storage: 50G`);

  test('has a disk that is large enough, because the real one is not known', () => {
    const { summary, findings, assumptions } = check(manifests(POOL, large));
    expect(summary).toMatchObject({ scheduledPods: 1, errors: 0 });
    expect(findings.map(({ rule }) => rule)).not.toContain('KARP-301');
    expect(assumptions[0]).toContain('with a root volume that is large enough');
  });

  test('does not hide that the disk of a class in the input is too small', () => {
    expect(rulesIn([NODE_CLASS, POOL, large])).toContain('KARP-301');
  });
});

test('zones that a NodePool requires and that only Terraform knows are all zones that are known', () => {
  const requirement = (values: string) => `{ key: topology.kubernetes.io/zone, operator: In, values: ${values} }`;
  const pool = (values: string) => POOL.replace('requirements:', `requirements:\n      - ${requirement(values)}`);
  const verdictOf = (values: string) => check(manifests(NODE_CLASS, pool(values), deployment('web', 1, SMALL)));
  const sentence =
    'the zones of NodePool default are known only at deployment: all zones of the region that are known are taken';
  for (const values of ['"${slice(data.aws_availability_zones.all.names, 0, 3)}"', '["${A}", "${B}"]']) {
    const { summary, assumptions } = verdictOf(values);
    expect(summary).toMatchObject({ scheduledPods: 1, errors: 0 });
    expect(assumptions).toContain(sentence);
  }
  expect(verdictOf('[us-east-1a, "${B}"]').summary.scheduledPods).toBe(0);
});

test('pods that select a zone are not evaluated if a NodePool has zones that only Terraform knows', () => {
  const zones = '{ key: topology.kubernetes.io/zone, operator: In, values: "${var.zones}" }';
  const pool = POOL.replace('requirements:', `requirements:\n      - ${zones}`);
  const inZone = deployment('db', 2, SMALL, '      nodeSelector: { topology.kubernetes.io/zone: us-east-1a }\n');
  const { summary, notEvaluated } = check(manifests(NODE_CLASS, pool, deployment('web', 1, SMALL), inZone));
  expect([summary.pods, summary.scheduledPods]).toEqual([3, 1]);
  expect(JSON.stringify(notEvaluated)).toContain('the zones of NodePool default, which are known only at deployment');
});

describe('StorageClasses that the input lacks', () => {
  test('leave pods unevaluated, with the option to declare them', () => {
    const { summary, findings } = check(manifests(NODE_CLASS, POOL, withVolume('gp3')));
    expect(summary).toMatchObject({ pods: 1, scheduledPods: 0 });
    expect(findings.find(({ rule }) => rule === 'KARP-004')).toMatchObject({
      severity: 'error',
      remedy: 'if the cluster has it, pass --storage-classes gp3',
    });
  });

  test('are only a warning at synth, because an app seldom contains them', () => {
    const { findings } = check(manifests(NODE_CLASS, POOL, withVolume('gp3')), { isSynth: true });
    expect(findings.find(({ rule }) => rule === 'KARP-004')).toMatchObject({
      severity: 'warning',
      remedy: "if the cluster has it, set storageClasses: ['gp3'] of the verdict",
    });
  });

  test('can be declared', () => {
    const { summary, assumptions } = check(manifests(NODE_CLASS, POOL, withVolume('gp3')), { storageClasses: ['gp3'] });
    expect(summary).toMatchObject({ scheduledPods: 1, errors: 0 });
    expect(assumptions.join('\n')).toContain('StorageClass gp3 is not in the input: volumes are assumed');
  });

  test('include gp2 of EKS, which is assumed and said', () => {
    const { summary, assumptions } = check(manifests(NODE_CLASS, POOL, withVolume('gp2')));
    expect(summary).toMatchObject({ scheduledPods: 1, errors: 0 });
    expect(assumptions.join('\n')).toContain('StorageClass gp2 is not in the input');
  });

  test('make nodes run the EBS CSI driver', () => {
    const options: CheckOptions = { storageClasses: ['gp3'], systemDaemonSets: 'eks' };
    const { assumptions } = check(manifests(NODE_CLASS, POOL, withVolume('gp3')), options);
    expect(assumptions.join('\n')).toContain('kube-proxy and ebs-csi-node are not in the input');
  });
});

test('a PriorityClass that is declared is no finding', () => {
  const urgent = deployment('web', 1, SMALL, '      priorityClassName: urgent\n');
  expect(RULES.map(({ id }) => id)).toContain('KARP-117');
  expect(rulesIn([NODE_CLASS, POOL, urgent])).toContain('KARP-117');
  expect(rulesIn([NODE_CLASS, POOL, urgent], { priorityClasses: ['urgent'] })).not.toContain('KARP-117');
});
