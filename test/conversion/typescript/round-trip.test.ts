import { readFileSync } from 'fs';
import { join } from 'path';
import { App, Testing } from 'cdk8s';
import fc from 'fast-check';
import { lint } from './lint';
import { compilerErrors, programOf, sorted, synthesise } from './program';
import { v1Objects } from './v1-objects';
import { PlatformChart } from '../../../examples/platform/chart';
import { legacyObjects } from '../legacy-objects';
import { convert, objectsOf } from '../setup';

const toText = (objects: readonly unknown[]) => objects.map((object) => JSON.stringify(object)).join('\n---\n');
const FIRST_KARPENTER = readFileSync(join(__dirname, '../fixtures/first-karpenter.yaml'), 'utf8');
const PLATFORM: readonly any[] = Testing.synth(new PlatformChart(new App(), 'platform'));

describe('a program', () => {
  test('reproduces generated v1 objects', () => {
    fc.assert(
      fc.property(v1Objects, (objects) => {
        expect(sorted(synthesise(programOf(toText(objects))))).toEqual(sorted(objects));
      }),
      { numRuns: 80 },
    );
  });

  test('is the same each time it is written', () => {
    fc.assert(
      fc.property(v1Objects, (objects) => programOf(toText(objects)) === programOf(toText(objects))),
      { numRuns: 20 },
    );
  });

  test('compiles and passes the linter for generated objects, and for those of an article', () => {
    const all = [
      PLATFORM,
      ...fc.sample(v1Objects, { numRuns: 40, seed: 1 }),
      ...fc.sample(legacyObjects, { numRuns: 15, seed: 1 }),
    ];
    const programs = [...all.map(toText), FIRST_KARPENTER].map((text) => programOf(convert(text).text));
    // A run of the compiler checks all sources, so the program that has an error is compiled with the others.
    expect(compilerErrors([...programs, "export const text: number = '';\n"])).toEqual([
      expect.stringMatching(new RegExp(`^program-${programs.length}\\.ts\\(.*TS2322`)),
    ]);
    expect(programs.flatMap(lint)).toEqual([]);
  }, 120_000);

  test('reproduces an example with every field of the API without a JSON patch', () => {
    const program = programOf(toText(PLATFORM));
    expect(program).not.toMatch(/JsonPatch|construct rejects/);
    expect(sorted(synthesise(program))).toEqual(sorted(PLATFORM));
  });

  test('reproduces converted legacy objects', () => {
    fc.assert(
      fc.property(legacyObjects, (objects) => {
        const { text } = convert(toText(objects));
        expect(sorted(synthesise(programOf(text)))).toEqual(sorted(objectsOf(text)));
      }),
      { numRuns: 25 },
    );
  });
});
