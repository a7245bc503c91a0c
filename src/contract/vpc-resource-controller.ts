/**
 * The last release of the VPC resource controller whose list of instance types lacks a family. EKS runs the controller
 * in the control plane, in a release of its own choice. Families that older releases have are left out.
 */
export interface UnlistedFamilies {
  readonly release: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly families: readonly string[];
}

/**
 * Generated from `pkg/aws/vpc/limits.go` of the releases in Go's module proxy.
 *
 * @see https://github.com/aws/amazon-vpc-resource-controller-k8s/blob/master/pkg/aws/vpc/limits.go
 */
export const UNLISTED_FAMILIES: readonly UnlistedFamilies[] = [
  {
    release: '1.7.15',
    date: '2025-10-13',
    families: [
      'c8a',
      'c8gb',
      'c8ib',
      'c8id',
      'c8in',
      'c8ine',
      'g7e',
      'm8azn',
      'm8gb',
      'm8gn',
      'm8ib',
      'm8id',
      'm8idb',
      'm8idn',
      'm8in',
      'm8ine',
      'p6-b300',
      'r8a',
      'r8ib',
      'r8id',
      'r8idb',
      'r8idn',
      'r8in',
      'x8aedz',
      'x8i',
    ],
  },
  {
    release: '1.7.20',
    date: '2026-05-19',
    families: ['c7g-flex', 'c8g-flex', 'g7', 'm7g-flex', 'm8g-flex', 'm9g', 'm9gd'],
  },
  { release: '1.7.23', date: '2026-06-29', families: ['c9g', 'c9gd', 'r9g', 'r9gd'] },
];
