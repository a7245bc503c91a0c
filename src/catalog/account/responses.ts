/** The fields of EC2's and the price list's answers that a catalogue needs. Every field may be absent. */

/** InstanceTypeInfo of DescribeInstanceTypes. */
export interface DescribedType {
  readonly InstanceType?: string;
  readonly BareMetal?: boolean;
  readonly Hypervisor?: string;
  readonly SupportedUsageClasses?: readonly string[];
  readonly NitroEnclavesSupport?: string;
  readonly VCpuInfo?: { readonly DefaultVCpus?: number };
  readonly MemoryInfo?: { readonly SizeInMiB?: number };
  readonly ProcessorInfo?: {
    readonly SupportedArchitectures?: readonly string[];
    readonly SustainedClockSpeedInGhz?: number;
    readonly SupportedFeatures?: readonly string[];
    readonly Manufacturer?: string;
  };
  readonly NetworkInfo?: {
    readonly NetworkCards?: ReadonlyArray<{
      readonly NetworkCardIndex?: number;
      readonly MaximumNetworkInterfaces?: number;
    }>;
    readonly DefaultNetworkCardIndex?: number;
    readonly Ipv4AddressesPerInterface?: number;
    readonly EncryptionInTransitSupported?: boolean;
    readonly EnaSupport?: string;
    readonly EfaInfo?: { readonly MaximumEfaInterfaces?: number };
  };
  readonly EbsInfo?: {
    readonly EbsOptimizedSupport?: string;
    readonly EbsOptimizedInfo?: { readonly MaximumBandwidthInMbps?: number };
    readonly MaximumEbsAttachments?: number;
    readonly AttachmentLimitType?: string;
  };
  readonly InstanceStorageInfo?: { readonly TotalSizeInGB?: number; readonly NvmeSupport?: string };
  readonly GpuInfo?: { readonly Gpus?: readonly DescribedDevice[] };
  readonly InferenceAcceleratorInfo?: { readonly Accelerators?: readonly DescribedDevice[] };
  readonly NeuronInfo?: {
    readonly NeuronDevices?: ReadonlyArray<DescribedDevice & { readonly CoreInfo?: { readonly Count?: number } }>;
  };
}

export interface DescribedDevice {
  readonly Name?: string;
  readonly Manufacturer?: string;
  readonly Count?: number;
  readonly MemoryInfo?: { readonly SizeInMiB?: number };
}

/** InstanceTypeOffering of DescribeInstanceTypeOfferings. */
export interface DescribedOffering {
  readonly InstanceType?: string;
  readonly Location?: string;
}

/** SpotPrice of DescribeSpotPriceHistory. */
export interface DescribedSpotPrice {
  readonly InstanceType?: string;
  readonly AvailabilityZone?: string;
  readonly SpotPrice?: string;
  readonly Timestamp?: Date | string;
}

/** AvailabilityZone of DescribeAvailabilityZones. */
export interface DescribedZone {
  readonly ZoneName?: string;
  readonly ZoneId?: string;
  readonly ZoneType?: string;
}
