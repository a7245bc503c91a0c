import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { checkEc2NodeClassSpec, EC2_NODE_CLASS_API } from '../contract';
import { EC2NodeClassProps } from './ec2-node-class-props';
import { KarpenterObject } from './karpenter-object';
import { INodeClass } from './node-class';
import { errorWithoutStack, requireProps } from '../model';
import { AmiSelectorTerm } from './node-class-settings/ami';
import { _toBlockDeviceMapping, BlockDevice } from './node-class-settings/block-device';
import { CapacityReservationSelectorTerm } from './node-class-settings/capacity-reservation';
import { _findKubeletMisuse, _toKubelet } from './node-class-settings/kubelet';
import { _toMetadataOptions } from './node-class-settings/metadata-options';
import { _toConnectionTracking, _toNetworkInterface, NetworkInterface } from './node-class-settings/network-interface';
import { SecurityGroupSelectorTerm, SubnetSelectorTerm } from './node-class-settings/selector-term';
import { newCheckedObject, CheckedSpec, throwOnMisuse } from './private/checked-object';
import { unlessEmpty } from './private/lowering';
import { findUserDataMisuse } from './private/user-data-checks';

/**
 * The EC2 settings with which nodes are launched: machine image, role, network, disks.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/
 */
export class EC2NodeClass extends KarpenterObject implements INodeClass {
  /**
   * Refers to an EC2NodeClass that is created elsewhere.
   *
   * @param scope where the construct belongs
   * @param id name among its siblings
   * @param name name of the object in the cluster
   */
  public static fromEC2NodeClassName(scope: Construct, id: string, name: string): INodeClass {
    return new ImportedEC2NodeClass(scope, id, name);
  }

  public readonly apiObject: ApiObject;

  /**
   * API group without a version: `karpenter.k8s.aws`.
   */
  public readonly group: string = EC2_NODE_CLASS_API.group;

  /**
   * Kind of the object: `EC2NodeClass`.
   */
  public readonly kind: string = EC2_NODE_CLASS_API.kind;

  private readonly _amiSelectorTerms: AmiSelectorTerm[];
  private readonly _subnetSelectorTerms: SubnetSelectorTerm[];
  private readonly _securityGroupSelectorTerms: SecurityGroupSelectorTerm[];
  private readonly _capacityReservationSelectorTerms: CapacityReservationSelectorTerm[];
  private readonly _blockDeviceMappings: BlockDevice[];
  private readonly _networkInterfaces: NetworkInterface[];
  private readonly _tags: { [key: string]: string };
  private readonly rules: CheckedSpec = { construct: this, toSpec: () => this._toSpec(), check: checkEc2NodeClassSpec };

  /**
   * @throws Error if Karpenter, the API server or EC2 would not accept the class, with the path, the value and what to
   * write instead
   */
  constructor(
    scope: Construct,
    id: string,
    private readonly props: EC2NodeClassProps,
  ) {
    super(scope, id);
    requireProps(this, props, {
      amiSelectorTerms: "[AmiSelectorTerm.al2023('latest')]",
      identity: "NodeIdentity.role('KarpenterNodeRole-my-cluster')",
      subnetSelectorTerms: "[SubnetSelectorTerm.byDiscoveryTag('my-cluster')]",
      securityGroupSelectorTerms: "[SecurityGroupSelectorTerm.byDiscoveryTag('my-cluster')]",
    });
    this.assertNoContradiction();
    this._amiSelectorTerms = [...props.amiSelectorTerms];
    this._subnetSelectorTerms = [...props.subnetSelectorTerms];
    this._securityGroupSelectorTerms = [...props.securityGroupSelectorTerms];
    this._capacityReservationSelectorTerms = [...(props.capacityReservationSelectorTerms ?? [])];
    this._blockDeviceMappings = [...(props.blockDeviceMappings ?? [])];
    this._networkInterfaces = [...(props.networkInterfaces ?? [])];
    this._tags = { ...props.tags };
    this.assertUserDataFits();
    this.apiObject = newCheckedObject(EC2_NODE_CLASS_API, props.metadata, this.rules);
  }

  /**
   * Machine images of the nodes. The list is a copy: use `addAmiSelectorTerms` to change it.
   */
  public get amiSelectorTerms(): AmiSelectorTerm[] {
    return [...this._amiSelectorTerms];
  }

  /**
   * Subnets in which nodes are launched. The list is a copy: use `addSubnetSelectorTerms` to change it.
   */
  public get subnetSelectorTerms(): SubnetSelectorTerm[] {
    return [...this._subnetSelectorTerms];
  }

  /**
   * Security groups of the nodes. The list is a copy: use `addSecurityGroupSelectorTerms` to change it.
   */
  public get securityGroupSelectorTerms(): SecurityGroupSelectorTerm[] {
    return [...this._securityGroupSelectorTerms];
  }

  /**
   * Capacity reservations that nodes run in. The list is a copy: use `addCapacityReservationSelectorTerms` to change
   * it.
   */
  public get capacityReservationSelectorTerms(): CapacityReservationSelectorTerm[] {
    return [...this._capacityReservationSelectorTerms];
  }

  /**
   * Disks of the nodes. The list is a copy: use `addBlockDevices` to change it.
   */
  public get blockDeviceMappings(): BlockDevice[] {
    return [...this._blockDeviceMappings];
  }

  /**
   * Network interfaces of the nodes. The list is a copy: use `addNetworkInterfaces` to change it.
   */
  public get networkInterfaces(): NetworkInterface[] {
    return [...this._networkInterfaces];
  }

  /**
   * Tags of the launched resources. The map is a copy: use `addTag` to change it.
   */
  public get tags(): { [key: string]: string } {
    return { ...this._tags };
  }

  /**
   * Adds images that nodes can be launched from. This is an error if the class has an alias, which must be the only
   * term.
   */
  public addAmiSelectorTerms(...terms: AmiSelectorTerm[]): void {
    this._amiSelectorTerms.push(...terms);
    throwOnMisuse(this.rules);
  }

  /**
   * Adds subnets that nodes can be launched in.
   */
  public addSubnetSelectorTerms(...terms: SubnetSelectorTerm[]): void {
    this._subnetSelectorTerms.push(...terms);
    throwOnMisuse(this.rules);
  }

  /**
   * Adds security groups of the nodes.
   */
  public addSecurityGroupSelectorTerms(...terms: SecurityGroupSelectorTerm[]): void {
    this._securityGroupSelectorTerms.push(...terms);
    throwOnMisuse(this.rules);
  }

  /**
   * Adds capacity reservations that nodes can run in.
   */
  public addCapacityReservationSelectorTerms(...terms: CapacityReservationSelectorTerm[]): void {
    this._capacityReservationSelectorTerms.push(...terms);
    throwOnMisuse(this.rules);
  }

  /**
   * Adds disks of the nodes.
   */
  public addBlockDevices(...devices: BlockDevice[]): void {
    this._blockDeviceMappings.push(...devices);
    throwOnMisuse(this.rules);
  }

  /**
   * Adds network interfaces of the nodes.
   */
  public addNetworkInterfaces(...interfaces: NetworkInterface[]): void {
    this._networkInterfaces.push(...interfaces);
    throwOnMisuse(this.rules);
  }

  /**
   * Adds a tag to the launched resources, or changes its value.
   */
  public addTag(key: string, value: string): void {
    this._tags[key] = value;
    throwOnMisuse(this.rules);
  }

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    const { props } = this;
    return {
      ...this.toSelectors(),
      amiFamily: props.amiFamily,
      ...props.identity._toSpec(),
      blockDeviceMappings: unlessEmpty(this._blockDeviceMappings.map(_toBlockDeviceMapping)),
      instanceStorePolicy: props.instanceStorePolicy,
      metadataOptions: _toMetadataOptions(props.metadataOptions),
      tags: unlessEmpty({ ...this._tags }),
      detailedMonitoring: props.detailedMonitoring,
      associatePublicIPAddress: props.associatePublicIpAddress,
      ipPrefixCount: props.ipPrefixCount,
      networkInterfaces: unlessEmpty(this._networkInterfaces.map(_toNetworkInterface)),
      connectionTracking: props.connectionTracking && _toConnectionTracking(props.connectionTracking),
      cpuOptions:
        props.nestedVirtualization === undefined
          ? undefined
          : { nestedVirtualization: props.nestedVirtualization ? 'enabled' : 'disabled' },
      enclaveOptions: props.nitroEnclaves === undefined ? undefined : { enabled: props.nitroEnclaves },
      kubelet: props.kubelet && _toKubelet(props.kubelet),
      userData: props.userData?.content,
      context: props.context,
    };
  }

  private toSelectors(): Record<string, unknown> {
    return {
      amiSelectorTerms: this._amiSelectorTerms.map((term) => term._toSpec()),
      subnetSelectorTerms: this._subnetSelectorTerms.map((term) => term._toSpec()),
      securityGroupSelectorTerms: this._securityGroupSelectorTerms.map((term) => term._toSpec()),
      capacityReservationSelectorTerms: unlessEmpty(
        this._capacityReservationSelectorTerms.map((term) => term._toSpec()),
      ),
      placementGroupSelector: this.props.placementGroupSelector?._toSpec(),
    };
  }

  private assertUserDataFits(): void {
    const { userData } = this.props;
    const misuse = userData && findUserDataMisuse(this._toSpec(), userData._kind, userData.content);
    if (misuse) throw errorWithoutStack(`${this.node.path}/${misuse}`);
  }

  private assertNoContradiction(): void {
    const { kubelet } = this.props;
    const misuse = kubelet && _findKubeletMisuse(kubelet);
    if (misuse) throw errorWithoutStack(`${this.node.path}/${misuse}`);
  }
}

class ImportedEC2NodeClass extends Construct implements INodeClass {
  public readonly group: string = EC2_NODE_CLASS_API.group;
  public readonly kind: string = EC2_NODE_CLASS_API.kind;

  constructor(
    scope: Construct,
    id: string,
    public readonly name: string,
  ) {
    super(scope, id);
  }
}
