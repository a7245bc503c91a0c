import { kubeletKeepsNodeFromPods } from '../../../../src/validation/rules/api/kubelet-keeps-node-from-pods';
import { daemonSet, judge, nodeClass, nodePool, types } from '../judge';

const judged = (kubelet: object, ...allowed: string[]) =>
  judge(kubeletKeepsNodeFromPods, [
    nodeClass('default', { kubelet }),
    nodePool('default', { requirements: [types(...(allowed.length === 0 ? ['m6i.large', 'm6i.4xlarge'] : allowed))] }),
    daemonSet('logs', { cpu: '10m' }),
    daemonSet('metrics', { cpu: '10m' }),
  ]).findings;

describe('KARP-159 kubelet-keeps-node-from-pods', () => {
  test('warns of eviction thresholds that are written as the share in use', () => {
    expect(
      judged({
        evictionHard: { 'memory.available': '80%', 'nodefs.available': '10%' },
        evictionSoft: { 'memory.available': '90%' },
        evictionSoftGracePeriod: { 'memory.available': '1m' },
      }),
    ).toMatchObject([
      {
        path: ['spec', 'kubelet', 'evictionHard', 'memory.available'],
        remedy: 'write memory.available: 20% if pods are to be evicted when 80% is in use, or less, such as 5%',
      },
      { path: ['spec', 'kubelet', 'evictionSoft', 'memory.available'], evidence: { percent: 90 } },
    ]);
    expect(judged({ evictionHard: { 'memory.available': '100%', 'nodefs.available': '50%' } })).toEqual([]);
  });

  test('warns of reserves in the wrong unit', () => {
    expect(judged({ systemReserved: { memory: '100Gi' } }, 'r6i.8xlarge')).toEqual([]);
    expect(judged({ systemReserved: { memory: '100Gi' } }, 'm6i.8xlarge')).toMatchObject([
      { remedy: 'write memory: 100Mi if that is meant, or less than 100Gi', evidence: { instanceType: 'm6i.8xlarge' } },
    ]);
    expect(judged({ kubeReserved: { cpu: '80', memory: '1Gi' } }, 'm6i.24xlarge')).toMatchObject([
      { path: ['spec', 'kubelet', 'kubeReserved', 'cpu'], remedy: 'write cpu: 80m if that is meant, or less than 80' },
    ]);
  });

  test('says nothing about reserves that some kubelets need', () => {
    expect(judged({ kubeReserved: { cpu: '1', memory: '5Gi' } })).toEqual([]);
  });

  test('warns of podsPerCore if daemonsets take most places', () => {
    expect(judged({ podsPerCore: 1 })).toMatchObject([
      { path: ['spec', 'kubelet', 'podsPerCore'], evidence: { instanceType: 'm6i.large', places: 2 } },
    ]);
    expect(judged({ podsPerCore: 10 })).toEqual([]);
  });
});
