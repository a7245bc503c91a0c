import { PlayAnswer } from './answer';
import { PlayedScenario } from './played';
import { PlayScenario } from './scenario';
import { DisruptionMethod } from '../../src/disruption';
import { build } from '../go';
import { mapOrderModfile } from '../map-order';
import { OracleProcess, Versions } from '../oracle-process';

/** What Karpenter does of its own will in each. */
const METHODS: Readonly<Record<PlayedScenario, readonly DisruptionMethod[]>> = {
  'consolidation': ['Emptiness', 'MultiNodeConsolidation', 'SingleNodeConsolidation'],
  'drift': ['StaticDrift', 'Drift'],
  'expiration': [],
  'spot-interruption': [],
  'deletion': [],
  'scale-down': [],
  'node-repair': ['Repair'],
  'capacity-block': [],
  'zone-outage': [],
  'job-end': ['Emptiness', 'MultiNodeConsolidation', 'SingleNodeConsolidation'],
};

/** Built once a process. */
const programs: { karpenter?: string; inMapOrder?: string } = {};

/** Karpenter's own controllers in a process of their own, with time passing. */
export class PlayOracle {
  public static async start(): Promise<PlayOracle> {
    programs.karpenter ??= build({ command: 'play', program: 'play' });
    return new PlayOracle(await OracleProcess.run(programs.karpenter));
  }

  /** The same, but for maps walked in the order of their keys: what it leaves to chance otherwise, it then decides as we do. */
  public static async startInMapOrder(): Promise<PlayOracle> {
    programs.inMapOrder ??= build({ command: 'play', program: 'play-map-order', modfile: mapOrderModfile() });
    return new PlayOracle(await OracleProcess.run(programs.inMapOrder, '-in-order'));
  }

  private constructor(private readonly process: OracleProcess) {}

  public get versions(): Versions {
    return this.process.versions;
  }

  public stop(): void {
    this.process.stop();
  }

  public async play({ manifests, cluster, afterwards = cluster, settings, now, played, times }: PlayScenario): Promise<PlayAnswer> {
    const { play, happens = [] } = played;
    const question = {
      manifests, cluster: afterwards, settings, now: new Date(now).toISOString(), methods: METHODS[play], expires: play === 'expiration', happens, ...times,
    };
    const { events, workloads, pending, nodes } = await this.process.ask<PlayAnswer & { readonly error?: string }>(question);
    // In Go a list without items is none.
    return { events: events ?? [], workloads, pending, nodes: [...nodes ?? []].sort() };
  }
}
