import { SimulationAnswer } from './answer';
import { SimulationScenario } from './scenario';
import { ChosenScenario } from './scenario-choice';
import { DisruptionMethod } from '../../src/disruption';
import { build } from '../go';
import { mapOrderModfile } from '../map-order';
import { OracleProcess, Versions } from '../oracle-process';

/** Karpenter's disruption methods that are active in each scenario. */
const METHODS: Readonly<Record<ChosenScenario, readonly DisruptionMethod[]>> = {
  consolidation: ['Emptiness', 'MultiNodeConsolidation', 'SingleNodeConsolidation'],
  drift: ['StaticDrift', 'Drift'],
  expiration: [],
  'spot-interruption': [],
  deletion: [],
  'scale-down': [],
  'node-repair': ['Repair'],
  'capacity-block': [],
  'zone-outage': [],
  'job-end': ['Emptiness', 'MultiNodeConsolidation', 'SingleNodeConsolidation'],
};

/** Paths of the built programs; each is built once per process. */
const programs: { karpenter?: string; inMapOrder?: string } = {};

/** Simulates a scenario with Karpenter's own controllers in a separate process. */
export class SimulationOracle {
  public static async start(): Promise<SimulationOracle> {
    programs.karpenter ??= build({ command: 'simulation', program: 'simulation' });
    return new SimulationOracle(await OracleProcess.run(programs.karpenter));
  }

  /** The build that walks maps in the order of their keys, as our code does, and leaves nothing to chance. */
  public static async startInMapOrder(): Promise<SimulationOracle> {
    programs.inMapOrder ??= build({
      command: 'simulation',
      program: 'simulation-map-order',
      modfile: mapOrderModfile(),
    });
    return new SimulationOracle(await OracleProcess.run(programs.inMapOrder, '-in-order'));
  }

  private constructor(private readonly process: OracleProcess) {}

  public get versions(): Versions {
    return this.process.versions;
  }

  public stop(): void {
    this.process.stop();
  }

  public async simulate({
    manifests,
    cluster,
    afterwards = cluster,
    settings,
    now,
    choice,
    times,
  }: SimulationScenario): Promise<SimulationAnswer> {
    const { scenario: name, happens = [] } = choice;
    const request = {
      manifests,
      cluster: afterwards,
      settings,
      now: new Date(now).toISOString(),
      methods: METHODS[name],
      expires: name === 'expiration',
      happens,
      ...times,
    };
    const { events, workloads, pending, nodes } = await this.process.request<
      SimulationAnswer & { readonly error?: string }
    >(request);
    // Go writes an empty list as null.
    return { events: events ?? [], workloads, pending, nodes: [...(nodes ?? [])].sort() };
  }
}
