let loads = 0;

/** How many suites have called this function in this module registry, the caller included. */
export function countSuite(): number {
  return ++loads;
}
