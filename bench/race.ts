import { Agreement, Umpire } from './agreement';
import { fakeTypes } from './fake-types';
import { inputOf } from './mix-input';
import { ZONES } from './mix-pods';
import { manifestsOf, Mix } from './mixes';
import { time, Timing } from './statistics';
import { OracleError } from '../conformance/oracle-process';
import { ScheduleOracle } from '../conformance/schedule/oracle';
import { Catalog } from '../src/catalog';
import { pack } from '../src/kernel';
import { schedule, ScheduleInput, SchedulePlan } from '../src/scheduling';
import { classify } from '../src/scheduling/encoding/pod-classes';
import { encodeProblem } from '../src/scheduling/encoding/problem';
import { templatesOf } from '../src/scheduling/launch/pool-template';
import { uniformFigures } from '../test/support/uniform-figures';

const ROUNDS = 9;
/** Candidates that Karpenter evaluates in parallel, as in its own benchmark. */
const CONCURRENCY = 5;
export const FAKE_TYPES = 400;

/** The defaults of `check` and of Karpenter. */
const SETTINGS = {
  region: 'us-east-1',
  zones: ZONES,
  spotPriceRatio: 0.4,
  vmMemoryOverheadPercent: 0.075,
  reservedENIs: 0,
  preferencePolicy: 'Respect',
  minValuesPolicy: 'Strict',
};

export interface Race {
  readonly mix: string;
  readonly types: number;
  readonly pods: number;
  readonly classes: number;
  readonly nodes: number;
  /** Number of node claims and templates that the kernel tried. */
  readonly tries: number;
  readonly kernelBytes: number;
  /** `solve` goes from pod objects to decisions; `plan` adds prices and names. */
  readonly solve: Timing;
  readonly plan: Timing;
  readonly karpenter?: {
    readonly milliseconds: readonly number[];
    readonly median: number;
    readonly nodes: number;
    readonly agrees: Agreement;
  };
  /** Karpenter's median divided by our median of `solve`. */
  readonly ratio?: number;
}

/** The scheduler to race against, and the check that both decide the same. */
export interface Opponent {
  readonly oracle: ScheduleOracle;
  readonly umpire: Umpire;
  readonly rounds: number;
}

/** Runs both schedulers on the same manifests, or only ours without an opponent. */
export async function race(mix: Mix, pods: number, isFake: boolean, opponent?: Opponent): Promise<Race> {
  const catalog = isFake ? fakeCatalog() : Catalog.load({ figures: uniformFigures('us-east-1') });
  const input = inputOf(mix, pods);
  const solution = solve(input, catalog);
  const plan = schedule(input, catalog);
  const result: Race = {
    mix: mix.name,
    types: isFake ? FAKE_TYPES : catalog.names.length,
    pods,
    ...solution,
    nodes: plan.nodeClaims.length,
    solve: time(ROUNDS, () => solve(input, catalog)),
    plan: time(ROUNDS, () => schedule(input, catalog)),
  };
  const karpenter = opponent && (await karpenterOf(mix, pods, isFake, opponent, plan));
  return karpenter === undefined
    ? result
    : { ...result, karpenter, ratio: Math.round((karpenter.median / result.solve.median) * 10) / 10 };
}

/** Undefined if Karpenter gives no answer: one failed run must not discard all other figures. */
async function karpenterOf(
  mix: Mix,
  pods: number,
  isFake: boolean,
  { oracle, umpire, rounds }: Opponent,
  plan: SchedulePlan,
): Promise<Race['karpenter']> {
  const settings = { ...SETTINGS, fakeTypes: isFake ? FAKE_TYPES : 0, concurrency: CONCURRENCY };
  const question = { manifests: manifestsOf(mix, pods), settings };
  try {
    const { answer, milliseconds } = await oracle.time(question, rounds);
    const agrees = await umpire.agreement(plan, answer, question);
    const median = [...milliseconds].sort((left, right) => left - right)[Math.floor(milliseconds.length / 2)];
    return { milliseconds, median, nodes: answer.nodeClaims.length, agrees };
  } catch (error) {
    if (!(error instanceof OracleError)) throw error;
    console.error(`Karpenter has no answer to ${mix.name}, ${pods} pods: ${error.message}`);
    return undefined;
  }
}

function solve(input: ScheduleInput, catalog: Catalog): Pick<Race, 'classes' | 'tries' | 'kernelBytes'> {
  const groups = input.pods;
  const pods = classify(groups, input.nodePools, input.settings, input);
  const { daemonSets, settings } = input;
  const templates = templatesOf(input, catalog);
  const { problem } = encodeProblem({
    templates,
    daemonSets,
    relaxedDaemonSets: daemonSets,
    nodes: [],
    groups,
    pods,
    settings,
  });
  const { tries, memoryBytes } = pack(problem);
  return { classes: pods.classes.length, tries, kernelBytes: memoryBytes };
}

function fakeCatalog(): Catalog {
  const table = fakeTypes(FAKE_TYPES);
  return Object.assign(Object.create(Catalog.load()) as Catalog, { resolve: () => table });
}
