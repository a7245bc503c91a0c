import { trafficMissesPods } from '../../../../../src/validation/rules/disruption/availability/traffic-misses-pods';
import { deployment, judge, manifest } from '../../judge';

const rule = trafficMissesPods;
const web = (name: string = 'web', ports: object[] = [{ name: 'http', containerPort: 8080 }]) =>
  deployment(name, { containers: [{ name: 'main', image: 'app', ports }] });
const service = (selector: object, port: object = { port: 80, targetPort: 'http' }, name: string = 'web') =>
  manifest('v1', 'Service', name, { selector, ports: [port] });
const ingress = (name: string, port: object = { number: 80 }) =>
  manifest('networking.k8s.io/v1', 'Ingress', 'web', {
    rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name, port } } }] } }],
  });
const route = (reference: object) =>
  manifest('gateway.networking.k8s.io/v1', 'HTTPRoute', 'web', { rules: [{ backendRefs: [reference] }] });
const remedies = (...documents: string[]) => judge(rule, documents).findings.map(({ remedy }) => remedy);

describe('KARP-442 traffic-misses-pods', () => {
  test('reports a label that misses the pods by a typing error', () => {
    expect(judge(rule, [web(), service({ app: 'wbe' })]).findings).toMatchObject([
      {
        path: ['spec', 'selector', 'app'],
        message: 'selects pods with app: wbe, and those of Deployment web have app: web: no request reaches them',
        remedy: 'write app: web',
        evidence: { selector: { app: 'wbe' }, workload: 'web' },
        fix: { edits: [{ path: ['spec', 'selector', 'app'], value: 'web' }] },
      },
    ]);
    expect(remedies(web(), service({ apps: 'web' }))).toEqual(['write app: web']);
    const preview = service({ app: 'web' }, {}, 'web-preview');
    expect(remedies(web(), preview, service({ app: 'wbe' }))).toEqual(['write app: web']);
    expect(remedies(web('Web-Api'.toLowerCase()), service({ app: 'Web_Api' }, {}, 'other'))).toEqual([
      'write app: web-api',
    ]);
  });

  test.each([
    ['without its pods in the input', [web('shop'), service({ app: 'web' })]],
    ['for a program with a similar name', [web('oauth'), service({ app: 'auth' }, {}, 'auth')]],
    ['with another number', [web('web-1'), service({ app: 'web-2' }, {}, 'web-1')]],
    ['beside another Service of the pods', [web(), service({ app: 'web' }), service({ app: 'wbe' }, {}, 'wbe')]],
    ['with two labels that differ', [web(), service({ app: 'wbe', tier: 'a' })]],
    ['with a placeholder', [web(), service({ app: '${APP}' })]],
    ['without a selector', [web(), service({})]],
  ])('is silent about a Service %s', (_, documents) => {
    expect(judge(rule, documents).findings).toEqual([]);
  });

  test('reports a target port that no container has', () => {
    const selected = { app: 'web' };
    const { findings } = judge(rule, [web(), service(selected, { port: 80, targetPort: 'htpp' })]);
    expect(findings).toMatchObject([
      {
        path: ['spec', 'ports', 0, 'targetPort'],
        message: 'sends requests to port htpp, which no container of Deployment web has: none of them arrives',
        remedy: 'write targetPort: http',
      },
    ]);
    expect(remedies(web(), service(selected, { port: 80, targetPort: 8800 }))).toEqual(['write targetPort: 8080']);
    // The only port has no name.
    const unnamed = web('web', [{ containerPort: 8080 }]);
    expect(remedies(unnamed, service(selected, { port: 80, targetPort: 'http' }))).toEqual(['write targetPort: 8080']);
    const two = web('web', [{ containerPort: 8080 }, { containerPort: 9090 }]);
    const passing = [
      [web(), { port: 80, targetPort: 8081 }],
      [two, { port: 80, targetPort: 'http' }],
      [web('web', []), { port: 80, targetPort: 'http' }],
      [web(), { port: 8080 }],
    ] as const;
    expect(passing.flatMap(([pods, port]) => remedies(pods, service(selected, port)))).toEqual([]);
    expect(judge(rule, [web(), service(selected, { port: 80, targetPort: '8080' })]).findings).toMatchObject([
      { severity: 'error', remedy: 'write targetPort: 8080, without quotes' },
    ]);
    // Another port of the Service leads to the only port.
    const ofTwo = manifest('v1', 'Service', 'web', {
      selector: selected,
      ports: [
        { port: 80, targetPort: 'http' },
        { port: 81, targetPort: 'http-plain' },
      ],
    });
    expect(remedies(web(), ofTwo)).toEqual([]);
  });

  test('reports an Ingress and a route whose Service or port is misspelt', () => {
    const pods = [web(), service({ app: 'web' })];
    const { findings } = judge(rule, [...pods, ingress('wbe')]);
    const path = ['spec', 'rules', 0, 'http', 'paths', 0, 'backend', 'service', 'name'];
    expect(findings).toMatchObject([
      { path, message: 'sends requests to Service wbe, which does not exist: none reaches a pod', remedy: 'write web' },
    ]);
    expect(remedies(...pods, route({ name: 'wbe', port: 80 }))).toEqual(['write web']);
    expect(remedies(...pods, route({ name: 'web', port: 8080 }))).toEqual(['write 80']);
    expect(remedies(...pods, ingress('web', { number: 8080 }))).toEqual(['write 80']);
    const passing = [
      ingress('shop'),
      ingress('wbe', { name: 'use-annotation' }),
      route({ name: 'wbe', namespace: 'other' }),
      route({ name: 'wbe', kind: 'Backend', group: 'example.com' }),
      route({ name: 'web', port: 80 }),
    ];
    expect(passing.flatMap((object) => remedies(...pods, object))).toEqual([]);
    // The Service that is meant already has a route.
    expect(remedies(...pods, ingress('web'), route({ name: 'wbe', port: 80 }))).toEqual([]);
  });
});
