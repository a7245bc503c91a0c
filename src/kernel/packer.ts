import {
  BindingParameters,
  PackerProblem,
  PackerSolution,
  QueryProblem,
  SharedProblem,
  WhatIfParameters,
  WhatIfQueries,
} from './packer-problem';
import { readSolution, readTemplateSolution, TemplateSolution } from './solution-reader';
import { PackerBounds, WasmInstance } from './wasm-instance';

/** Solves one problem, in an instance of its own, so that no problem affects the next. @throws PackerLimitError */
export function pack(problem: PackerProblem, bounds: PackerBounds = {}): PackerSolution {
  const instance = new WasmInstance(bounds);
  instance.run(() => {
    instance.write(problem);
    instance.exports.solve();
  });
  return readSolution(instance, problem, readTemplateSolution(instance, problem), { copies: false, isBrief: false });
}

/**
 * Solves many queries about one problem. Their shared part is prepared once, and derived requirement sets stay in the
 * memory of the kernel.
 *
 * After a `PackerLimitError` the packer must not be used again.
 */
export class IncrementalPacker {
  private readonly instance: WasmInstance;
  private readonly templates: TemplateSolution;

  /** @throws PackerLimitError */
  public constructor(
    private readonly shared: SharedProblem,
    bounds: PackerBounds = {},
  ) {
    this.instance = new WasmInstance(bounds);
    this.instance.run(() => {
      this.instance.write(shared);
      this.instance.exports.prepare();
    });
    this.templates = readTemplateSolution(this.instance, shared);
  }

  /** Grows with every requirement set that is derived. */
  public get memoryBytes(): number {
    return this.instance.buffer.byteLength;
  }

  /**
   * @param isBrief whether to leave out the reasons for leftover pods if there are none, as in most queries
   * @throws PackerLimitError
   */
  public pack(query: QueryProblem, isBrief = false): PackerSolution {
    this.solveQuery(query);
    return readSolution(this.instance, this.shared, this.templates, { copies: true, isBrief });
  }

  /**
   * Only the placements of what `pack` returns.
   *
   * @throws PackerLimitError
   */
  public placements(query: QueryProblem): Int32Array {
    this.solveQuery(query);
    const { instance } = this;
    return new Int32Array(
      instance.buffer,
      instance.number('placements'),
      instance.number('placementCount') * 2,
    ).slice();
  }

  /**
   * Per what-if query: 1 if an added pod is certain to end on a node that is not initialized; 0 also if this is
   * unknown.
   *
   * @param query the base query
   * @throws PackerLimitError
   */
  public wouldUseUninitializedNodes(
    query: QueryProblem,
    parameters: WhatIfParameters,
    { count, headers, words }: WhatIfQueries,
  ): Uint8Array {
    const { instance } = this;
    instance.setNumber('steps', 0n);
    instance.run(() => {
      instance.exports.beginQuery();
      instance.write(query);
      instance.write(parameters);
      instance.setNumber('whatIfCount', count);
      instance.setNumber('whatIfWords', words.length);
      instance.exports.beginWhatIfQueries();
      const memory = new Int32Array(instance.buffer, instance.number('whatIfQueries'), headers.length + words.length);
      memory.set(headers);
      memory.set(words, headers.length);
      instance.exports.solveWhatIfQueries();
    });
    return new Uint8Array(instance.buffer, instance.number('whatIfAnswers'), count).slice();
  }

  /**
   * The placements if kube-scheduler binds the pods to the nodes of the query, in the order of its runs.
   *
   * @param query its templates must allow no nodes
   * @throws PackerLimitError
   */
  public bindings(query: QueryProblem, parameters: BindingParameters): Int32Array {
    const { instance } = this;
    instance.setNumber('bindsPods', 1);
    try {
      return this.placements({ ...query, ...parameters });
    } finally {
      instance.setNumber('bindsPods', 0);
    }
  }

  private solveQuery(query: QueryProblem): void {
    const { instance } = this;
    instance.setNumber('steps', 0n);
    instance.run(() => {
      instance.exports.beginQuery();
      instance.write(query);
      instance.exports.solveQuery();
    });
  }
}
