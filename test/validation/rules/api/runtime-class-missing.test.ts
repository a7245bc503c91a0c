import { runtimeClassMissing } from '../../../../src/validation/rules/api/runtime-class-missing';
import { dump, object } from '../../cluster/dump';
import { deployment, judge } from '../judge';

const rule = runtimeClassMissing;
const web = (runtimeClassName?: string) => deployment('web', { runtimeClassName });
const gvisor = JSON.stringify({
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  metadata: { name: 'gvisor' },
  handler: 'runsc',
});

describe('KARP-123 runtime-class-missing', () => {
  test('passes a class of the input', () => {
    expect(judge(rule, [gvisor, web('gvisor')]).states).toEqual(['pass Deployment/web']);
  });

  test('reports a misspelt class, with the nearest one', () => {
    expect(judge(rule, [gvisor, web('gviser')]).findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'runtimeClassName'],
        message:
          'names RuntimeClass gviser, which is not in the input (it has gvisor): the API server refuses its pods (RuntimeClass "gviser" not found)',
        remedy: 'write gvisor instead of gviser',
      },
    ]);
  });

  test('warns of a class that only the cluster may have, because its pods are not evaluated', () => {
    const [warning] = judge(rule, [web('gvisor')]).findings;
    expect(warning.severity).toBe('warning');
    expect(judge(rule, [web('nvidia')]).findings[0].severity).toBe('info');
    expect(warning.remedy).toBe('add the manifest of RuntimeClass gvisor to the input');
    const cluster = dump(object('node.k8s.io/v1', 'RuntimeClass', 'kata', {}));
    expect(judge(rule, [web('gvisor')], { cluster }).findings[0].severity).toBeUndefined();
  });

  test('does not apply to pods without a runtime class', () => {
    expect(judge(rule, [web()]).outcomes).toEqual([]);
  });
});
