import { Versions } from './oracle-process';

/** A program with Karpenter's own code in it. */
export interface Stoppable {
  readonly versions: Versions;
  stop(): void;
}

/** Karpenter as it is, and a build of it that walks maps in the order of their keys. */
export interface Builds<Oracle extends Stoppable> {
  start(): Promise<Oracle>;
  startInMapOrder(): Promise<Oracle>;
}

/** Started when they are first asked. */
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
    for (const oracle of [this.plain, this.inMapOrder]) void oracle?.then((each) => each.stop());
  }
}
