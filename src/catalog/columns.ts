/**
 * A figure for every type. A plain loop, because `Float64Array.from` with a function is several times slower, and a catalogue
 * has some thirty columns.
 */
export function column(size: number, figure: (type: number) => number): Float64Array {
  const figures = new Float64Array(size);
  for (let type = 0; type < size; type++) {
    figures[type] = figure(type);
  }
  return figures;
}

/** As `column`, for the codes of a label. */
export function codeColumn(size: number, code: (type: number) => number): Int16Array {
  const codes = new Int16Array(size);
  for (let type = 0; type < size; type++) {
    codes[type] = code(type);
  }
  return codes;
}

/** As `column`, for sets of codes. */
export function setColumn(size: number, set: (type: number) => number): Uint32Array {
  const sets = new Uint32Array(size);
  for (let type = 0; type < size; type++) {
    sets[type] = set(type);
  }
  return sets;
}
