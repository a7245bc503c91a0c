import { DrainAnswer } from './answer';
import { build } from '../go';
import { OracleProcess, Versions } from '../oracle-process';
import { DrainScenario } from './scenario';

let program: string | undefined;

/** Karpenter's own termination and eviction controllers in a separate process. */
export class DrainOracle {
  public static async start(): Promise<DrainOracle> {
    program ??= build({ command: 'drain', program: 'drain' });
    return new DrainOracle(await OracleProcess.run(program));
  }

  /** The same program, because nothing in it depends on the order of maps. */
  public static startInMapOrder(): Promise<DrainOracle> {
    return DrainOracle.start();
  }

  private constructor(private readonly process: OracleProcess) {}

  public get versions(): Versions {
    return this.process.versions;
  }

  public stop(): void {
    this.process.stop();
  }

  public async drain({ cluster, deleted, now, times }: DrainScenario): Promise<DrainAnswer> {
    const request = { cluster, deleted, now: new Date(now).toISOString(), ...times };
    const { asked, drained } = await this.process.request<DrainAnswer & { readonly error?: string }>(request);
    // Go writes an empty list as null.
    return { asked: asked ?? [], drained };
  }
}
