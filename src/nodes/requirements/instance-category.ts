/**
 * Category of an instance type: the letters that its name begins with.
 *
 * @see https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-type-names.html
 */
export class InstanceCategory {
  /** First-generation Graviton. */
  public static readonly A = new InstanceCategory('a');
  /** Compute optimised: 2 GiB of memory per vCPU. */
  public static readonly C = new InstanceCategory('c');
  /** Dense disk storage. */
  public static readonly D = new InstanceCategory('d');
  /** Gaudi accelerators for training. */
  public static readonly DL = new InstanceCategory('dl');
  /** FPGA accelerators. */
  public static readonly F = new InstanceCategory('f');
  /** Graphics processors. */
  public static readonly G = new InstanceCategory('g');
  /** Graphics processors, with more memory per vCPU. */
  public static readonly GR = new InstanceCategory('gr');
  /** Disk storage with a balance of memory and compute. */
  public static readonly H = new InstanceCategory('h');
  /** High-performance computing. On demand only. */
  public static readonly HPC = new InstanceCategory('hpc');
  /** Local NVMe storage. */
  public static readonly I = new InstanceCategory('i');
  /** Local NVMe storage, with 4 GiB of memory per vCPU. */
  public static readonly IM = new InstanceCategory('im');
  /** Inferentia accelerators. */
  public static readonly INF = new InstanceCategory('inf');
  /** Local NVMe storage, with 6 GiB of memory per vCPU. */
  public static readonly IS = new InstanceCategory('is');
  /** General purpose: 4 GiB of memory per vCPU. */
  public static readonly M = new InstanceCategory('m');
  /** Graphics processors for training. */
  public static readonly P = new InstanceCategory('p');
  /** Memory optimised: 8 GiB of memory per vCPU. */
  public static readonly R = new InstanceCategory('r');
  /** Burstable: a share of a vCPU, with credits above it. */
  public static readonly T = new InstanceCategory('t');
  /** Trainium accelerators. */
  public static readonly TRN = new InstanceCategory('trn');
  /** High memory. */
  public static readonly U = new InstanceCategory('u');
  /** Video transcoding. */
  public static readonly VT = new InstanceCategory('vt');
  /** Memory optimised: 16 GiB of memory per vCPU and more. */
  public static readonly X = new InstanceCategory('x');
  /** High clock frequency. */
  public static readonly Z = new InstanceCategory('z');

  /** A category that has no constant here yet. */
  public static of(value: string): InstanceCategory {
    return new InstanceCategory(value);
  }

  private constructor(
    /** The label's value, in lower case. */
    public readonly value: string,
  ) {}
}
