/**
 * Three rules of the CRD are written as 'not every term mixes these fields', so that the API server takes a mixed term
 * beside a clean one, and Karpenter then looks at one of its fields alone.
 *
 * Sources: karpenter.k8s.aws_ec2nodeclasses.yaml of 1.15.1, and
 * pkg/providers/{subnet,securitygroup,capacityreservation} of it.
 */
import { FieldProblem } from '../field-problem';
import { asRecord } from '../value-rule';
import { misread } from './misread';

/** Fields that exclude others of a term, in the order in which Karpenter looks at them. */
const LISTS: ReadonlyArray<{ readonly list: string; readonly exclusive: ReadonlyArray<readonly [field: string, others: readonly string[]]> }> = [
  { list: 'subnetSelectorTerms', exclusive: [['id', ['tags']]] },
  { list: 'securityGroupSelectorTerms', exclusive: [['id', ['tags', 'name']], ['name', ['tags']]] },
  { list: 'capacityReservationSelectorTerms', exclusive: [['id', ['tags', 'ownerID', 'instanceMatchCriteria']]] },
];

export function adviseOnSelectorTerms(spec: Readonly<Record<string, unknown>>): FieldProblem[] {
  return LISTS.flatMap(({ list, exclusive }) => {
    const raw = spec[list];
    return (Array.isArray(raw) ? raw : []).flatMap((item, i) => {
      const term = asRecord(item) ?? {};
      const [field, others] = exclusive.find(([name]) => term[name] !== undefined) ?? [];
      const ignored = (others ?? []).filter((name) => term[name] !== undefined);
      if (field === undefined || ignored.length === 0) return [];
      return [misread(['spec', list, i], `must not have ${field} together with ${ignored.join(', ')}, which Karpenter ignores`, Object.keys(term), 'write one term for each')];
    });
  });
}
