import { check } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const POOL = nodePool(['m5.large']);
const WEB = deployment('web', 1, SMALL);
const withImage = (image: string) => WEB.replace('name: main,', `name: main, image: ${image},`);
const withEnv = (region: string) =>
  WEB.replace('name: main,', `name: main, env: [{ name: AWS_REGION, value: ${region} }],`);

function places(...documents: string[]) {
  const { nodePools, assumptions } = check(manifests(NODE_CLASS, POOL, ...documents));
  return { zones: nodePools[0].zones, said: assumptions.find((sentence) => sentence.startsWith('the region is')) };
}

const IN_IRELAND = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'];

describe('the region of an input whose manifests require none', () => {
  test.each([
    ['AWS_REGION', withEnv('eu-west-1')],
    ['ECR images', withImage('123456789012.dkr.ecr.eu-west-1.amazonaws.com/web')],
    [
      'ARNs',
      WEB.replace(
        'metadata: { name: web }',
        "metadata: { name: web, annotations: { queue: 'arn:aws:sqs:eu-west-1:123456789012:a' } }",
      ),
    ],
  ])('is the one that %s name', (source, workload) => {
    expect(places(workload)).toEqual({
      zones: IN_IRELAND,
      said: `the region is eu-west-1, which ${source} of the input ${source === 'AWS_REGION' ? 'names' : 'name'}`,
    });
  });

  test('is not taken from images of EKS add-ons, which charts name in us-west-2', () => {
    expect(places(withImage('602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/coredns')).zones[0]).toBe('us-east-1a');
  });

  test('is not guessed if the references name several', () => {
    const other = deployment('api', 1, SMALL).replace(
      'name: main,',
      'name: main, env: [{ name: AWS_REGION, value: eu-west-2 }],',
    );
    expect(places(withEnv('eu-west-1'), other)).toEqual({
      zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
      said: undefined,
    });
  });

  test('is the one of a required zone, before any reference', () => {
    const zone = '      nodeSelector: { topology.kubernetes.io/zone: eu-central-1a }\n';
    const { zones, said } = places(withEnv('eu-west-1'), deployment('api', 1, SMALL, zone));
    expect([zones[0], said]).toEqual(['eu-central-1a', undefined]);
  });
});
