import { FieldPath, FieldProblem, rejected, removeField, setField, unsafeFix } from '../../../contract';
import { nearestName } from '../../../model';
import { isToken } from '../field-reader';

/** Cities that the IANA database has no zone for, with their zones. */
const CITIES: ReadonlyArray<readonly [zone: string, cities: RegExp]> = [
  ['Europe/Berlin', /^(?:munich|muenchen|hamburg|frankfurt|cologne|dusseldorf|stuttgart)$/],
  ['Europe/Zurich', /^(?:geneva|bern|basel)$/],
  ['Europe/London', /^(?:manchester|edinburgh|cardiff)$/],
  ['Europe/Paris', /^(?:lyon|marseille)$/],
  ['Europe/Rome', /^milano?$/],
  ['Europe/Madrid', /^barcelona$/],
  ['Asia/Kolkata', /^(?:mumbai|bombay|(?:new_?)?delhi|bangalore|bengaluru|hyderabad|chennai|pune)$/],
  ['Asia/Shanghai', /^(?:beijing|peking|shenzhen)$/],
  ['Asia/Tokyo', /^(?:osaka|kyoto)$/],
  ['America/New_York', /^(?:boston|washington|atlanta|miami|philadelphia|virginia)$/],
  ['America/Chicago', /^(?:dallas|houston|austin|minneapolis)$/],
  ['America/Los_Angeles', /^(?:san_?francisco|seattle|san_?diego|portland|oregon|california)$/],
  ['America/Sao_Paulo', /^(?:rio(?:_de_janeiro)?|brasilia)$/],
];
/** Abbreviations that only JavaScript knows: Go, whose names Kubernetes has, reads the IANA database. */
const NO_IANA_NAME = /^(?:A[CEGRS]T|B[ES]T|C[ANST]T|E[AC]T|I[ES]T|JST|MIT|N[ES]T|P[LNRS]T|SST|VST)$/;
/** Zones that the oldest supported Node.js may not know. */
const NEW_ZONES = ['America/Coyhaique'];

/**
 * Rejects names that are in no time zone database.
 *
 * @param effect what happens with such a name, after `must be a time zone of the IANA database`
 */
export function timeZoneProblem(path: FieldPath, value: unknown, effect: string): FieldProblem | undefined {
  if (typeof value !== 'string' || isToken(value) || NEW_ZONES.includes(value)) return undefined;
  const known = value === '' || NO_IANA_NAME.test(value) ? undefined : knownZone(value);
  if (known !== undefined && !isOtherCase(known, value)) return undefined;
  const problem = `must be a time zone of the IANA database${effect}`;
  if (value === '') return rejected(path, problem, value, 'remove it', unsafeFix(removeField(path)));
  const meant = known ?? zoneMeant(value);
  if (meant === undefined) return rejected(path, problem, value, 'write an area and a city, such as Europe/Berlin');
  return rejected(path, problem, value, `write ${meant}`, unsafeFix(setField(path, meant)));
}

/** The name of the zone in JavaScript, which ignores the case of letters. */
function knownZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Names are files of the database, so that the case of letters counts. */
function isOtherCase(known: string, name: string): boolean {
  return known !== name && known.toLowerCase() === name.toLowerCase();
}

function zoneMeant(name: string): string | undefined {
  const city = name.slice(name.lastIndexOf('/') + 1).replace(/[\s-]/g, '_');
  const zones = Intl.supportedValuesOf('timeZone');
  const [ofCity] = CITIES.find(([, cities]) => cities.test(city.toLowerCase())) ?? [];
  return (
    ofCity ?? zones.find((zone) => zone.toLowerCase().endsWith(`/${city.toLowerCase()}`)) ?? nearestName(name, zones)
  );
}
