import { Duration } from 'cdk8s';
import { newChart, NODE_CLASS, specOf } from './fixtures';
import * as nodes from '../../src/nodes';

const { AmiAlias, EC2NodeClass, KubeletSetting } = nodes;

function written(kubelet: nodes.KubeletConfiguration, amiAlias = AmiAlias.al2023('latest')): any {
  const chart = newChart();
  new EC2NodeClass(chart, 'class', { ...NODE_CLASS, amiAlias, kubelet });
  return specOf(chart, 'EC2NodeClass').kubelet;
}

describe('kubelet settings', () => {
  test('without a property are written unchanged', () => {
    expect(written({
      other: {
        cpuManagerPolicy: KubeletSetting.text('static'),
        registryPullQPS: KubeletSetting.number(10),
        serializeImagePulls: KubeletSetting.flag(false),
        allowedUnsafeSysctls: KubeletSetting.texts('net.core.somaxconn'),
        evictionMinimumReclaim: KubeletSetting.textMap({ 'memory.available': '500Mi' }),
        memorySwap: KubeletSetting.json('{"swapBehavior":"LimitedSwap"}'),
      },
    })).toEqual({
      cpuManagerPolicy: 'static',
      registryPullQPS: 10,
      serializeImagePulls: false,
      allowedUnsafeSysctls: ['net.core.somaxconn'],
      evictionMinimumReclaim: { 'memory.available': '500Mi' },
      memorySwap: { swapBehavior: 'LimitedSwap' },
    });
  });

  test.each<[string, () => unknown, string]>([
    ['a grace period with a fraction', () => written({ evictionMaxPodGracePeriod: Duration.millis(1500) }),
      'chart/class/spec.kubelet.evictionMaxPodGracePeriod: must be an integer, got 1.5'],
    ['two ways to the number of pods', () => written({ maxPods: 1, maxPodsExpression: 'vcpus' }),
      'chart/class/kubelet.maxPodsExpression: must not be set together with maxPods, got "vcpus"; remove one of them'],
    ['a property among the others', () => written({ other: { maxPods: KubeletSetting.number(1) } }),
      'chart/class/kubelet.other.maxPods: must not be a setting that has a property, got maxPods; use the property'],
    ['a setting that Bottlerocket does not hand on', () => written({ podsPerCore: 10 }, AmiAlias.bottlerocket('latest')),
      'chart/class/spec.kubelet.podsPerCore: must be absent with the AMI family Bottlerocket, which does not pass it to the kubelet, got 10; remove it, or use AL2023'],
    ['a setting by a text that is no JSON', () => KubeletSetting.json('{'),
      'KubeletSetting.json: must be JSON, got "{"; write for example {"swapBehavior":"LimitedSwap"}'],
  ])('reject %s', (_, misuse, message) => {
    expect(misuse).toThrow(message);
  });
});
