import { Answer, ClaimAnswer } from './answer';
import { ScheduleOracle } from './oracle';
import { catalogOf, inputOf, ourAnswer } from './our-answer';
import { SchedulingSession, solveInput } from '../../src/scheduling';
import { claimsOf } from '../../src/scheduling/provisioning/schedule';
import { CreatedPod } from '../../src/scheduling/settling/creation-order';
import { classesOf, PodOrder } from '../../src/scheduling/settling/pod-order';
import { SeededRandom } from '../../src/scheduling/settling/seeded-random';
import { settlingBase } from '../../src/scheduling/settling/settle';
import { Scenario } from '../../test/support/schedule-scenario/generate';

/** As many orders as `check` simulates. */
const OUR_DRAWS = 20;
/** Prices are sums of up to a hundred figures. */
const EQUAL = 1e-9;

/** The nodes that a first pass launches. Those of static NodePools are left out, because nothing is drawn for them. */
export interface Fleet {
  readonly nodes: number;
  readonly usdPerHour: number;
  /** NodePool, capacity type and cheapest instance type of each node, sorted. */
  readonly types: string;
}

/** Where a fleet of ours lies among those of the real Karpenter. */
export type Place = 'equal' | 'within' | 'outside';

export interface DrawnScenario {
  /** The plan of `check`. */
  readonly ours: Fleet;
  /** The fleets of our own draws. */
  readonly drawn: readonly Fleet[];
  readonly real: readonly Fleet[];
}

/** Draws the first pass of a scenario on both sides, with random names and UIDs. */
export async function drawScenario(scenario: Scenario, oracle: ScheduleOracle, draws: number): Promise<DrawnScenario> {
  return {
    ours: fleetOf(ourAnswer(scenario, 'launchable-first')),
    drawn: ourDraws(scenario),
    real: (await oracle.draw(scenario, draws)).map(fleetOf),
  };
}

/** `equal`: a draw has the same types, nodes and cost. `within`: its nodes and its cost are between those of draws. */
export function placeOf(fleet: Fleet, draws: readonly Fleet[]): Place {
  if (draws.some((draw) => draw.types === fleet.types && Math.abs(draw.usdPerHour - fleet.usdPerHour) < EQUAL))
    return 'equal';
  const isBetween = (figure: number, figures: readonly number[]) =>
    figure >= Math.min(...figures) - EQUAL && figure <= Math.max(...figures) + EQUAL;
  return isBetween(
    fleet.nodes,
    draws.map(({ nodes }) => nodes),
  ) &&
    isBetween(
      fleet.usdPerHour,
      draws.map(({ usdPerHour }) => usdPerHour),
    )
    ? 'within'
    : 'outside';
}

/** How our fleets compare with those that the real Karpenter launches with random names and UIDs. */
export interface DrawSummary {
  /** Scenarios in which a node is launched. */
  readonly scenarios: number;
  /** Scenarios whose real draws are not all equal. */
  readonly varying: number;
  /** Scenarios by the place of our plan among the real draws. */
  readonly plan: Readonly<Record<Place, number>>;
  /** Real draws by their place among our own draws. */
  readonly real: Readonly<Record<Place, number>>;
}

export class DrawTally {
  private readonly plan: Record<Place, number> = { equal: 0, within: 0, outside: 0 };
  private readonly real: Record<Place, number> = { equal: 0, within: 0, outside: 0 };
  private scenarios = 0;
  private varying = 0;

  public constructor(private readonly print: (line: string) => void) {}

  public add(name: string, { ours, drawn, real }: DrawnScenario): void {
    if (ours.nodes === 0 && real.every(({ nodes }) => nodes === 0)) return;
    this.scenarios++;
    if (real.some(({ types }) => types !== real[0].types)) this.varying++;
    const place = placeOf(ours, real);
    this.plan[place]++;
    for (const fleet of real) this.real[placeOf(fleet, drawn)]++;
    if (place === 'outside')
      this.print(
        `${name}: ${rangeText([ours])}, but ${rangeText(real)} with random names and UIDs; our own draws: ${rangeText(drawn)}`,
      );
  }

  public get summary(): DrawSummary {
    const { scenarios, varying, plan, real } = this;
    return { scenarios, varying, plan, real };
  }
}

/** `9 to 11 nodes, $3.20/h to $3.44/h`. */
function rangeText(fleets: readonly Fleet[]): string {
  const range = (figures: readonly number[], text: (figure: number) => string) => {
    const [least, most] = [text(Math.min(...figures)), text(Math.max(...figures))];
    return least === most ? least : `${least} to ${most}`;
  };
  return `${range(
    fleets.map(({ nodes }) => nodes),
    String,
  )} nodes, ${range(
    fleets.map(({ usdPerHour }) => usdPerHour),
    (price) => `$${price.toFixed(4)}/h`,
  )}`;
}

function ourDraws(scenario: Scenario): Fleet[] {
  const input = inputOf(scenario, 'launchable-first');
  const catalog = catalogOf(scenario.settings);
  const first = solveInput(input, catalog);
  const session = new SchedulingSession(catalog);
  const base = settlingBase(input, first, classesOf(first), session);
  const pending = Int32Array.from(base.input.pods, ({ count }, group) => (base.classes.has(group) ? count : 0));
  const created = base.input.pods.flatMap(({ count, age }, group) =>
    new Array<CreatedPod>(count).fill({ group, second: age === undefined ? 0 : -1 }),
  );
  return Array.from({ length: OUR_DRAWS }, (_, seed) => {
    const order = new PodOrder(base.input, base.classes, created, new SeededRandom(seed + 1));
    const { pods } = order.forKarpenter(pending);
    const settings = { ...base.input.settings, tieSeed: seed + 1 };
    const claims = claimsOf(session.solve({ ...base.input, pods, settings }));
    return fleetWith(
      claims.flatMap(({ nodePool, launch }) =>
        launch
          ? [[`${nodePool} ${launch.capacityType} ${launch.instanceTypes[0]}`, launch.cheapest.usdPerHour] as const]
          : [],
      ),
    );
  });
}

function fleetOf({ nodeClaims }: Answer): Fleet {
  const isLaunched = ({ static: isStatic, launch }: ClaimAnswer) => isStatic !== true && launch?.failed !== true;
  return fleetWith(
    nodeClaims
      .filter(isLaunched)
      .map(
        ({ nodePool, launch }) =>
          [`${nodePool} ${launch!.capacityType} ${launch!.instanceTypes?.[0]}`, launch!.usdPerHour] as const,
      ),
  );
}

function fleetWith(nodes: ReadonlyArray<readonly [type: string, usdPerHour: number]>): Fleet {
  return {
    nodes: nodes.length,
    usdPerHour: nodes.reduce((sum, [, usdPerHour]) => sum + usdPerHour, 0),
    types: nodes
      .map(([type]) => type)
      .sort()
      .join(', '),
  };
}
