import { podGroupIndices } from '../../context/schedule-input';
import { ManifestModel } from '../../manifest';
import { Finding, PodPlacementReport, UnschedulableVerdict } from '../../vocabulary/verdict';
import { subjectName } from '../attach-to-causes';

/** For groups of pods that wait until a mistake is mended, by index: the finding about the mistake, and its remedy. */
export function awaitedFindings(
  findings: readonly Finding[],
  { workloads }: ManifestModel,
): Map<number, Pick<UnschedulableVerdict, 'smallestChange' | 'changesTried' | 'finding'>> {
  const causes = findings.filter(({ evidence }) => evidence.waitingWorkloads !== undefined);
  if (causes.length === 0) return new Map();
  return new Map(
    workloads.flatMap((manifest) => {
      const name = subjectName(manifest);
      const cause = causes.find(({ evidence }) => [evidence.waitingWorkloads].flat().includes(name));
      if (cause === undefined) return [];
      const { kind, namespace, name: of } = cause.subject;
      const found = {
        smallestChange: cause.remedy,
        changesTried: 0,
        finding: { rule: cause.rule, kind, namespace, name: of },
      };
      return podGroupIndices(manifest).map((group) => [group, found] as const);
    }),
  );
}

/** Reports of pods with the remedies that the verdict has for them. */
export function withAwaitedFindings(
  placements: readonly PodPlacementReport[],
  unschedulable: readonly UnschedulableVerdict[],
): PodPlacementReport[] {
  const entries = new Map(unschedulable.map((entry) => [entry.pod, entry]));
  return placements.map((report) => {
    const { smallestChange, changesTried, finding } = entries.get(report.pod) ?? report;
    return { ...report, smallestChange, changesTried, ...(finding === undefined ? {} : { finding }) };
  });
}
