/** A text that is no Kubernetes quantity, or one too large to mean anything. The message holds no path: the caller knows it. */
export class QuantityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'QuantityError';
  }
}
