import { check, readSession } from '../../../src/validation';
import { ChanceFindings } from '../../../src/validation/recommend/chance-findings';
import { recommendFor } from '../../../src/validation/recommend/recommend';
import { newFindings, trialOf } from '../../../src/validation/recommend/trial';
import { renderRecommendationsText } from '../../../src/validation/report/text/recommendations';
import { deployment, manifests, NODE_CLASS } from '../setup';

const options = { karpenterVersion: '1.15.1', region: 'us-east-1' };
const pool = (types: string) => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: general }
spec:
  limits: { cpu: 1000, memory: 4000Gi }
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: main }
      requirements:
        - { key: node.kubernetes.io/instance-type, operator: In, values: [${types}] }
        - { key: node.kubernetes.io/instance-type, operator: NotIn, values: [m5.large] }
        - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
        - { key: kubernetes.io/arch, operator: In, values: [amd64] }
`;
const AGENT = `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: log-agent }
spec:
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec:
      containers: [{ name: agent, image: agent, resources: { requests: { cpu: 300m, memory: 512Mi } } }]
`;

describe('a finding of the changed files', () => {
  test('is no objection if it has a remedy, which is then part of the recommendation', () => {
    const runner = deployment('runner', 30, 'cpu: 450m, memory: 1Gi');
    const sources = manifests(NODE_CLASS, pool('m7i.large, m7i.24xlarge'), AGENT, runner);
    const result = recommendFor(readSession(sources, options), { files: sources });
    const [{ remedies, files }] = result.recommendations;
    expect(remedies).toMatchObject([
      {
        rule: 'KARP-303',
        object: 'DaemonSet log-agent',
        fix: { title: 'write priorityClassName: system-node-critical' },
      },
    ]);
    expect(check(files, options).findings.map(({ rule }) => rule)).not.toContain('KARP-303');
    expect(renderRecommendationsText(result, sources)).toContain(
      '   Also in DaemonSet log-agent: write priorityClassName: system-node-critical; check finds KARP-303 otherwise.\n',
    );
  });

  test('is no objection if the present files lead to it with other random names', () => {
    const web = Array.from({ length: 3 }, (_, index) =>
      deployment(`web${index}`, 2 + (index % 2), `cpu: ${2000 + 500 * index}m, memory: 1Gi`),
    );
    const sessionWith = (types: string) =>
      readSession(manifests(NODE_CLASS, pool(types), ...web), { ...options, settle: {} });
    const session = sessionWith('m7i.2xlarge');
    const findings = newFindings(trialOf(session), trialOf(sessionWith('m7i.24xlarge')));
    expect(findings.map(([, { text }]) => text)).toEqual(
      ['web1', 'web2'].map((name) => `KARP-402 about Deployment ${name}`),
    );
    // In the fleets that are compared, the pods of web1 never have one node.
    const made = new ChanceFindings(session).without(findings);
    expect(made.map(([, { text }]) => text)).toEqual(['KARP-402 about Deployment web1']);
  });
});
