import * as fc from 'fast-check';
import { CoveringRows } from '../../../src/scheduling/cost/covering-rows';
import { NodeOption } from '../../../src/scheduling/cost/node-options';
import { Demand, PodKind } from '../../../src/scheduling/cost/pod-kinds';
import { CoveringProgram } from '../../../src/scheduling/cost/simplex';

export interface SmallCase {
  readonly demand: Demand;
  readonly options: readonly NodeOption[];
  readonly existing: readonly Float64Array[];
}

const RESOURCES = ['cpu', 'memory', 'pods'];
const CONSTRAINTS = 2;
const requirement: Demand['constraints'][number] = { variants: [], volumeTopology: [] };

const amounts = (most: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: most }), fc.integer({ min: 0, max: most }))
    .map(([cpu, memory]) => Float64Array.from([cpu, memory, 1]));
const room = fc
  .tuple(fc.integer({ min: 0, max: 16 }), fc.integer({ min: 0, max: 16 }), fc.integer({ min: 1, max: 4 }))
  .map((values) => Float64Array.from(values));
const kind: fc.Arbitrary<PodKind> = fc.record({
  count: fc.integer({ min: 1, max: 3 }),
  requests: amounts(9),
  constraint: fc.nat(CONSTRAINTS - 1),
  isAlone: fc.boolean(),
});
const option: fc.Arbitrary<NodeOption> = fc.record({
  usdPerHour: fc.integer({ min: 1, max: 40 }).map((cents) => cents / 100),
  room,
  admits: fc.tuple(fc.nat(1), fc.nat(1)).map((bits) => Uint8Array.from(bits)),
});

/** A few pods of a few kinds, with two kinds of constraints, some of them apart from each other. */
export const smallCases: fc.Arbitrary<SmallCase> = fc
  .record({
    kinds: fc.array(kind, { minLength: 1, maxLength: 3 }),
    options: fc.array(option, { minLength: 1, maxLength: 4 }),
    existing: fc.array(room, { maxLength: 1 }),
    areApart: fc.boolean(),
  })
  .map(({ kinds, options, existing, areApart }) => {
    const apart = areApart && kinds.length > 1;
    const separated = kinds.map((one, index) => (apart && index < 2 ? { ...one, isAlone: true } : one));
    return {
      demand: {
        resources: RESOURCES,
        kinds: separated,
        constraints: [requirement, requirement],
        exclusive: apart ? [[0, 1]] : [],
      },
      options,
      existing,
    };
  });

export function programOf({ demand, options, existing }: SmallCase): CoveringProgram {
  return {
    prices: options.map(({ usdPerHour }) => usdPerHour),
    rows: new CoveringRows(demand, options, existing).all(),
  };
}
