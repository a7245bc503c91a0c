import { programOf, sorted, synthesise } from './program';
import { NEWEST_KARPENTER_VERSION } from '../../../src/contract';
import { corpus } from '../../support/api-objects/corpus';

/** Objects per program: faster than one program for each object, and a difference is still readable. */
const OBJECTS_PER_PROGRAM = 100;
/** Only every tenth object that is generated field by field is tested. */
const STRIDE = 10;

/** Some of these objects are rejected by the API server. */
const objects = corpus(NEWEST_KARPENTER_VERSION)
  .filter(({ field }, i) => field === undefined || i % STRIDE === 0)
  .map(({ object }) => object)
  .filter(({ apiVersion, kind }) => typeof apiVersion === 'string' && typeof kind === 'string');
const chunks = Array.from({ length: Math.ceil(objects.length / OBJECTS_PER_PROGRAM) }, (_, i) =>
  objects.slice(i * OBJECTS_PER_PROGRAM, (i + 1) * OBJECTS_PER_PROGRAM),
);

test('programs reproduce every object of the corpus', () => {
  expect(objects.length).toBeGreaterThan(500);
  for (const chunk of chunks) {
    const program = programOf(chunk.map((object) => JSON.stringify(object)).join('\n---\n'));
    expect(sorted(synthesise(program))).toEqual(sorted(chunk));
  }
}, 120_000);
