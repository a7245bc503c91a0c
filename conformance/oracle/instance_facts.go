package oracle

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"regexp"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	ec2types "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/samber/lo"

	"github.com/aws/aws-sdk-go-v2/service/ec2"
	sdk "github.com/aws/karpenter-provider-aws/pkg/aws"
)

// instanceFacts is one line of data/instance-types.json.
type instanceFacts struct {
	InstanceType                 string
	Arch                         string
	CpuManufacturer              string
	SustainedClockSpeedMhz       float64
	Vcpus                        int32
	MemoryMiB                    int64
	Hypervisor                   string
	EncryptionInTransitSupported bool
	BareMetal                    bool
	NetworkCards                 int32
	DefaultCardNetworkInterfaces int32
	Ipv4PerInterface             int32
	EniLimitedPods               int32
	EbsBandwidthMbps             *int32
	LocalNvmeGB                  *int64
	OtherInstanceStoreGB         *int64
	OnDemandOnly                 bool
	NestedVirtualization         bool
	NitroEnclaves                bool
	EnaUnsupported               bool
	EfaInterfaces                *int32
	NvidiaGpus, AmdGpus          int32
	Gpu                          *struct {
		Name, Manufacturer string
		Count, MemoryMiB   int32
	}
	Neuron      *struct{ Devices, Cores int32 }
	Accelerator *struct {
		Name, Manufacturer string
		Count              int32
	}
	OnDemandUsdPerHour map[string]float64
}

// withoutClusterGroups are the types that data/SOURCE.md describes.
var withoutClusterGroups = regexp.MustCompile(`^((c1|m1|m2|m3|t1|t2|t3|t3a|t4g|vt1)|[^.]*-flex)\.`)

const assumedAddressesPerInterface = 50

func readFacts(path string) ([]instanceFacts, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var facts []instanceFacts
	return facts, json.Unmarshal(text, &facts)
}

// info puts the facts in the form in which EC2 reports them.
func (f instanceFacts) info() ec2types.InstanceTypeInfo {
	arch := lo.Ternary(f.Arch == "arm64", ec2types.ArchitectureTypeArm64, ec2types.ArchitectureTypeX8664)
	usage := []ec2types.UsageClassType{ec2types.UsageClassTypeOnDemand}
	if !f.OnDemandOnly {
		usage = append(usage, ec2types.UsageClassTypeSpot)
	}
	result := ec2types.InstanceTypeInfo{
		InstanceType:          ec2types.InstanceType(f.InstanceType),
		BareMetal:             aws.Bool(f.BareMetal),
		Hypervisor:            ec2types.InstanceTypeHypervisor(f.Hypervisor),
		VCpuInfo:              &ec2types.VCpuInfo{DefaultVCpus: aws.Int32(f.Vcpus)},
		MemoryInfo:            &ec2types.MemoryInfo{SizeInMiB: aws.Int64(f.MemoryMiB)},
		SupportedUsageClasses: usage,
		PlacementGroupInfo:    &ec2types.PlacementGroupInfo{SupportedStrategies: f.placementStrategies()},
		ProcessorInfo: &ec2types.ProcessorInfo{
			SupportedArchitectures:   []ec2types.ArchitectureType{arch},
			Manufacturer:             aws.String(f.CpuManufacturer),
			SustainedClockSpeedInGhz: aws.Float64(f.SustainedClockSpeedMhz / 1000),
		},
		NetworkInfo: f.network(),
	}
	if f.NestedVirtualization {
		result.ProcessorInfo.SupportedFeatures = []ec2types.SupportedAdditionalProcessorFeature{
			ec2types.SupportedAdditionalProcessorFeatureNestedVirtualization,
		}
	}
	if f.LocalNvmeGB != nil {
		result.InstanceStorageInfo = &ec2types.InstanceStorageInfo{TotalSizeInGB: f.LocalNvmeGB, NvmeSupport: ec2types.EphemeralNvmeSupportRequired}
	} else if f.OtherInstanceStoreGB != nil {
		result.InstanceStorageInfo = &ec2types.InstanceStorageInfo{
			TotalSizeInGB: f.OtherInstanceStoreGB, NvmeSupport: ec2types.EphemeralNvmeSupportUnsupported,
		}
	}
	if f.NitroEnclaves {
		result.NitroEnclavesSupport = ec2types.NitroEnclavesSupportSupported
	}
	if f.EbsBandwidthMbps != nil {
		result.EbsInfo = &ec2types.EbsInfo{
			EbsOptimizedSupport: ec2types.EbsOptimizedSupportDefault,
			EbsOptimizedInfo:    &ec2types.EbsOptimizedInfo{MaximumBandwidthInMbps: f.EbsBandwidthMbps},
		}
	}
	f.accelerators(&result)
	return result
}

func (f instanceFacts) placementStrategies() []ec2types.PlacementGroupStrategy {
	all := []ec2types.PlacementGroupStrategy{ec2types.PlacementGroupStrategyPartition, ec2types.PlacementGroupStrategySpread}
	if withoutClusterGroups.MatchString(f.InstanceType) {
		return all
	}
	return append(all, ec2types.PlacementGroupStrategyCluster)
}

func (f instanceFacts) network() *ec2types.NetworkInfo {
	interfaces, addresses, efa := f.DefaultCardNetworkInterfaces, f.Ipv4PerInterface, lo.FromPtr(f.EfaInterfaces)
	cards := f.NetworkCards
	if f.EniLimitedPods != 0 {
		interfaces, addresses = (f.EniLimitedPods-2)/(assumedAddressesPerInterface-1), assumedAddressesPerInterface
	}
	if cards == 0 {
		cards = max(efa, 1)
	}
	result := &ec2types.NetworkInfo{
		EncryptionInTransitSupported: aws.Bool(f.EncryptionInTransitSupported),
		EnaSupport:                   lo.Ternary(f.EnaUnsupported, ec2types.EnaSupportUnsupported, ec2types.EnaSupportSupported),
		DefaultNetworkCardIndex:      aws.Int32(0),
		Ipv4AddressesPerInterface:    aws.Int32(addresses),
	}
	for card := range cards {
		result.NetworkCards = append(result.NetworkCards, ec2types.NetworkCardInfo{
			NetworkCardIndex: aws.Int32(card), MaximumNetworkInterfaces: aws.Int32(interfaces),
		})
	}
	if f.EfaInterfaces != nil {
		result.EfaInfo = &ec2types.EfaInfo{MaximumEfaInterfaces: f.EfaInterfaces}
	}
	return result
}

func (f instanceFacts) accelerators(to *ec2types.InstanceTypeInfo) {
	if f.Gpu != nil {
		// Capacity uses EC2's spelling of the manufacturer, the label its lower case.
		maker := strings.ToUpper(f.Gpu.Manufacturer)
		if f.Gpu.Manufacturer != "nvidia" && f.Gpu.Manufacturer != "amd" {
			maker = strings.ToUpper(f.Gpu.Manufacturer[:1]) + f.Gpu.Manufacturer[1:]
		}
		to.GpuInfo = &ec2types.GpuInfo{Gpus: []ec2types.GpuDeviceInfo{{
			Name: aws.String(f.Gpu.Name), Manufacturer: aws.String(maker), Count: aws.Int32(f.Gpu.Count),
			MemoryInfo: &ec2types.GpuDeviceMemoryInfo{SizeInMiB: aws.Int32(f.Gpu.MemoryMiB)},
		}}}
	}
	if f.Neuron != nil {
		to.NeuronInfo = &ec2types.NeuronInfo{NeuronDevices: []ec2types.NeuronDeviceInfo{{
			Name: aws.String(f.Accelerator.Name), Count: aws.Int32(f.Neuron.Devices),
			CoreInfo: &ec2types.NeuronDeviceCoreInfo{Count: aws.Int32(f.Neuron.Cores / f.Neuron.Devices)},
		}}}
	} else if f.Accelerator != nil {
		to.InferenceAcceleratorInfo = &ec2types.InferenceAcceleratorInfo{Accelerators: []ec2types.InferenceDeviceInfo{{
			Name: aws.String(f.Accelerator.Name), Manufacturer: aws.String(f.Accelerator.Manufacturer), Count: aws.Int32(f.Accelerator.Count),
		}}}
	}
}

// ec2API answers the calls of the instance type and placement group providers; any other call panics.
type ec2API struct {
	sdk.EC2API
	facts  []instanceFacts
	zones  []string
	groups []ec2types.PlacementGroup
}

// DescribePlacementGroups is called for available groups, by ids or names.
func (e *ec2API) DescribePlacementGroups(
	_ context.Context, in *ec2.DescribePlacementGroupsInput, _ ...func(*ec2.Options),
) (*ec2.DescribePlacementGroupsOutput, error) {
	return &ec2.DescribePlacementGroupsOutput{PlacementGroups: lo.Filter(e.groups, func(group ec2types.PlacementGroup, _ int) bool {
		return group.State == ec2types.PlacementGroupStateAvailable &&
			(lo.Contains(in.GroupIds, aws.ToString(group.GroupId)) || lo.Contains(in.GroupNames, aws.ToString(group.GroupName)))
	})}, nil
}

func (e *ec2API) DescribeInstanceTypes(context.Context, *ec2.DescribeInstanceTypesInput, ...func(*ec2.Options)) (*ec2.DescribeInstanceTypesOutput, error) {
	return &ec2.DescribeInstanceTypesOutput{InstanceTypes: lo.Map(e.facts, func(f instanceFacts, _ int) ec2types.InstanceTypeInfo { return f.info() })}, nil
}

func (e *ec2API) DescribeInstanceTypeOfferings(
	context.Context, *ec2.DescribeInstanceTypeOfferingsInput, ...func(*ec2.Options),
) (*ec2.DescribeInstanceTypeOfferingsOutput, error) {
	result := &ec2.DescribeInstanceTypeOfferingsOutput{}
	for _, f := range e.facts {
		for _, zone := range e.zones {
			result.InstanceTypeOfferings = append(result.InstanceTypeOfferings, ec2types.InstanceTypeOffering{
				InstanceType: ec2types.InstanceType(f.InstanceType), Location: aws.String(zone),
			})
		}
	}
	return result, nil
}

// prices are the published on-demand prices, and a share of them as spot prices.
type prices struct {
	onDemand  map[ec2types.InstanceType]float64
	spotRatio float64
}

func pricesOf(facts []instanceFacts, region string, spotRatio float64) *prices {
	priced := lo.ContainsBy(facts, func(f instanceFacts) bool { return lo.HasKey(f.OnDemandUsdPerHour, region) })
	result := &prices{onDemand: map[ec2types.InstanceType]float64{}, spotRatio: spotRatio}
	for _, f := range facts {
		if usd, ok := f.OnDemandUsdPerHour[lo.Ternary(priced, region, "us-east-1")]; ok && !math.IsNaN(usd) {
			result.onDemand[ec2types.InstanceType(f.InstanceType)] = usd
		}
	}
	return result
}

func (p *prices) OnDemandPrice(name ec2types.InstanceType) (float64, bool) {
	usd, ok := p.onDemand[name]
	return usd, ok
}

func (p *prices) SpotPrice(name ec2types.InstanceType, _ string) (float64, bool) {
	usd, ok := p.onDemand[name]
	return usd * p.spotRatio, ok
}
