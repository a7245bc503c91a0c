import { countText } from '../../../model';
import { nameOf, objectOf } from '../../vocabulary/subject';
import { AcknowledgedFinding, Verdict } from '../../vocabulary/verdict';
import { groupSimilar, similarText } from '../similar';
import { Section } from '../wording';

/** Accepted findings with their reasons. Those of a baseline are only counted. */
export function describeAcknowledged({ acknowledged = [] }: Pick<Verdict, 'acknowledged'>): Section {
  const stated = acknowledged.filter(({ acknowledgement }) => acknowledgement.by !== 'baseline');
  const files = [
    ...new Set(acknowledged.flatMap(({ acknowledgement: { by, place } }) => (by === 'baseline' ? [place] : []))),
  ];
  const lines = [
    ...groupSimilar(stated, ({ rule, acknowledgement }) => JSON.stringify([rule, acknowledgement])).flatMap(describe),
    ...files.map((file) => {
      const count = acknowledged.filter(
        ({ acknowledgement: { by, place } }) => by === 'baseline' && place === file,
      ).length;
      return `${countText(count, 'finding')} of the baseline ${file}`;
    }),
  ];
  return { title: 'Acknowledged', lines: lines.map((line) => `  ${line}`) };
}

function describe([finding, ...others]: readonly AcknowledgedFinding[]): string[] {
  const {
    severity,
    rule,
    subject,
    acknowledgement: { reason, until, place },
  } = finding;
  const end = until === undefined ? '' : `, until ${until}`;
  return [
    `${`${severity} ${rule} ${objectOf(subject)}`.trimEnd()}: ${reason}${end} (${place})`,
    ...similarText(others, (other) => nameOf(other.subject)).map((line) => `  ${line}`),
  ];
}
