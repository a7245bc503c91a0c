import { asRecord, checkRootVolume, checkVolumeRates, formatFieldPath, formatValue } from '../../../contract';
import { whyUnresolved } from '../../manifest/find-unresolved';
import { defineRule, NOT_APPLICABLE } from '../define-rule';
import { nodeClasses } from '../subjects';

/** @see https://docs.aws.amazon.com/ebs/latest/userguide/ebs-volume-types.html */
export const volumeRefusedAtLaunch = defineRule({
  id: 'KARP-813',
  name: 'volume-refused-at-launch',
  severity: 'error',
  summary: 'EC2 refuses a volume of a node class because of its size, IOPS or throughput, so no node launches.',
  subjects: nodeClasses({ unknown: ({ object }) => whyUnresolved(object.raw?.spec?.blockDeviceMappings) }),
  judge({ object }) {
    const spec = asRecord(object.raw?.spec) ?? {};
    const mappings: readonly unknown[] = Array.isArray(spec.blockDeviceMappings) ? spec.blockDeviceMappings : [];
    if (mappings.length === 0) return NOT_APPLICABLE;
    const problems = [
      ...checkRootVolume(spec),
      ...mappings.flatMap((mapping, index) =>
        checkVolumeRates(['spec', 'blockDeviceMappings', index, 'ebs'], asRecord(asRecord(mapping)?.ebs) ?? {}),
      ),
    ];
    return problems.map(({ path, problem, got, remedy, fix }) => ({
      path,
      message: `${formatFieldPath(path)}: ${problem}${got === undefined ? '' : `, got ${formatValue(got)}`}; EC2 refuses the launch of every node`,
      remedy,
      evidence: { field: formatFieldPath(path), value: got ?? null },
      fix,
    }));
  },
});
