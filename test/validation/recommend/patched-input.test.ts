import * as fc from 'fast-check';
import { check, recommend, SourceFile, Verdict } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS } from '../setup';

const options = { karpenterVersion: '1.15.1', region: 'us-east-1' };
const categories = ['c', 'm', 'r'].map((category) => `[${category}]`);

function pool(name: string, requirements: readonly string[], fields = ''): string {
  return `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: ${name} }
spec:
${fields}  limits: { cpu: 2000, memory: 8000Gi }
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: main }
      requirements:
        - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
        - { key: kubernetes.io/arch, operator: In, values: [amd64] }
${requirements.map((requirement) => `        - ${requirement}\n`).join('')}`;
}

const GENERAL = '{ key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m, r] }';

function withFiles(sources: readonly SourceFile[], files: readonly SourceFile[]): readonly SourceFile[] {
  return sources.map((source) => files.find(({ path }) => path === source.path) ?? source);
}

function warningsOf({ findings }: Verdict): string[] {
  return findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ rule, subject }) => `${rule} ${subject.kind} ${subject.name}`);
}

describe('a recommendation', () => {
  test('costs what a plain check of the changed files says, loses no pod and makes no finding', () => {
    const sizes = fc.record({
      replicas: fc.integer({ min: 1, max: 30 }),
      cpu: fc.constantFrom('250m', '900m', '2', '7'),
      memory: fc.constantFrom('512Mi', '3Gi', '15Gi'),
    });
    fc.assert(
      fc.property(
        fc.array(sizes, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...categories, '[c, m, r]'),
        (workloads, category) => {
          const sources = manifests(
            NODE_CLASS,
            pool('general', [`{ key: karpenter.k8s.aws/instance-category, operator: In, values: ${category} }`]),
            ...workloads.map(({ replicas, cpu, memory }, index) =>
              deployment(`web${index}`, replicas, `cpu: ${cpu}, memory: ${memory}`),
            ),
          );
          const { recommendations, usdPerHour } = recommend(sources, options);
          const before = check(sources, options);
          const known = warningsOf(before);
          const { scheduledPods } = before.summary;
          expect(recommendations.length).toBeLessThanOrEqual(5);
          for (const { files, after } of recommendations) {
            const patched = withFiles(sources, files);
            const verdict = check(patched, options);
            const { cost, scheduledPods: scheduled } = verdict.summary;
            expect([cost.usdPerHour, scheduled]).toEqual([after.usdPerHour, scheduledPods]);
            expect(after.usdPerHour).toBeLessThan(usdPerHour!);
            expect(warningsOf(verdict).filter((warning) => !known.includes(warning))).toEqual([]);
          }
        },
      ),
      { numRuns: 8, seed: 48 },
    );
  });

  test('is not made if another root with the same NodePool becomes worse', () => {
    const [shared] = [{ path: 'pool.yaml', text: `${NODE_CLASS}---\n${pool('general', [GENERAL])}` }];
    const web = { path: 'web.yaml', text: deployment('web', 40, 'cpu: 900m, memory: 2Gi') };
    const large = { path: 'large.yaml', text: deployment('large', 1, 'cpu: 30, memory: 100Gi') };
    const alone = recommend([shared, web], options, { files: [shared, web] });
    const bounds = (result: ReturnType<typeof recommend>) =>
      result.recommendations.filter(({ changes }) => changes.some(({ description }) => /at most/.test(description)));
    expect(bounds(alone).length).toBeGreaterThan(0);
    const together = recommend([shared, web], options, {
      files: [shared, web, large],
      others: [{ name: 'batch', sources: [shared, large] }],
    });
    for (const { changes } of bounds(together))
      expect(changes.some(({ description }) => /at most (2|4|8|16) CPUs/.test(description))).toBe(false);
    expect(together.notes.join()).toContain('in batch, a pod would lose its node');
  });

  test('keeps comments, and the other documents of a file', () => {
    const [{ text }] = manifests(
      NODE_CLASS,
      pool('general', [GENERAL]),
      deployment('web', 40, 'cpu: 900m, memory: 2Gi'),
    );
    const commented = text.replace(
      '      requirements:\n',
      '      # Only what the team has tested.\n      requirements: # sizes\n',
    );
    const { recommendations } = recommend([{ path: 'all.yaml', text: commented }], options);
    expect(recommendations.length).toBeGreaterThan(0);
    for (const { files } of recommendations) {
      expect(files[0].text).toContain('      # Only what the team has tested.\n      requirements: # sizes\n');
      const kept = commented.split('\n').filter((line) => !/values:|- \{ key/.test(line));
      for (const line of kept) expect(files[0].text.split('\n')).toContain(line);
    }
  });
});
