import { programOf, sorted, synthesise } from './program';
import { NEWEST_KARPENTER_VERSION } from '../../../src/contract';
import { corpus } from '../../support/api-objects/corpus';

/** So many objects at once are quicker than one by one, and a difference can still be read. */
const AT_ONCE = 100;
/** Of the objects that are generated field by field, one of so many. */
const STRIDE = 10;

/** What the API server refuses is among them. */
const objects = corpus(NEWEST_KARPENTER_VERSION).filter(({ field }, i) => field === undefined || i % STRIDE === 0).map(({ object }) => object)
  .filter(({ apiVersion, kind }) => typeof apiVersion === 'string' && typeof kind === 'string');
const chunks = Array.from({ length: Math.ceil(objects.length / AT_ONCE) }, (_, i) => objects.slice(i * AT_ONCE, (i + 1) * AT_ONCE));

test('a program gives back every object of the corpus', () => {
  expect(objects.length).toBeGreaterThan(500);
  for (const chunk of chunks) {
    const program = programOf(chunk.map((object) => JSON.stringify(object)).join('\n---\n'));
    expect(sorted(synthesise(program))).toEqual(sorted(chunk));
  }
}, 120_000);
