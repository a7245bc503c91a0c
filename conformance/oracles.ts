import { Versions } from './oracle-process';

/** A program that contains Karpenter's own code. */
export interface Stoppable {
  readonly versions: Versions;
  stop(): void;
}

/** The unmodified Karpenter, and a build that walks maps in the order of their keys. */
export interface Builds<Oracle extends Stoppable> {
  start(): Promise<Oracle>;
  startInMapOrder(): Promise<Oracle>;
}

/** The oracle processes of one job, started on first use. */
export class Oracles<Oracle extends Stoppable> {
  private plain?: Promise<Oracle>;
  private inMapOrder?: Promise<Oracle>;

  public constructor(private readonly builds: Builds<Oracle>) {}

  public karpenter(): Promise<Oracle> {
    this.plain ??= this.builds.start();
    return this.plain;
  }

  public karpenterInMapOrder(): Promise<Oracle> {
    this.inMapOrder ??= this.builds.startInMapOrder();
    return this.inMapOrder;
  }

  public stop(): void {
    for (const oracle of [this.plain, this.inMapOrder]) void oracle?.then((started) => started.stop());
  }
}
