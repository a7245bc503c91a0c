import { claimOnSeveralNodes } from '../../../../src/validation/rules/storage/claim-on-several-nodes';
import { deployment, judge, manifest, nodeClass, nodePool, types } from '../judge';

const rule = claimOnSeveralNodes;
const pool = nodePool('default', { requirements: [types('m7i.large')] });
const claim = (accessModes: string[], storageClassName: string = 'gp2', name: string = 'data') =>
  manifest(
    'v1',
    'PersistentVolumeClaim',
    name,
    { accessModes, storageClassName, resources: { requests: { storage: '8Gi' } } },
    { namespace: 'shop' },
  );
const web = (replicas: number, cpu: string = '1', name: string = 'web') =>
  deployment(
    name,
    {
      volumes: [
        { name: 'tmp', emptyDir: {} },
        { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      ],
    },
    { replicas, namespace: 'shop', requests: { cpu, memory: '1Gi' } },
  );
const states = (...documents: string[]) => judge(rule, [nodeClass(), pool, ...documents]).states;

describe('KARP-812 claim-on-several-nodes', () => {
  test('rejects replicas on several nodes that share a ReadWriteOnce claim', () => {
    const [finding] = judge(rule, [nodeClass(), pool, claim(['ReadWriteOnce']), web(3)]).findings;
    expect(finding.message).toBe(
      'its 3 pods share the ReadWriteOnce claim shop/data, but are planned on 3 nodes: its EBS volume attaches to one node, ' +
        'so pods on the others stay in ContainerCreating (Multi-Attach error)',
    );
    expect(finding).toMatchObject({
      path: ['spec', 'template', 'spec', 'volumes', 1],
      evidence: { claim: 'shop/data', pods: 3 },
    });
    expect(finding.remedy).toContain('volumeClaimTemplates of a StatefulSet');
  });

  test('rejects two workloads on several nodes that share a claim', () => {
    const {
      states: all,
      findings: [{ message }],
    } = judge(rule, [nodeClass(), pool, claim(['ReadWriteOnce']), web(1), web(1, '1', 'batch')]);
    expect(all).toEqual(['fail Deployment/web']);
    expect(message).toContain(
      'the 2 pods of Deployment shop/batch and Deployment shop/web share the ReadWriteOnce claim',
    );
  });

  test('warns about replicas that only chance puts on one node', () => {
    const { findings } = judge(rule, [nodeClass(), pool, claim(['ReadWriteOnce']), web(3, '100m')]);
    expect(findings).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('only chance puts them on one node in the plan') },
    ]);
  });

  test('passes one replica, and replicas that a required affinity keeps on one node', () => {
    const together = {
      topologyKey: 'kubernetes.io/hostname',
      labelSelector: { matchLabels: { app: 'web' } },
    };
    const tied = web(3, '100m').replace(
      '"volumes":',
      `"affinity":${JSON.stringify({ podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [together] } })},"volumes":`,
    );
    expect(tied).toContain('podAffinity');
    expect(states(claim(['ReadWriteOnce']), tied)).toEqual(['pass Deployment/web']);
    expect(states(claim(['ReadWriteOnce']), web(1, '100m'))).toEqual(['pass Deployment/web']);
  });

  test('does not apply to claims for many nodes, to file systems, or if the pods are not planned', () => {
    const efs = JSON.stringify({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'efs' },
      provisioner: 'efs.csi.aws.com',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    expect(states(claim(['ReadWriteMany']), web(3))).toEqual([]);
    expect(states(claim(['ReadWriteOnce'], 'efs'), efs, web(3))).toEqual([]);
    expect(states(claim(['ReadWriteOnce'], 'unknown'), web(3))).toEqual([]);
    expect(states(claim(['ReadWriteOnce']), web(0))).toEqual([]);
  });
});
