import { autoscalerWithoutRequest } from '../../../../../src/validation/rules/disruption/availability/autoscaler-without-request';
import { autoscaler, deployment, judge, manifest } from '../../judge';

const rule = autoscalerWithoutRequest;
const container = (name: string, requests: object, limits?: object) => ({
  name,
  image: 'app',
  resources: { requests, limits },
});
const MAIN = container('main', { cpu: '1', memory: '1Gi' });
const web = (...containers: object[]) => deployment('web', { containers });
const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } };

describe('KARP-436 autoscaler-without-request', () => {
  test.each([
    ['the CPU metric', autoscaler({ metrics: [{ type: 'Resource', resource: cpu }] })],
    ['the default metric', autoscaler()],
  ])('reports a container without a request of the resource of %s', (_, scaler) => {
    expect(judge(rule, [web(MAIN, container('exporter', { memory: '1Mi' })), scaler]).findings).toMatchObject([
      {
        object: { kind: 'Deployment', name: 'web' },
        path: ['spec', 'template', 'spec', 'containers', 1, 'resources'],
        evidence: { autoscaler: 'web', resource: 'cpu', containers: ['exporter'] },
      },
    ]);
  });

  test('reports a metric of a misspelt container', () => {
    const metric = (name: string) => ({ type: 'ContainerResource', containerResource: { ...cpu, container: name } });
    const found = (name: string) => judge(rule, [web(MAIN), autoscaler({ metrics: [metric(name)] })]).findings;
    expect(found('mian')).toMatchObject([{ remedy: 'write main', evidence: { nearest: 'main' } }]);
    expect(found('istio-proxy')).toEqual([]);
  });

  test.each([
    [
      'a limit, which becomes the request',
      [MAIN, container('exporter', {}, { cpu: '1' })],
      { type: 'Resource', resource: cpu },
    ],
    [
      'a metric of another container',
      [MAIN, container('exporter', {})],
      { type: 'ContainerResource', containerResource: { ...cpu, container: 'main' } },
    ],
  ])('passes %s', (_, containers, metric) => {
    expect(judge(rule, [web(...containers), autoscaler({ metrics: [metric] })]).states).toEqual([
      'pass HorizontalPodAutoscaler/web',
    ]);
  });

  test('passes requests that a LimitRange sets', () => {
    const range = manifest('v1', 'LimitRange', 'defaults', {
      limits: [{ type: 'Container', defaultRequest: { cpu: '100m' } }],
    });
    expect(judge(rule, [web(MAIN, container('exporter', {})), autoscaler(), range]).findings).toEqual([]);
  });

  test('does not apply to average values, which need no requests', () => {
    const metric = { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '1' } } };
    expect(judge(rule, [web(container('main', {})), autoscaler({ metrics: [metric] })]).outcomes).toEqual([]);
  });
});
