import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { checkEc2NodeClassSpec, EC2_NODE_CLASS_API } from '../contract';
import { _toBlockDeviceMapping, BlockDevice } from './block-device';
import { EC2NodeClassProps } from './ec2-node-class-props';
import { _toKubelet } from './kubelet';
import { _toMetadataOptions } from './metadata-options';
import { INodeClass } from './node-class';
import { unlessEmpty } from './private/lowering';
import { CheckedSpec, throwOnMisuse, validateAtSynth } from './private/misuse';
import { SecurityGroupSelectorTerm, SubnetSelectorTerm } from './selector-term';

/**
 * What EC2 needs to know to launch nodes: machine image, role, network, disks.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/
 */
export class EC2NodeClass extends Construct implements INodeClass {
  /**
   * An EC2NodeClass that something else creates.
   *
   * @param scope where the construct belongs
   * @param id name among its siblings
   * @param name name of the object in the cluster
   */
  public static fromEC2NodeClassName(scope: Construct, id: string, name: string): INodeClass {
    return new ImportedEC2NodeClass(scope, id, name);
  }

  /**
   * The object in the manifest.
   */
  public readonly apiObject: ApiObject;

  /**
   * API group without a version: `karpenter.k8s.aws`.
   */
  public readonly group: string = EC2_NODE_CLASS_API.group;

  /**
   * Kind of the object: `EC2NodeClass`.
   */
  public readonly kind: string = EC2_NODE_CLASS_API.kind;

  private readonly _subnetSelectorTerms: SubnetSelectorTerm[];
  private readonly _securityGroupSelectorTerms: SecurityGroupSelectorTerm[];
  private readonly _blockDeviceMappings: BlockDevice[];
  private readonly _tags: { [key: string]: string };
  private readonly rules: CheckedSpec = { construct: this, toSpec: () => this._toSpec(), check: checkEc2NodeClassSpec };

  /**
   * @throws Error if Karpenter, the API server or EC2 would not accept the class, with the path, the value and what to write instead
   */
  constructor(scope: Construct, id: string, private readonly props: EC2NodeClassProps) {
    super(scope, id);
    this._subnetSelectorTerms = [...props.subnetSelectorTerms];
    this._securityGroupSelectorTerms = [...props.securityGroupSelectorTerms];
    this._blockDeviceMappings = [...props.blockDeviceMappings ?? []];
    this._tags = { ...props.tags };
    this.assertOneAmiSource();
    throwOnMisuse(this.rules);
    validateAtSynth(this.rules);

    this.apiObject = new ApiObject(this, 'Resource', {
      apiVersion: EC2_NODE_CLASS_API.apiVersion,
      kind: EC2_NODE_CLASS_API.kind,
      metadata: props.metadata,
      spec: Lazy.any({ produce: () => this._toSpec() }),
    });
  }

  /**
   * Name of the EC2NodeClass, by which NodePools refer to it.
   */
  public get name(): string {
    return this.apiObject.name;
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
   * Disks of the nodes. The list is a copy: use `addBlockDevices` to change it.
   */
  public get blockDeviceMappings(): BlockDevice[] {
    return [...this._blockDeviceMappings];
  }

  /**
   * Tags of what is launched. The map is a copy: use `addTag` to change it.
   */
  public get tags(): { [key: string]: string } {
    return { ...this._tags };
  }

  /**
   * Lets nodes be launched in further subnets.
   */
  public addSubnetSelectorTerms(...terms: SubnetSelectorTerm[]): void {
    this._subnetSelectorTerms.push(...terms);
    throwOnMisuse(this.rules);
  }

  /**
   * Gives nodes further security groups.
   */
  public addSecurityGroupSelectorTerms(...terms: SecurityGroupSelectorTerm[]): void {
    this._securityGroupSelectorTerms.push(...terms);
    throwOnMisuse(this.rules);
  }

  /**
   * Gives nodes further disks.
   */
  public addBlockDevices(...devices: BlockDevice[]): void {
    this._blockDeviceMappings.push(...devices);
    throwOnMisuse(this.rules);
  }

  /**
   * Adds a tag to what is launched, or changes its value.
   */
  public addTag(key: string, value: string): void {
    this._tags[key] = value;
    throwOnMisuse(this.rules);
  }

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    const { props } = this;
    return {
      amiFamily: props.amiFamily,
      amiSelectorTerms: props.amiAlias ? [{ alias: props.amiAlias.value }] : props.amiSelectorTerms!.map((term) => term._toSpec()),
      role: props.role,
      instanceProfile: props.instanceProfile,
      subnetSelectorTerms: this._subnetSelectorTerms.map((term) => term._toSpec()),
      securityGroupSelectorTerms: this._securityGroupSelectorTerms.map((term) => term._toSpec()),
      blockDeviceMappings: unlessEmpty(this._blockDeviceMappings.map(_toBlockDeviceMapping)),
      metadataOptions: _toMetadataOptions(props.metadataOptions),
      tags: unlessEmpty({ ...this._tags }),
      detailedMonitoring: props.detailedMonitoring,
      associatePublicIPAddress: props.associatePublicIpAddress,
      instanceStorePolicy: props.instanceStoreRaid0 ? 'RAID0' : undefined,
      kubelet: props.kubelet && _toKubelet(props.kubelet),
      userData: props.userData,
    };
  }

  private assertOneAmiSource(): void {
    const { amiAlias, amiSelectorTerms } = this.props;
    if ((amiAlias === undefined) !== (amiSelectorTerms === undefined)) return;
    const got = amiAlias === undefined ? 'neither' : 'both';
    throw new Error(`${this.node.path}/amiAlias: exactly one of amiAlias and amiSelectorTerms must be given, got ${got}; write for example amiAlias: AmiAlias.al2023('latest')`);
  }
}

class ImportedEC2NodeClass extends Construct implements INodeClass {
  public readonly group: string = EC2_NODE_CLASS_API.group;
  public readonly kind: string = EC2_NODE_CLASS_API.kind;

  constructor(scope: Construct, id: string, public readonly name: string) {
    super(scope, id);
  }
}
