/** A catalogue file that cannot be used. The message names the file, the problem and what to do. */
export class CatalogProblem extends Error {}
