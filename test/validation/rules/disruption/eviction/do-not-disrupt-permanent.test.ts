import { doNotDisruptPermanent } from '../../../../../src/validation/rules/disruption/eviction/do-not-disrupt-permanent';
import { annotated, cronJob, deployment, judge, nodeClass, nodePool, manifest } from '../../judge';

const rule = doNotDisruptPermanent;
const KEY = 'karpenter.sh/do-not-disrupt';
const web = (value: unknown, key: string = KEY) => annotated(deployment('web'), { [key]: value });

describe('KARP-409 do-not-disrupt-permanent', () => {
  test('reports a warning for long-running pods that are protected forever', () => {
    const { states, findings } = judge(rule, [nodeClass(), nodePool('default'), web('true')]);
    expect(states).toEqual(['fail Deployment/web']);
    expect(findings[0]).toMatchObject({
      evidence: { value: 'true', nodes: 1 },
      message: expect.stringContaining('1 node can neither be consolidated'),
    });
    expect(findings[0].severity).toBeUndefined();
  });

  test.each([
    ['an invalid value', web('yes'), 'invalid value "yes": Karpenter ignores the annotation'],
    ['a duration of 0', web('0s'), 'invalid value "0s": Karpenter ignores the annotation'],
    [
      'an annotation of earlier releases',
      web('true', 'karpenter.sh/do-not-evict'),
      'Karpenter ignores karpenter.sh/do-not-evict since 1.0',
    ],
    ...[
      'karpenter.sh/donot-disrupt',
      'karpenter.k8s.aws/do-not-disrupt',
      'do-not-disrupt',
      'karpenter.sh/do-not-drain',
    ].map((key): [string, string, string] => [
      `the annotation ${key}`,
      web('true', key),
      `Karpenter does not know ${key}: its pods are not protected`,
    ]),
    [
      'the annotation on the workload itself',
      JSON.stringify({ ...JSON.parse(deployment('web')), metadata: { name: 'web', annotations: { [KEY]: 'true' } } }),
      'is on the Deployment itself',
    ],
  ])('reports %s', (_, document, message) => {
    expect(judge(rule, [document]).findings).toMatchObject([
      { severity: 'error', message: expect.stringContaining(message) },
    ]);
  });

  describe('an annotation of Cluster Autoscaler', () => {
    const SAFE_TO_EVICT = 'cluster-autoscaler.kubernetes.io/safe-to-evict';

    test('is a warning, because Karpenter does not read it', () => {
      const { findings } = judge(rule, [nodeClass(), nodePool('default'), web('false', SAFE_TO_EVICT)]);
      expect(findings).toMatchObject([
        {
          path: ['spec', 'template', 'metadata', 'annotations', SAFE_TO_EVICT],
          message: `${SAFE_TO_EVICT}: "false" is read by Cluster Autoscaler only: Karpenter evicts its pods from the nodes of NodePool default`,
          fix: {
            safe: false,
            edits: [
              { operation: 'set', value: '12h' },
              { operation: 'rename', to: KEY },
            ],
          },
        },
      ]);
      expect(findings[0].severity).toBeUndefined();
    });

    test('is a warning if it keeps nodes in the template of a NodePool', () => {
      const disabled = 'cluster-autoscaler.kubernetes.io/scale-down-disabled';
      const pool = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: default }
spec: { template: { metadata: { annotations: { ${disabled}: "true" } } } }`;
      expect(judge(rule, [nodeClass(), pool]).findings.map(({ path, message }) => [path.at(-1), message])).toEqual([
        [
          disabled,
          `${disabled}: "true" is read by Cluster Autoscaler only: Karpenter disrupts the nodes as without it`,
        ],
      ]);
    });

    test('is no finding if it allows eviction, or if no NodePool runs the pods', () => {
      expect(judge(rule, [nodeClass(), nodePool('default'), web('true', SAFE_TO_EVICT)]).findings).toEqual([]);
      expect(judge(rule, [web('false', SAFE_TO_EVICT)]).findings).toEqual([]);
    });
  });

  test('reports the annotation of the descheduler that is meant as a protection, and no other', () => {
    const evict = 'descheduler.alpha.kubernetes.io/evict';
    const judged = (value: string) => judge(rule, [nodeClass(), nodePool('default'), web(value, evict)]).findings;
    expect(judged('true')).toEqual([]);
    expect(judged('false').map(({ message }) => message)).toEqual([
      `${evict}: "false" is read by the descheduler only, which takes any value as a permission to evict: ` +
        'Karpenter evicts its pods from the nodes of NodePool default',
    ]);
    const prefers = web('true', 'descheduler.alpha.kubernetes.io/prefer-no-eviction');
    expect(judge(rule, [nodeClass(), nodePool('default'), prefers]).findings[0].message).toContain(
      'the descheduler only',
    );
  });

  test('reports a label of the pods, which Karpenter does not read', () => {
    const labelled = (value: string) => {
      const object = JSON.parse(deployment('web'));
      object.spec.template.metadata.labels[KEY] = value;
      return JSON.stringify(object);
    };
    expect(judge(rule, [labelled('true')]).findings).toMatchObject([
      {
        path: ['spec', 'template', 'metadata', 'labels', KEY],
        message: `${KEY} is a label, and Karpenter reads an annotation: its pods are not protected`,
      },
    ]);
    expect(judge(rule, [labelled('false')]).findings).toEqual([]);
  });

  test('reports a duration for a Karpenter release that does not support durations', () => {
    expect(judge(rule, [web('1h')], { karpenterVersion: '1.11' }).findings[0]).toMatchObject({
      severity: 'error',
      remedy: 'write "true", or use Karpenter 1.12.0 or later',
    });
    expect(judge(rule, [web('1h')], { karpenterVersion: '1.12' }).states).toEqual(['pass Deployment/web']);
    expect(judge(rule, [web('1h')], { servingVersion: '0.35.0' }).findings[0].message).toContain('Karpenter 0.35.0');
  });

  test.each([
    ['a duration', web('1h30m')],
    ['the value false', web('false')],
    ['a CronJob, whose pods finish', cronJob('web', '@daily', { [KEY]: 'true' })],
  ])('passes %s', (_, document) => {
    expect(judge(rule, [document]).states).toEqual([expect.stringMatching(/^pass /)]);
  });

  test('does not apply to a value without quotes, which the API server refuses (KARP-100)', () => {
    expect(judge(rule, [nodeClass(), nodePool('default'), web(true)]).outcomes).toEqual([]);
  });

  test.each([
    ['NodePool', nodePool('default'), 'its nodes are disrupted as if it were absent'],
    ['Namespace', manifest('v1', 'Namespace', 'shop', {}), 'it protects no pod and no node'],
  ])('reports it on a %s, where nothing reads it', (kind, document, consequence) => {
    const object = JSON.parse(document);
    const written = { ...object, metadata: { ...object.metadata, annotations: { [KEY]: 'true' } } };
    expect(judge(rule, [nodeClass(), JSON.stringify(written)]).findings).toMatchObject([
      {
        path: ['metadata', 'annotations', KEY],
        message: `${KEY} is on the ${kind} itself, where Karpenter does not read it: ${consequence}`,
        remedy: expect.stringMatching(/^remove it, and annotate the templates of the pods/),
      },
    ]);
  });

  test('does not apply to the value false on the workload itself', () => {
    expect(
      judge(rule, [
        JSON.stringify({
          ...JSON.parse(deployment('web')),
          metadata: { name: 'web', annotations: { [KEY]: 'false' } },
        }),
      ]).outcomes,
    ).toEqual([]);
  });

  test('passes permanent protection if the NodePool has a terminationGracePeriod', () => {
    expect(
      judge(rule, [nodeClass(), nodePool('default', { terminationGracePeriod: '1h' }), web('true')]).states,
    ).toEqual(['pass Deployment/web']);
  });

  test('is not evaluated if the value is known only at deployment', () => {
    expect(judge(rule, [web('${Value}')]).states).toEqual(['not-evaluated Deployment/web']);
  });

  test.each([
    ['only when they expire', {}, 'none is ever consolidated, and new AMIs reach them only when they expire'],
    ['never', { expireAfter: 'Never' }, 'none is ever consolidated, and none ever gets a new AMI'],
  ])('reports a NodePool whose template protects its nodes, which get new AMIs %s', (_, spec, message) => {
    const pool = JSON.parse(nodePool('default', spec));
    pool.spec.template.metadata = { annotations: { [KEY]: 'true' } };
    const { states, findings } = judge(rule, [nodeClass(), JSON.stringify(pool)]);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain(message);
  });

  test('does not apply to another value in the template of a NodePool, which protects nothing', () => {
    const pool = JSON.parse(nodePool('default'));
    pool.spec.template.metadata = { annotations: { [KEY]: '4h' } };
    expect(judge(rule, [nodeClass(), JSON.stringify(pool)]).outcomes).toEqual([]);
  });

  test('does not apply without the annotation', () => {
    expect(judge(rule, [deployment('web')]).outcomes).toEqual([]);
  });
});
