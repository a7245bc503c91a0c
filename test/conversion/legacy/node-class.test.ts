import { betaNodeClass, convert, nodeTemplate, refusals } from '../setup';

function classOf(text: string) {
  const { objects, notes, text: result } = convert(text, { role: 'nodes' });
  expect(refusals(result)).toEqual([]);
  return { spec: objects[0].spec, metadata: objects[0].metadata, notes, text: result };
}

describe('an AWSNodeTemplate', () => {
  test.each<[string, string, object[]]>([
    ['tags', '{ a: b, c: d }', [{ tags: { a: 'b', c: 'd' } }]],
    ['ids', '{ aws-ids: "subnet-1, subnet-2" }', [{ id: 'subnet-1' }, { id: 'subnet-2' }]],
    ['ids by their later name', '{ "aws::ids": subnet-1 }', [{ id: 'subnet-1' }]],
    ['values with commas', '{ Name: "one,two", team: web }', [{ tags: { Name: 'one', team: 'web' } }, { tags: { Name: 'two', team: 'web' } }]],
    ['any value', '{ team: "*" }', [{ tags: { team: '*' } }]],
  ])('selects subnets by %s', (_, selector, terms) => {
    expect(classOf(nodeTemplate(`subnetSelector: ${selector}`)).spec.subnetSelectorTerms).toEqual(terms);
  });

  test.each<[string, string, object[]]>([
    ['names and owners', '{ "aws::name": "a,b", "aws::owners": "self,123456789012" }', [
      { name: 'a', owner: 'self' }, { name: 'a', owner: '123456789012' }, { name: 'b', owner: 'self' }, { name: 'b', owner: '123456789012' },
    ]],
    ['an owner alone', '{ "aws::owners": self }', [{ name: '*', owner: 'self' }]],
    ['ids', '{ aws-ids: ami-1 }', [{ id: 'ami-1' }]],
  ])('selects images by %s, for its family', (_, selector, terms) => {
    expect(classOf(nodeTemplate(`amiSelector: ${selector}`)).spec).toMatchObject({ amiFamily: 'AL2', amiSelectorTerms: terms });
  });

  test('selects by none of the empty values that stray commas leave, and says so', () => {
    const { spec, text, notes } = classOf(nodeTemplate('subnetSelector: { Name: "one, ,two,", team: web }'));
    expect(spec.subnetSelectorTerms).toEqual([{ tags: { Name: 'one', team: 'web' } }, { tags: { Name: 'two', team: 'web' } }]);
    expect(text).toMatch(/# +Name: "one, ,two,"/);
    expect(notes).toContainEqual(expect.stringMatching(/^todo: subnetSelector: no value of a tag can be empty/));
  });

  test('with ids and tags of images keeps the ids, and the rest as a comment', () => {
    const { spec, text, notes } = classOf(nodeTemplate('amiSelector: { aws-ids: ami-1, team: web }'));
    expect(spec.amiSelectorTerms).toEqual([{ id: 'ami-1' }]);
    expect(text).toMatch(/# +team: web/);
    expect(notes).toContainEqual(expect.stringMatching(/^todo: amiSelector: a term with an id/));
  });

  test('is of the family AL2 by default, by its alias', () => {
    const { spec, notes } = classOf(nodeTemplate());
    expect(spec.amiSelectorTerms).toEqual([{ alias: 'al2@latest' }]);
    expect(notes).toContainEqual(expect.stringMatching(/^todo: the default amiFamily AL2 is the alias al2@latest; EKS publishes no AMI/));
    expect(spec.amiFamily).toBeUndefined();
  });

  test('without an instance profile takes the given role, or a placeholder with a note', () => {
    expect(classOf(nodeTemplate()).spec.role).toBe('nodes');
    const { objects, notes } = convert(nodeTemplate());
    expect(objects[0].spec.role).toMatch(/CLUSTER_NAME/);
    expect(notes).toContainEqual(expect.stringMatching(/^todo: no instanceProfile/));
  });

  test('keeps the hop limit that was the default', () => {
    expect(classOf(nodeTemplate()).spec.metadataOptions).toEqual({ httpEndpoint: 'enabled', httpProtocolIPv6: 'disabled', httpPutResponseHopLimit: 2, httpTokens: 'required' });
    expect(classOf(betaNodeClass('metadataOptions: { httpTokens: optional }')).spec.metadataOptions).toMatchObject({ httpPutResponseHopLimit: 2, httpTokens: 'optional' });
  });

  test('with metadata options that it began keeps them, and says what EC2 filled in', () => {
    const { spec, notes } = classOf(nodeTemplate('metadataOptions: { httpEndpoint: enabled }'));
    expect(spec.metadataOptions).toMatchObject({ httpEndpoint: 'enabled', httpPutResponseHopLimit: 1, httpTokens: 'required' });
    expect(notes).toContainEqual(expect.stringMatching(/^todo: metadataOptions\.httpTokens/));
  });

  test('with a launch template of its own names what a person has to say', () => {
    const { spec, text, notes } = classOf(nodeTemplate('launchTemplate: mine').replace('  securityGroupSelector: { team: web }\n', ''));
    expect(spec).toMatchObject({ amiFamily: 'Custom', amiSelectorTerms: [{ id: 'ami-placeholder' }] });
    expect(text).toMatch(/^ *# launchTemplate: mine$/m);
    expect(notes.filter((note) => note.startsWith('todo'))).toHaveLength(3);
  });

  test.each([['30Gi', '30Gi'], ['100Mi', '1Gi'], ['1.5Ti', '1536Gi'], ['32212254720', '30Gi'], ['20G', '20G']])('writes a volume of %s as %s', (size, expected) => {
    const { spec } = classOf(nodeTemplate(`blockDeviceMappings: [{ deviceName: /dev/xvda, ebs: { volumeType: gp3, volumeSize: ${size} } }]`));
    expect(spec.blockDeviceMappings[0].ebs.volumeSize).toBe(expected);
  });

  test('loses tags that Karpenter sets to comments', () => {
    const { spec, text } = classOf(nodeTemplate('tags: { team: web, karpenter.sh/nodepool: x, kubernetes.io/cluster/main: owned }'));
    expect(spec.tags).toEqual({ team: 'web' });
    expect(text).toMatch(/# kubernetes\.io\/cluster\/main: owned/);
  });
});

describe('an EC2NodeClass of v1beta1', () => {
  test.each(['AL2', 'AL2023', 'Bottlerocket', 'Windows2019', 'Windows2022'])('of the family %s without a selection is its alias', (family) => {
    const { spec } = classOf(betaNodeClass(`amiFamily: ${family}`));
    expect(spec.amiSelectorTerms).toEqual([{ alias: `${family.toLowerCase()}@latest` }]);
    expect(spec.amiFamily).toBeUndefined();
  });

  test('with a selection keeps both', () => {
    expect(classOf(betaNodeClass('amiSelectorTerms: [{ tags: { a: b } }]')).spec).toMatchObject({ amiFamily: 'AL2023', amiSelectorTerms: [{ tags: { a: 'b' } }] });
  });

  test('of the family Ubuntu takes the user data of AL2 and the disk of Ubuntu', () => {
    const { spec, notes } = classOf(betaNodeClass('amiFamily: Ubuntu\namiSelectorTerms: [{ name: ubuntu-* }]'));
    expect(spec).toMatchObject({ amiFamily: 'AL2', amiSelectorTerms: [{ name: 'ubuntu-*' }], blockDeviceMappings: [{ deviceName: '/dev/sda1', rootVolume: true, ebs: { volumeSize: '20Gi', encrypted: true } }] });
    expect(notes).toContainEqual(expect.stringMatching(/^changed: amiFamily: Ubuntu is gone/));
  });

  test('of the family Ubuntu without a selection launches nothing until a person has chosen images', () => {
    const { spec, notes } = classOf(betaNodeClass('amiFamily: Ubuntu'));
    expect(spec.amiSelectorTerms).toEqual([{ id: 'ami-placeholder' }]);
    expect(notes.filter((note) => note.startsWith('todo: ami'))).toHaveLength(2);
  });

  test('keeps every other field', () => {
    const fields = { instanceStorePolicy: 'RAID0', userData: 'x', tags: { a: 'b' }, detailedMonitoring: true, associatePublicIPAddress: false, context: 'c', metadataOptions: { httpTokens: 'optional', httpPutResponseHopLimit: 3 } };
    const text = Object.entries(fields).map(([field, value]) => `${field}: ${JSON.stringify(value)}\n`).join('');
    expect(classOf(betaNodeClass(text)).spec).toMatchObject(fields);
  });

  test('keeps its labels and annotations, and what the API server wrote as comments', () => {
    const { metadata, text } = classOf(betaNodeClass().replace('name: default', 'name: default\n  labels: { a: b }\n  uid: 1234\n  annotations: { karpenter.k8s.aws/ec2nodeclass-hash: "12" }'));
    expect(metadata).toEqual({ name: 'default', labels: { a: 'b' } });
    expect(text).toMatch(/^# uid: 1234$/m);
  });
});
