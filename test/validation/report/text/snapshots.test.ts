import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { printedLength } from '../../../../src/model';
import { check, renderText, Verdict } from '../../../../src/validation';
import { reportFleet } from '../../../support/report-fleet';
import { dump, node, pod } from '../../cluster/dump';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../setup';

const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
/** A PodDisruptionBudget and a spread over zones keep the small setup free of findings. */
const PROTECTED = deployment(
  'web',
  3,
  `${SMALL} }, limits: { memory: 1Gi`,
  `      topologySpreadConstraints:
      - { topologyKey: topology.kubernetes.io/zone, maxSkew: 1, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }
`,
);
const BUDGET = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: AlwaysAllow, selector: { matchLabels: { app: web } } }
`;
const BIG = deployment('big', 2, 'cpu: 2, memory: 15Gi');
const POOL = nodePool(['m5.large', 'm5.xlarge']);

const file = (...documents: string[]) => [{ path: 'setup.yaml', text: documents.join('---\n') }];
const running = ZONES.map((zone, index) =>
  node(`ip-10-0-${index}-7.ec2.internal`, {
    labels: {
      'karpenter.sh/nodepool': 'default',
      'node.kubernetes.io/instance-type': 'm5.large',
      'topology.kubernetes.io/zone': zone,
      'karpenter.sh/capacity-type': 'on-demand',
    },
  }),
);

const VERDICTS: Readonly<Record<string, () => Verdict>> = {
  fleet: () => check(reportFleet()),
  healthy: () => check(file(NODE_CLASS, POOL, PROTECTED, BUDGET)),
  broken: () => check(file(NODE_CLASS.replace('role:', 'roel:'), POOL, BIG, PROTECTED)),
  cluster: () =>
    check(file(NODE_CLASS, POOL, deployment('web', 12, SMALL)), {
      cluster: dump(
        ...running,
        pod('agent', { on: 'ip-10-0-0-7.ec2.internal' }),
        pod('other', { on: 'ip-10-0-1-7.ec2.internal' }),
      ),
    }),
};
/** The most lines of each report at 100 columns. */
const MAX_LINES: Readonly<Record<string, number>> = { fleet: 65, healthy: 25, broken: 65, cluster: 35 };

describe.each(Object.keys(VERDICTS))('the text report on the %s setup', (name) => {
  const verdict = VERDICTS[name]();

  test.each([80, 120])('is as in its file at %d columns, with no longer line', (width) => {
    const path = join(__dirname, 'snapshots', `${name}-${width}.txt`);
    const text = renderText(verdict, { width });
    if (process.env.UPDATE_SNAPSHOTS) writeFileSync(path, text);
    expect(text).toBe(readFileSync(path, 'utf8'));
    expect(text.split('\n').filter((line) => printedLength(line) > width)).toEqual([]);
  });

  test('fits its number of lines at 100 columns', () => {
    expect(renderText(verdict).trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES[name]);
  });
});
