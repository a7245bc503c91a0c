import { Duration } from 'cdk8s';
import { newChart, NODE_CLASS, specOf } from './fixtures';
import * as nodes from '../../src/nodes';

const { AmiSelectorTerm, EC2NodeClass, KubeletSetting } = nodes;

function written(kubelet: nodes.KubeletConfiguration, ami = AmiSelectorTerm.al2023('latest')): any {
  const chart = newChart();
  new EC2NodeClass(chart, 'class', { ...NODE_CLASS, amiSelectorTerms: [ami], kubelet });
  return specOf(chart, 'EC2NodeClass').kubelet;
}

describe('kubelet settings', () => {
  test('without a property are written unchanged', () => {
    expect(
      written({
        other: {
          cpuManagerPolicy: KubeletSetting.text('static'),
          registryPullQPS: KubeletSetting.number(10),
          serializeImagePulls: KubeletSetting.flag(false),
          allowedUnsafeSysctls: KubeletSetting.texts('net.core.somaxconn'),
          evictionMinimumReclaim: KubeletSetting.textMap({ 'memory.available': '500Mi' }),
          memorySwap: KubeletSetting.json('{"swapBehavior":"LimitedSwap"}'),
        },
      }),
    ).toEqual({
      cpuManagerPolicy: 'static',
      registryPullQPS: 10,
      serializeImagePulls: false,
      allowedUnsafeSysctls: ['net.core.somaxconn'],
      evictionMinimumReclaim: { 'memory.available': '500Mi' },
      memorySwap: { swapBehavior: 'LimitedSwap' },
    });
  });

  test.each<[string, () => unknown, string]>([
    [
      'a grace period with a fraction',
      () => written({ evictionMaxPodGracePeriod: Duration.millis(1500) }),
      'chart/class/spec.kubelet.evictionMaxPodGracePeriod: must be an integer, got 1.5',
    ],
    [
      'a property among the others',
      () => written({ other: { maxPods: KubeletSetting.number(1) } }),
      'chart/class/kubelet.other.maxPods: must not be a setting that has a property, got maxPods; use the property',
    ],
    [
      'a setting that Bottlerocket does not hand on',
      () => written({ podsPerCore: 10 }, AmiSelectorTerm.bottlerocket('latest')),
      'chart/class/spec.kubelet.podsPerCore: must be absent with the AMI family Bottlerocket, which does not pass it to the kubelet, got 10; remove it, or use AL2023',
    ],
    [
      'a setting by a text that is no JSON',
      () => KubeletSetting.json('{'),
      'KubeletSetting.json: must be JSON, got "{"; write for example {"swapBehavior":"LimitedSwap"}',
    ],
  ])('reject %s', (_, misuse, message) => {
    expect(misuse).toThrow(message);
  });
});
