import { placePods } from './placement';
import { SAFEGUARDS } from './safeguards';
import { Surroundings } from './safeguards/safeguard-rule';
import { Settings } from './settings';
import { Json, Subject } from './subject';
import { asWrittenNote, offNote, offReason } from '../../contract';

/** The manifest with all safeguards that hold for its kind. To safeguard the result again changes nothing. */
export function safeguarded(manifest: Json, settings: Settings, surroundings: Surroundings = {}): Json {
  const result = structuredClone(manifest);
  const subject = new Subject(result);
  placePods(subject, settings);
  for (const { safeguard, natures, apply } of SAFEGUARDS) {
    if (!natures.includes(subject.nature)) continue;
    const reason = settings.waivers.get(safeguard) ?? offReason(subject.annotations, safeguard) ?? surroundings.targetWaiver;
    if (reason !== undefined) {
      subject.note(safeguard, offNote(reason));
      continue;
    }
    const weaker = apply(subject, settings, surroundings);
    subject.note(safeguard, weaker === undefined ? undefined : asWrittenNote(weaker));
  }
  return { apiVersion: result.apiVersion, kind: result.kind, metadata: undefined, ...sorted(result) as Json };
}

/** As cdk8s writes manifests. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([key, each]) => [key, sorted(each)]));
}
