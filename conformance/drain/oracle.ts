import { DrainAnswer } from './answer';
import { build } from '../go';
import { OracleProcess, Versions } from '../oracle-process';
import { DrainScenario } from './scenario';

let program: string | undefined;

/** Karpenter's own controllers of termination and eviction in a process of their own. */
export class DrainOracle {
  public static async start(): Promise<DrainOracle> {
    program ??= build({ command: 'drain', program: 'drain' });
    return new DrainOracle(await OracleProcess.run(program));
  }

  /** It leaves nothing to the order of maps. */
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

  public async play({ cluster, deleted, now, times }: DrainScenario): Promise<DrainAnswer> {
    const question = { cluster, deleted, now: new Date(now).toISOString(), ...times };
    const { asked, drained } = await this.process.ask<DrainAnswer & { readonly error?: string }>(question);
    // In Go a list without items is none.
    return { asked: asked ?? [], drained };
  }
}
