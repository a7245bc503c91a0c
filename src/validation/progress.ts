/** A unit of work that begins. */
export interface ProgressStep {
  /** Such as `checking rules`. */
  readonly task: string;
  /** Units that are finished. @default - they are not counted */
  readonly done?: number;
  /** @default - it is not known how many units there are */
  readonly total?: number;
}

/** Called between units of work. It must not change the result. */
export type ProgressListener = (step: ProgressStep) => void;

/** A listener for the parts of one unit: their names follow the name of the unit. */
export function progressOfUnit(listener: ProgressListener | undefined, unit: string): ProgressListener | undefined {
  return listener && ((step) => listener({ ...step, task: `${unit}: ${step.task}` }));
}
