import { comparePolicies } from '../../../../src/validation';
import { readSession } from '../../../../src/validation/context/check-session';
import { deployment, NODE_CLASS, nodePool } from '../../setup';

const SCALED_OBJECT = `apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: { name: web }
spec:
  scaleTargetRef: { name: web }
  minReplicaCount: 1
  maxReplicaCount: 6
  triggers: [{ type: aws-sqs-queue, metadata: { queueURL: q, queueLength: "5", awsRegion: us-east-1 } }]
`;
const AUTOSCALER = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 1
  maxReplicas: 6
`;
const dayWith = (...documents: string[]) => {
  const text = [NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, 'cpu: 1'), ...documents].join('---\n');
  return comparePolicies(readSession([{ path: 'all.yaml', text }]), { rollouts: 0 });
};

test('nodes of the manifests live from the beginning of the day, which is before the scenario starts', () => {
  const text = [NODE_CLASS, nodePool(['m5.large']), deployment('web', 3, 'cpu: 1')].join('---\n');
  const { policies, assumptions } = comparePolicies(readSession([{ path: 'all.yaml', text }]));
  const lifetimes = policies.flatMap(({ day }) => day.medianLifetimeHours ?? []);
  expect(lifetimes.length).toBeGreaterThan(0);
  expect(Math.min(...lifetimes)).toBeGreaterThan(0);
  expect(assumptions).toContainEqual(expect.stringMatching(/^on-demand prices of .* prices of \d{4}-\d\d-\d\d$/));
});

test('a ScaledObject of KEDA scales its workload over the day as an autoscaler does', () => {
  const { policies, assumptions } = dayWith(SCALED_OBJECT);
  expect(policies).toEqual(dayWith(AUTOSCALER).policies);
  expect(policies[0].day.nodeHours).toBeGreaterThan(dayWith().policies[0].day.nodeHours);
  expect(assumptions.join()).toContain('ScaledObject follows a cosine');
});
